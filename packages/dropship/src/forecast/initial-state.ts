/**
 * The initial state of smoothing. With a season: a classical decomposition of the first seasons and a line through its trend, as
 * in R's HoltWinters. Without a season: the level and slope with the least squared errors for the given weights; the errors are
 * linear in both, so this is exact least squares.
 */
import { linearRegression } from 'simple-statistics'
import { meanOf, type Series } from './model.ts'
import type { Shape, State, Weights } from './smoothing.ts'

/** `seasons`: how many whole seasons the state is read from, at least two. */
export function seasonalInitialState(series: Series, length: number, shape: Shape, seasons = 2): State {
  const multiplied = shape.season === 'multiplicative'
  const window = seasons * length
  const half = Math.floor(length / 2)
  const smooth: number[] = []
  const figures = Array.from({ length }, () => ({ sum: 0, count: 0 }))
  for (let i = half; i + half < window; i++) {
    const middle = centred(series, i, length, half)
    smooth.push(middle)
    const figure = figures[i % length] as { sum: number; count: number }
    const value = series[i] as number
    figure.sum += multiplied ? (middle > 0 ? value / middle : 1) : value - middle
    figure.count++
  }
  const raw = figures.map(({ sum, count }) => (count > 0 ? sum / count : multiplied ? 1 : 0))
  const average = meanOf(raw)
  const level = (value: number) => (multiplied ? (average > 0 ? value / average : 1) : value - average)
  const { b: intercept, m: slope } = linearRegression(smooth.map((value, i) => [i + 1, value]))
  // a series that falls to 0 within its first seasons would start below 0
  const start = multiplied && intercept <= 0 ? meanOf(series, 0, window) : intercept
  return {
    at: length,
    level: shape.trend === 'none' ? meanOf(series, 0, length) : start,
    trend: shape.trend === 'none' ? 0 : slope,
    seasons: Float64Array.from(raw, level),
  }
}

/** The mean of a whole season around a value; for an even length the two ends count half. */
function centred(series: Series, at: number, length: number, half: number): number {
  const even = length % 2 === 0
  let sum = 0
  for (let k = -half; k <= half; k++) sum += (even && Math.abs(k) === half ? 0.5 : 1) * (series[at + k] as number)
  return sum / length
}

/**
 * Level and slope before the first value, and the resulting squared errors. Three recursions run side by side: the values from a
 * state of 0, and the remaining effect of one unit of level and of one unit of slope at every step.
 */
export function leastSquaresInitialState(
  { trend }: Shape,
  { alpha, beta, phi }: Weights,
  series: Series,
  until: number,
): { state: State; squares: number } {
  let l = 0
  let b = 0
  let l1 = 1
  let b1 = 0
  let l2 = 0
  let b2 = trend === 'none' ? 0 : 1
  let [x11, x12, x22, x1y, x2y, yy] = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < until; i++) {
    const value = series[i] as number
    const base = l + phi * b
    const base1 = l1 + phi * b1
    const base2 = l2 + phi * b2
    const error = value - base
    x11 += base1 * base1
    x12 += base1 * base2
    x22 += base2 * base2
    x1y += base1 * error
    x2y += base2 * error
    yy += error * error
    const fresh = base + alpha * error
    b = beta * (fresh - l) + (1 - beta) * phi * b
    l = fresh
    const fresh1 = (1 - alpha) * base1
    b1 = beta * (fresh1 - l1) + (1 - beta) * phi * b1
    l1 = fresh1
    const fresh2 = (1 - alpha) * base2
    b2 = beta * (fresh2 - l2) + (1 - beta) * phi * b2
    l2 = fresh2
  }
  const determinant = x11 * x22 - x12 * x12
  const sloped = trend !== 'none' && determinant > 1e-9 * x11 * x22
  const level = sloped ? (x1y * x22 - x2y * x12) / determinant : x1y / x11
  const slope = sloped ? (x2y * x11 - x1y * x12) / determinant : 0
  const squares = Math.max(0, yy - level * x1y - slope * x2y)
  return { state: { at: 0, level, trend: slope, seasons: new Float64Array(0) }, squares }
}
