/** Simple exponential smoothing: a level that moves, no trend, no season. */
import { smoothingModel } from './smoothing-model.ts'

export const simpleSmoothing = smoothingModel('simple_smoothing', 'simple exponential smoothing', {
  trend: 'none',
  season: 'none',
})
