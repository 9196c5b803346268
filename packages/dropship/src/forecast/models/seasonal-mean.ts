/** The mean of every place in the season: a level and a week that do not move. */
import type { Model, Series } from '../model.ts'

function means(series: Series, origin: number, season: number): Float64Array {
  const sums = new Float64Array(season)
  for (let i = 0; i < origin; i++) sums[i % season] = (sums[i % season] as number) + (series[i] as number)
  return sums.map((sum, place) => sum / Math.ceil((origin - place) / season))
}

export const seasonalMean: Model = {
  name: 'seasonal_mean',
  title: 'the mean of every weekday',
  needs: (season) => 2 * season,
  fit: (_, season) => ({
    parameters: {},
    paths: (series, origins, horizon) =>
      origins.map((origin) => {
        const usual = means(series, origin, season)
        return Float64Array.from({ length: horizon }, (_, h) => usual[(origin + h) % season] as number)
      }),
  }),
}
