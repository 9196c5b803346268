/** The use of a quota: checked before approval is requested, and reserved just before the tool runs. */

import type { Counters } from '../../../ledger/counters.ts'
import { capitalise } from '../../../protocol/text.ts'
import type { Call } from '../../call.ts'
import type { Violation } from './breach.ts'
import type { Quota } from './quota.ts'

/** Sums of cents are not exact in floating point. */
const TINY = 1e-9

/** The violation if the call is too much by itself, or too much for what is left. */
export async function checkQuota(call: Call, ceiling: Quota): Promise<Violation | undefined> {
  const amount = ceiling.amountOf(call)
  if (amount === null || amount > ceiling.amount) return tooMuch(ceiling, amount)
  // A call with a key may only repeat a result: it is counted when it is known to run.
  if (ceiling.per === 'call' || amount === 0 || call.idempotencyKey !== undefined) return undefined
  const { counters } = call.pipeline.ledger
  const budget = ceiling.budgetAt(Date.now())
  const left = await counters.spend(budget, 0, ceiling.amount - amount + TINY)
  return left === undefined ? tooMuch(ceiling, amount, await leftOf(counters, ceiling, budget)) : undefined
}

/** A reserved amount, so that it can be returned. */
export interface Reservation {
  readonly budget: string
  readonly amount: number
  readonly mark: string
}

/** Reserves the amount of the call, or returns the violation if it is too much. */
export async function reserveQuota(call: Call, ceiling: Quota): Promise<Reservation | Violation | undefined> {
  const amount = ceiling.amountOf(call)
  if (amount === null) return tooMuch(ceiling, amount)
  if (amount === 0) return undefined
  const { counters } = call.pipeline.ledger
  const budget = ceiling.budgetAt(Date.now())
  const taken: Reservation = { budget, amount, mark: ceiling.markOf(call.id) }
  const before = call.notes.takenOverCall === undefined ? undefined : ceiling.markOf(call.notes.takenOverCall)
  const fitted = await counters.spendFor({ mark: taken.mark, before }, budget, amount, ceiling.amount + TINY)
  return fitted ? taken : tooMuch(ceiling, amount, await leftOf(counters, ceiling, budget))
}

async function leftOf(counters: Counters, ceiling: Quota, budget: string): Promise<number> {
  const left = (await counters.spend(budget, 0, ceiling.amount)) ?? 0
  return Math.max(0, Math.round(left * 1e6) / 1e6)
}

const SPAN = { call: 'in one call', day: 'in a day', month: 'in a month', ever: 'in all time' } as const
const LEFT = { call: '', day: ' today', month: ' this month', ever: '' } as const

function tooMuch({ what, amount: bound, per }: Quota, amount: number | null, left?: number): Violation {
  const found =
    amount === null
      ? `${what} is no number, so nobody can say how much it is.`
      : `${what} is ${amount}; at most ${bound} may pass ${SPAN[per]}`
  const rest = amount === null ? '' : left === undefined ? '.' : `, and ${left} is left${LEFT[per]}.`
  return { message: capitalise(found + rest), value: amount, bound }
}
