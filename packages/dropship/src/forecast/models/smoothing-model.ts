/** Exponential smoothing as a model: a search finds the weights with the least squared one-step errors. */

import { leastSquaresInitialState, seasonalInitialState } from '../initial-state.ts'
import { minimise } from '../minimise.ts'
import type { FittedModel, Model, Series } from '../model.ts'
import { advance, copy, projectPath, type Shape, type State, type Weights } from '../smoothing.ts'

/**
 * The start of the search is that of R's HoltWinters. Damping between 0.8 and 0.98 is the usual range: below, the trend
 * vanishes at once; above, it has no effect (Hyndman and Athanasopoulos, Forecasting: principles and practice, 8.2).
 */
const SEARCH = {
  alpha: { start: 0.3, lower: 0, upper: 1 },
  beta: { start: 0.1, lower: 0, upper: 1 },
  gamma: { start: 0.1, lower: 0, upper: 1 },
  phi: { start: 0.95, lower: 0.8, upper: 0.98 },
} as const
type Weight = keyof typeof SEARCH

const searched = ({ trend, season }: Shape): Weight[] => [
  'alpha',
  ...(trend === 'none' ? [] : (['beta'] as const)),
  ...(season === 'none' ? [] : (['gamma'] as const)),
  ...(trend === 'damped' ? (['phi'] as const) : []),
]

interface SmoothingOptions {
  /** how many seasons the initial state is read from */
  readonly startSeasons?: number
  /** how close to the least squared error the search must come */
  readonly close?: number
}

export function fitSmoothing(
  series: Series,
  season: number,
  shape: Shape,
  { startSeasons = 2, close = 1e-3 }: SmoothingOptions = {},
  like?: FittedModel,
): FittedModel & { readonly squares: number } {
  const names = searched(shape)
  const seasonal = shape.season !== 'none'
  const start = seasonal ? seasonalInitialState(series, season, shape, startSeasons) : undefined
  const trended = shape.trend !== 'none'
  const gammaAt = trended ? 2 : 1
  /** by their place in `names`; weights that are not searched are fixed */
  const weights = (at: readonly number[]): Weights => ({
    alpha: at[0] as number,
    beta: trended ? (at[1] as number) : 0,
    gamma: seasonal ? (at[gammaAt] as number) : 0,
    phi: shape.trend === 'damped' ? (at[at.length - 1] as number) : trended ? 1 : 0,
  })
  const squaresAt = (at: readonly number[]): number =>
    start
      ? advance(copy(start), shape, weights(at), series, series.length)
      : leastSquaresInitialState(shape, weights(at), series, series.length).squares
  const found = minimise(
    squaresAt,
    names.map((name) => like?.parameters[name] ?? SEARCH[name].start),
    {
      lower: names.map((name) => SEARCH[name].lower),
      upper: names.map((name) => SEARCH[name].upper),
      reach: like ? 0.05 : 0.15,
      close,
    },
  )
  return { ...withWeights(shape, weights(found.at), start, series), squares: found.value }
}

/** A fit with given weights. Without `start`, the best initial state for them. */
export function withWeights(shape: Shape, weights: Weights, start: State | undefined, series: Series): FittedModel {
  const first = start ?? leastSquaresInitialState(shape, weights, series, series.length).state
  return {
    parameters: { ...weights, level: first.level, trend: first.trend },
    paths: (values, origins, horizon) => {
      const state = copy(first)
      return origins.map((origin) => {
        advance(state, shape, weights, values, origin)
        return projectPath(state, shape, weights.phi, horizon)
      })
    },
  }
}

/** A long series starts from more than two seasons, which is steadier, but from a third of it at most. */
const startSeasonsOf = (series: Series, season: number): number =>
  Math.max(2, Math.min(6, Math.floor(series.length / season / 3)))

/** Factors are meaningful only if every place of the season sells now and then. */
function everyPlaceSells(series: Series, season: number): boolean {
  const sums = new Float64Array(season)
  for (let i = 0; i < series.length; i++) {
    const value = series[i] as number
    if (value < 0) return false
    sums[i % season] = (sums[i % season] as number) + value
  }
  return sums.every((sum) => sum > 0)
}

export function smoothingModel(name: string, title: string, trend: Shape['trend'], season: Shape['season']): Model {
  const shape = { trend, season }
  return {
    name,
    title,
    needs: (length) => (season === 'none' ? 4 : 2 * length + 1),
    ...(season === 'multiplicative' && { suits: everyPlaceSells }),
    fit: (series, length, like) =>
      fitSmoothing(series, length, shape, { startSeasons: startSeasonsOf(series, length) }, like),
  }
}
