/** The mean of all that was: the best there is for noise around a level that does not move. */
import { type Model, meanOf } from '../model.ts'

export const mean: Model = {
  name: 'mean',
  title: 'the mean of all days',
  needs: () => 2,
  fit: () => ({
    parameters: {},
    paths: (series, origins, horizon) =>
      origins.map((origin) => new Float64Array(horizon).fill(meanOf(series, 0, origin))),
  }),
}
