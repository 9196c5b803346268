/**
 * Estimates a supplier from its asks so far. Suppliers concede over time: after round r of R they have conceded the share (r / R)^k of
 * their range (the time-dependent tactics of Faratin, Sierra and Jennings, 1998). The asks show k; the remaining concession and the
 * probability that this was the last round follow from usual values by Bayes' rule.
 */
import type { Cents } from '../../../money.ts'

export interface SupplierEstimate {
  /** its next ask, if it stays */
  readonly nextAsk: Cents
  /** probability that it leaves if nothing is agreed now */
  readonly leaveProbability: number
  /** expected final price */
  readonly floor: Cents
}

/** Possible numbers of rounds, each less likely than the one before; set with the simulated market in view. */
const PATIENCES = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const patiencePrior = (patience: number): number => 0.7 ** patience
/** No supplier concedes more than this share of the list price: below are its own costs. */
const WIDEST_GAP = 0.4
/** Exponents of conceding late and early. */
const LATEST = 3
const EARLIEST = 0.2

/** `asks`: the ask after each round, including rounds without a concession. */
export function estimateSupplier(list: Cents, asks: readonly Cents[]): SupplierEstimate {
  const round = asks.length
  const ask = asks.at(-1) ?? list
  const given = list - ask
  const k = concessionExponent(list, asks)
  const step = (rounds: number): Cents => given * (rounds / Math.max(1, round)) ** k
  // A priori every order of magnitude of the range is equally likely. Then the asks favour no patience, except that some would need
  // a range wider than any supplier has.
  const possible = PATIENCES.filter((patience) => patience >= round && step(patience) <= WIDEST_GAP * list)
  if (possible.length === 0) return { nextAsk: ask, leaveProbability: 1, floor: ask }
  const all = possible.reduce((sum, patience) => sum + patiencePrior(patience), 0)
  return {
    nextAsk: Math.max(0, list - step(round + 1)),
    leaveProbability: possible[0] === round ? patiencePrior(round) / all : 0,
    floor: Math.max(
      0,
      list - possible.reduce((sum, patience) => sum + step(patience) * patiencePrior(patience), 0) / all,
    ),
  }
}

/** The slope of the log concession over log rounds; 1 before there are two points. */
function concessionExponent(list: Cents, asks: readonly Cents[]): number {
  const points = asks.flatMap((ask, i) => (ask < list ? [{ x: Math.log(i + 1), y: Math.log(list - ask) }] : []))
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || first === last) return 1
  return Math.min(LATEST, Math.max(EARLIEST, (last.y - first.y) / (last.x - first.x)))
}
