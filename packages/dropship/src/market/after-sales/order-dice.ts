/**
 * The dice of an order, rolled once from its day and customer. The order's number and other events in the shop do not change them. What
 * the dice lead to depends on the supplier and the dates.
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

/** Days after the promised day: 0 for most orders, otherwise exponential with the supplier's mean. */
export const daysLate = (dice: OrderDice, late: number, delay: number): number =>
  dice.late < late ? Math.ceil(-delay * Math.log(1 - dice.delay)) : 0
