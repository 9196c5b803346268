/** A forecasting model: fitted to a series once, it can then forecast from any point of it. */

export type Series = ArrayLike<number>

/** A model with its parameters. */
export interface FittedModel {
  readonly parameters: Readonly<Record<string, number>>
  /**
   * For every origin (how many values are known, ascending) the next `horizon` values. It sees nothing of the series after
   * an origin; the parameters may have been fitted to an even shorter part.
   */
  readonly paths: (series: Series, origins: readonly number[], horizon: number) => Float64Array[]
}

export interface Model {
  readonly name: string
  /** in words, for the owner */
  readonly title: string
  /** the fewest values it can be fitted to */
  readonly needs: (season: number) => number
  /** whether it can be used for these values; by default always */
  readonly suits?: (series: Series, season: number) => boolean
  /** `like` is an earlier fit to a part of the series, from which the search can start. */
  readonly fit: (series: Series, season: number, like?: FittedModel) => FittedModel
}

export const meanOf = (series: Series, from = 0, to = series.length): number => {
  let sum = 0
  for (let i = from; i < to; i++) sum += series[i] ?? 0
  return to > from ? sum / (to - from) : 0
}
