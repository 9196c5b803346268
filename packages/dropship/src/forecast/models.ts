/** All models that compete, the simplest first: of two equally good models the simpler one is chosen. */
import type { Model } from './model.ts'
import { SIMPLE_MODELS } from './models/simple-models.ts'
import { smoothingModel } from './models/smoothing-model.ts'

export const MODELS: readonly Model[] = [
  ...SIMPLE_MODELS,
  smoothingModel('simple_smoothing', 'simple exponential smoothing', 'none', 'none'),
  smoothingModel('seasonal_additive', 'smoothing with an added season', 'none', 'additive'),
  smoothingModel('seasonal_multiplicative', 'smoothing with a multiplied season', 'none', 'multiplicative'),
  smoothingModel('holt', "Holt's linear trend", 'linear', 'none'),
  smoothingModel('holt_damped', "Holt's damped trend", 'damped', 'none'),
  smoothingModel('holt_winters_additive', 'Holt-Winters with an added season', 'linear', 'additive'),
  smoothingModel('holt_winters_additive_damped', 'damped Holt-Winters with an added season', 'damped', 'additive'),
  smoothingModel('holt_winters_multiplicative', 'Holt-Winters with a multiplied season', 'linear', 'multiplicative'),
  smoothingModel(
    'holt_winters_multiplicative_damped',
    'damped Holt-Winters with a multiplied season',
    'damped',
    'multiplicative',
  ),
]
