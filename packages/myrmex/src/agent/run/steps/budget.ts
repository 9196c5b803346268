/**
 * The budget of a run. The most that a call may cost is reserved before it starts, and the rest is released when it ends. So parallel
 * calls cannot exceed the budget. A step that is repeated after a crash has paid already.
 */
import type { Ledger } from '../../../ledger/ledger.ts'
import type { Spend } from '../../../pipeline/run-context.ts'
import type { Budget } from '../../plan/plan.ts'

/** Sums of cents are not exact in floating point. */
const TINY = 1e-9
/** Calls made by tools have no idempotency record, so each is stored under this prefix if calls are limited. */
const CALL = 'call:'
const isSubCall = (key: string): boolean => key.startsWith(CALL)

export class RunBudget {
  readonly #ledger: Ledger
  readonly #run: string
  readonly #term: number
  readonly #budget: Budget
  readonly #taken: Map<string, number>
  #calls: number

  constructor(
    ledger: Ledger,
    run: { id: string; term: number },
    budget: Budget,
    taken: Map<string, number>,
    /** calls of steps so far */
    calls: number,
  ) {
    this.#ledger = ledger
    this.#run = run.id
    this.#term = run.term
    this.#budget = budget
    this.#taken = taken
    this.#calls = calls + [...taken.keys()].filter(isSubCall).length
  }

  get calls(): number {
    return this.#calls
  }

  get spent(): number {
    let sum = 0
    for (const amount of this.#taken.values()) sum += amount
    return sum
  }

  /** The step pays for its own call. A call made by its tool pays for itself. */
  reserve(step: string, { call, tool, depth, cost }: Spend): undefined | string | Promise<undefined | string> {
    const { calls, money } = this.#budget
    if (calls !== undefined && this.#calls >= calls)
      return `The run may make ${calls} calls, and ${tool} would be one more.`
    if (!(cost >= 0)) return `${tool} would cost ${cost}, which is not an amount.`
    this.#calls++
    const key = depth === 0 ? step : call
    const pay = (): undefined | string | Promise<undefined | string> => {
      if (cost === 0 || this.#taken.has(key)) return undefined
      if (money === undefined) return `${tool} may cost ${cost}, and the run was given no budget of money.`
      return this.#take(key, cost, money, tool)
    }
    return calls === undefined || depth === 0 ? pay() : this.#note(call, pay)
  }

  async #note(call: string, pay: () => undefined | string | Promise<undefined | string>): Promise<undefined | string> {
    await this.#ledger.runs.reserve(this.#run, this.#term, CALL + call, 0, Number.MAX_VALUE)
    return pay()
  }

  async #take(key: string, cost: number, money: number, tool: string): Promise<undefined | string> {
    // Set before the first await, so that a second call of the same step does not pay again.
    this.#taken.set(key, cost)
    try {
      if (await this.#ledger.runs.reserve(this.#run, this.#term, key, cost, money + TINY)) return undefined
    } catch (thrown) {
      this.#taken.delete(key)
      throw thrown
    }
    this.#taken.delete(key)
    return `${tool} may cost ${cost}, and of the run's budget of ${money} only ${round(money - this.spent)} is left.`
  }

  async settle(step: string, { call, depth, cost }: Spend): Promise<void> {
    const key = depth === 0 ? step : call
    const taken = this.#taken.get(key) ?? 0
    if (taken === cost) return
    if (taken === 0) {
      // Only the result says what it cost. It is spent even if it exceeds the budget, and the next call is refused.
      this.#taken.set(key, cost)
      await this.#ledger.runs.reserve(this.#run, this.#term, key, cost, Number.MAX_VALUE)
      return
    }
    if (cost === 0) this.#taken.delete(key)
    else this.#taken.set(key, cost)
    await this.#ledger.runs.refund(this.#run, this.#term, key, taken, cost)
  }
}

const round = (amount: number): number => Math.round(amount * 100) / 100
