/** All models that compete, the plainest first: where two are equally good the plainer one is taken. */
import type { Model } from './model.ts'
import { drift } from './models/drift.ts'
import { dampedHolt, holt } from './models/holt.ts'
import {
  dampedWintersAdded,
  dampedWintersMultiplied,
  holtWintersAdded,
  holtWintersMultiplied,
  seasonalAdded,
  seasonalMultiplied,
} from './models/holt-winters.ts'
import { mean } from './models/mean.ts'
import { seasonalMean } from './models/seasonal-mean.ts'
import { seasonalNaive } from './models/seasonal-naive.ts'
import { simpleSmoothing } from './models/simple-smoothing.ts'

export const MODELS: readonly Model[] = [
  seasonalNaive,
  mean,
  seasonalMean,
  drift,
  simpleSmoothing,
  seasonalAdded,
  seasonalMultiplied,
  holt,
  dampedHolt,
  holtWintersAdded,
  dampedWintersAdded,
  holtWintersMultiplied,
  dampedWintersMultiplied,
]
