/** Holt's linear trend, and the same with a trend that dies away. */
import { smoothed } from './smoothed.ts'

export const holt = smoothed('holt', "Holt's linear trend", { trend: 'linear', season: 'none' })
export const dampedHolt = smoothed('holt_damped', "Holt's damped trend", { trend: 'damped', season: 'none' })
