/** On from the last season's level along the line from the first season to the last. */
import { type Model, meanOf } from '../model.ts'

export const drift: Model = {
  name: 'drift',
  title: 'the last week, going on as from the first week to it',
  needs: (season) => 2 * season,
  fit: (_, season) => ({
    parameters: {},
    paths: (series, origins, horizon) =>
      origins.map((origin) => {
        const last = meanOf(series, origin - season, origin)
        const slope = (last - meanOf(series, 0, season)) / (origin - season)
        // the mean of a season stands for its middle
        const since = (season - 1) / 2
        return Float64Array.from({ length: horizon }, (_, h) => last + slope * (since + h + 1))
      }),
  }),
}
