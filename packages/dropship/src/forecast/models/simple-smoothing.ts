/** Simple exponential smoothing: a level that moves, no trend, no season. */
import { smoothed } from './smoothed.ts'

export const simpleSmoothing = smoothed('simple_smoothing', 'simple exponential smoothing', {
  trend: 'none',
  season: 'none',
})
