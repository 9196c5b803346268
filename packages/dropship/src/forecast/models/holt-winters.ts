/** Holt and Winters' seasonal smoothing: season added or multiplied, each without trend, with a linear and a damped one. */
import type { Series } from '../model.ts'
import { smoothingModel } from './smoothing-model.ts'

/** Factors mean something only where every place of the season sells now and then. */
function sellsAlways(series: Series, season: number): boolean {
  const sums = new Float64Array(season)
  for (let i = 0; i < series.length; i++) {
    const value = series[i] as number
    if (value < 0) return false
    sums[i % season] = (sums[i % season] as number) + value
  }
  return sums.every((sum) => sum > 0)
}

export const seasonalAdded = smoothingModel('seasonal_additive', 'smoothing with an added season', {
  trend: 'none',
  season: 'additive',
})
export const seasonalMultiplied = smoothingModel(
  'seasonal_multiplicative',
  'smoothing with a multiplied season',
  { trend: 'none', season: 'multiplicative' },
  sellsAlways,
)
export const holtWintersAdded = smoothingModel('holt_winters_additive', 'Holt-Winters with an added season', {
  trend: 'linear',
  season: 'additive',
})
export const holtWintersMultiplied = smoothingModel(
  'holt_winters_multiplicative',
  'Holt-Winters with a multiplied season',
  { trend: 'linear', season: 'multiplicative' },
  sellsAlways,
)
export const dampedWintersAdded = smoothingModel(
  'holt_winters_additive_damped',
  'damped Holt-Winters with an added season',
  {
    trend: 'damped',
    season: 'additive',
  },
)
export const dampedWintersMultiplied = smoothingModel(
  'holt_winters_multiplicative_damped',
  'damped Holt-Winters with a multiplied season',
  { trend: 'damped', season: 'multiplicative' },
  sellsAlways,
)
