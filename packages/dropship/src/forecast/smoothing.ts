/**
 * Exponential smoothing in its additive-error forms: level, trend (none, linear, damped) and season (none, added, multiplied),
 * in the recursions of R's HoltWinters, with damping as in Gardner and McKenzie. One loop serves every shape.
 */
import type { Series } from './model.ts'

export interface Shape {
  readonly trend: 'none' | 'linear' | 'damped'
  readonly season: 'none' | 'additive' | 'multiplicative'
}

/** How fast level, trend and season learn, and the share of the trend that carries over to the next value. */
export interface Weights {
  readonly alpha: number
  readonly beta: number
  readonly gamma: number
  readonly phi: number
}

/** The state after `at` values. `seasons[i]` is the season of the values whose index modulo the season's length is i. */
export interface State {
  at: number
  level: number
  trend: number
  seasons: Float64Array
}

/** The smallest factor of a season, so that days without a sale do not divide by 0. */
const MIN_FACTOR = 0.02

export const copy = (state: State): State => ({ ...state, seasons: state.seasons.slice() })

/** Advances the state in place to `until` values. Returns the sum of the squared one-step errors. */
export function advance(state: State, { season }: Shape, weights: Weights, series: Series, until: number): number {
  const { alpha, beta, gamma, phi } = weights
  const { seasons } = state
  const length = seasons.length
  let { level, trend, at } = state
  let squares = 0
  let place = length > 0 ? at % length : 0
  for (; at < until; at++) {
    const value = series[at] as number
    const base = level + phi * trend
    let fresh: number
    if (season === 'none') {
      squares += (value - base) ** 2
      fresh = alpha * value + (1 - alpha) * base
    } else if (season === 'additive') {
      const usual = seasons[place] as number
      squares += (value - base - usual) ** 2
      fresh = alpha * (value - usual) + (1 - alpha) * base
      seasons[place] = gamma * (value - fresh) + (1 - gamma) * usual
    } else {
      const usual = Math.max(MIN_FACTOR, seasons[place] as number)
      squares += (value - base * usual) ** 2
      fresh = alpha * (value / usual) + (1 - alpha) * base
      seasons[place] = fresh > 0 ? gamma * (value / fresh) + (1 - gamma) * usual : usual
    }
    trend = beta * (fresh - level) + (1 - beta) * phi * trend
    level = fresh
    if (++place === length) place = 0
  }
  state.level = level
  state.trend = trend
  state.at = at
  return squares
}

/** The next `horizon` values from the state. */
export function projectPath(
  { level, trend, seasons, at }: State,
  { season }: Shape,
  phi: number,
  horizon: number,
): Float64Array {
  const path = new Float64Array(horizon)
  let share = phi
  let reach = 0
  for (let h = 0; h < horizon; h++) {
    reach += share
    share *= phi
    const base = level + reach * trend
    if (season === 'none') path[h] = base
    else {
      const usual = seasons[(at + h) % seasons.length] as number
      path[h] = season === 'additive' ? base + usual : base * Math.max(MIN_FACTOR, usual)
    }
  }
  return path
}
