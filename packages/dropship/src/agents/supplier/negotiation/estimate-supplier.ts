/**
 * Reads a supplier from what it asked for so far. Suppliers give in with time: after round r of R they have given up the part
 * (r / R)^k of what they can (the time-dependent tactics of Faratin, Sierra and Jennings, 1998). The asks show k; how much is
 * left, and whether this was the last round, follows from what is usual, by Bayes.
 */
import type { Cents } from '../../../money.ts'

export interface SupplierEstimate {
  /** what it will ask for next, should it stay */
  readonly nextAsk: Cents
  /** how likely it leaves if nothing is agreed now, 0 to 1 */
  readonly leaveProbability: number
  /** how low it would go in the end, in the mean */
  readonly floor: Cents
}

/** Set with the simulated market in view, whose suppliers follow the same curve. How many rounds a supplier may sit through; each further one is somewhat less usual than the one before. */
const PATIENCES = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const patiencePrior = (patience: number): number => 0.7 ** patience
/** Nobody gives up more than this part of the list price: below it lies what the goods cost the supplier. */
const WIDEST_GAP = 0.4
/** Exponents of giving in: late and stubborn, or early. */
const LATEST = 3
const EARLIEST = 0.2

/** `asks` are those after each round; a round in which nothing was given is one as well. */
export function estimateSupplier(list: Cents, asks: readonly Cents[]): SupplierEstimate {
  const round = asks.length
  const ask = asks.at(-1) ?? list
  const given = list - ask
  const k = concessionExponent(list, asks)
  const step = (rounds: number): Cents => given * (rounds / Math.max(1, round)) ** k
  // Before anything is known every order of magnitude of the gap is as likely as another; then the steps seen so far favour no
  // patience, but for those that would need a gap that nobody has.
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

/** From the slope of log given up over log rounds; half way between early and late before there is one. */
function concessionExponent(list: Cents, asks: readonly Cents[]): number {
  const points = asks.flatMap((ask, i) => (ask < list ? [{ x: Math.log(i + 1), y: Math.log(list - ask) }] : []))
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || first === last) return 1
  return Math.min(LATEST, Math.max(EARLIEST, (last.y - first.y) / (last.x - first.x)))
}
