/** Holt's linear trend, and the same with a trend that dies away. */
import { smoothingModel } from './smoothing-model.ts'

export const holt = smoothingModel('holt', "Holt's linear trend", { trend: 'linear', season: 'none' })
export const dampedHolt = smoothingModel('holt_damped', "Holt's damped trend", { trend: 'damped', season: 'none' })
