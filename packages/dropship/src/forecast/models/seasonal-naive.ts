/** The same as a season ago: the yardstick that every other model is measured by. */
import type { Model } from '../model.ts'

export const seasonalNaive: Model = {
  name: 'seasonal_naive',
  title: 'the same as a season ago',
  needs: (season) => season,
  fit: (_, season) => ({
    parameters: {},
    paths: (series, origins, horizon) =>
      origins.map((origin) =>
        Float64Array.from({ length: horizon }, (_, h) => series[origin - season + (h % season)] as number),
      ),
  }),
}
