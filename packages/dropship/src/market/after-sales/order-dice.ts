/**
 * What will befall an order, thrown once and for all when it is placed: dice of (day, customer), so that an order's number, and
 * whatever else the shop does, changes nothing of it. What comes of the dice depends on who delivers it, and when.
 */
import { diceFor } from '../random.ts'

export interface OrderDice {
  /** each from 0 to 1 */
  readonly late: number
  readonly delay: number
  readonly defect: number
  readonly kind: number
  readonly remorse: number
  readonly asks: number
  readonly errand: number
  readonly when: number
  readonly patience: number
  readonly temper: number
}

export const rollOrderDice = (seed: number, placed: number, email: string): OrderDice => {
  const dice = diceFor(seed, placed, email, 'fate')
  return {
    late: dice(),
    delay: dice(),
    defect: dice(),
    kind: dice(),
    remorse: dice(),
    asks: dice(),
    errand: dice(),
    when: dice(),
    patience: dice(),
    temper: dice(),
  }
}

/** Days after the promise: none for most, else exponential with the supplier's mean. */
export const daysLate = (fate: OrderDice, late: number, delay: number): number =>
  fate.late < late ? Math.ceil(-delay * Math.log(1 - fate.delay)) : 0
