/**
 * The dice of an order, rolled once from its day and customer. The order's number and other events in the shop do not change them. What
 * the dice lead to depends on the supplier and the dates.
 */
import { diceFor } from '../random.ts'

/** In the order they are rolled, each from 0 to 1. */
const NAMES = ['late', 'delay', 'defect', 'kind', 'remorse', 'asks', 'errand', 'when', 'patience', 'temper'] as const

export type OrderDice = Readonly<Record<(typeof NAMES)[number], number>>

export const rollOrderDice = (seed: number, placed: number, email: string): OrderDice => {
  const dice = diceFor(seed, placed, email, 'fate')
  return Object.fromEntries(NAMES.map((name) => [name, dice()])) as OrderDice
}

/** Days after the promised day: 0 for most orders, otherwise exponential with the supplier's mean. */
export const daysLate = (dice: OrderDice, late: number, delay: number): number =>
  dice.late < late ? Math.ceil(-delay * Math.log(1 - dice.delay)) : 0
