/** What a forecasting model is: fitted to a series once, then able to look ahead from any point of it. */

export type Series = ArrayLike<number>

/** A model with its parameters. */
export interface FittedModel {
  readonly parameters: Readonly<Record<string, number>>
  /**
   * For every origin (how many values are known, ascending) the next `horizon` values. It sees nothing of the series past
   * an origin, though the parameters may have been fitted to less than what stands before it.
   */
  readonly paths: (series: Series, origins: readonly number[], horizon: number) => Float64Array[]
}

export interface Model {
  readonly name: string
  /** in words, for whoever reads the answer */
  readonly title: string
  /** how many values it takes to fit it */
  readonly needs: (season: number) => number
  /** whether it makes sense for such values at all; undefined: always */
  readonly suits?: (series: Series, season: number) => boolean
  /** `like` are the parameters of an earlier fit to a part of the series: a good place to start from. */
  readonly fit: (series: Series, season: number, like?: FittedModel) => FittedModel
}

export const meanOf = (series: Series, from = 0, to = series.length): number => {
  let sum = 0
  for (let i = from; i < to; i++) sum += series[i] ?? 0
  return to > from ? sum / (to - from) : 0
}
