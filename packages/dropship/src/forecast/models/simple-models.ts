/** Models without parameters: each follows from the series by itself. */
import { type Model, meanOf, type Series } from '../model.ts'

type Path = (series: Series, origin: number, season: number) => (h: number) => number

const simpleModel = (name: string, title: string, needs: Model['needs'], pathFrom: Path): Model => ({
  name,
  title,
  needs,
  fit: (_, season) => ({
    parameters: {},
    paths: (series, origins, horizon) =>
      origins.map((origin) => {
        const valueAt = pathFrom(series, origin, season)
        return Float64Array.from({ length: horizon }, (_, h) => valueAt(h))
      }),
  }),
})

/** The baseline that every other model is measured against. */
const seasonalNaive = simpleModel(
  'seasonal_naive',
  'the same as a season ago',
  (season) => season,
  (series, origin, season) => (h) => series[origin - season + (h % season)] as number,
)

/** The best model for noise around a constant level. */
const mean = simpleModel(
  'mean',
  'the mean of all days',
  () => 2,
  (series, origin) => {
    const level = meanOf(series, 0, origin)
    return () => level
  },
)

const seasonalMean = simpleModel(
  'seasonal_mean',
  'the mean of every weekday',
  (season) => 2 * season,
  (series, origin, season) => {
    const sums = new Float64Array(season)
    for (let i = 0; i < origin; i++) sums[i % season] = (sums[i % season] as number) + (series[i] as number)
    const means = sums.map((sum, place) => sum / Math.ceil((origin - place) / season))
    return (h) => means[(origin + h) % season] as number
  },
)

/** Continues the line from the first season to the last. */
const drift = simpleModel(
  'drift',
  'the last week, going on as from the first week to it',
  (season) => 2 * season,
  (series, origin, season) => {
    const last = meanOf(series, origin - season, origin)
    const slope = (last - meanOf(series, 0, season)) / (origin - season)
    // the mean of a season is the value at its middle
    const sinceMiddle = (season - 1) / 2
    return (h) => last + slope * (sinceMiddle + h + 1)
  },
)

export const SIMPLE_MODELS: readonly Model[] = [seasonalNaive, mean, seasonalMean, drift]
