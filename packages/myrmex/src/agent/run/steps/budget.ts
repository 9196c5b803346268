/**
 * The budget of a run. The most that a call may cost is reserved before it starts, and the rest is released when it ends. So parallel
 * calls cannot exceed the budget. A step that is repeated after a crash has paid already. Money is spent while its effect stands: a
 * call without effect and a call that was undone give theirs back, also if the process died before it could release it. A call of
 * unknown outcome gives nothing back.
 */
import type { BudgetLimit } from '../../../ledger/decisions/budget-requests.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { isFreeTool, spentBy } from '../../../pipeline/gates/budget.ts'
import type { Spend } from '../../../pipeline/run-context.ts'
import type { Tool } from '../../../tool/tool.ts'
import type { Budget } from '../../plan/plan.ts'
import { added, NO_RAISES, type Raises, type Shortfall } from '../budget-request.ts'
import { isDone, type RunState } from '../journal/state.ts'
import { isUndo } from './step-id.ts'
import { isUndone } from './undo.ts'

/** Sums of cents are not exact in floating point. */
const TINY = 1e-9
/** Calls made by tools have no idempotency record, so each is stored under this prefix if calls are limited. */
const CALL = 'call:'
const isSubCall = (key: string): boolean => key.startsWith(CALL)
/** What a tool's own calls spend belongs to the step, so that its undo returns it. No step id has this character. */
const WITHIN = '>'
const keyOf = (step: string, { call, depth }: Pick<Spend, 'call' | 'depth'>): string =>
  depth === 0 ? step : `${step}${WITHIN}${call}`
const stepOf = (key: string): string => key.split(WITHIN, 1)[0] as string

export class RunBudget {
  readonly #ledger: Ledger
  readonly #run: string
  readonly #term: number
  readonly #budget: Budget
  readonly #taken: Map<string, number>
  readonly #state: RunState
  /** what people gave it besides */
  #raises: Raises
  /** by the step that was refused last for want of it */
  readonly #shortfalls = new Map<string, Shortfall>()
  #calls: number

  constructor(
    ledger: Ledger,
    run: { id: string; term: number },
    budget: Budget,
    taken: Map<string, number>,
    /** calls of steps so far */
    calls: number,
    state: RunState,
    raises: Raises = NO_RAISES,
  ) {
    this.#raises = raises
    this.#state = state
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

  raise(more: Raises): void {
    this.#raises = added(this.#raises, more)
    this.#shortfalls.clear()
  }

  /** With what people gave it besides. */
  limitOf(what: BudgetLimit): number | undefined {
    const limit = this.#budget[what]
    return limit === undefined && this.#raises[what] === 0 ? undefined : (limit ?? 0) + this.#raises[what]
  }

  /** Why the last call of this step did not fit, once. */
  takeShortfall(step: string): Shortfall | undefined {
    const found = this.#shortfalls.get(step)
    this.#shortfalls.delete(step)
    return found
  }

  #lacks(step: string, { depth }: Spend, shortfall: Shortfall): void {
    // A tool that makes calls has started: its step cannot wait any more.
    if (depth === 0) this.#shortfalls.set(step, shortfall)
  }

  /** The step pays for its own call. A call made by its tool pays for itself. */
  reserve(step: string, spend: Spend): undefined | string | Promise<undefined | string> {
    const { call, tool, depth, cost } = spend
    const [calls, money] = [this.limitOf('calls'), this.limitOf('money')]
    if (calls !== undefined && this.#calls >= calls) {
      this.#lacks(step, spend, { what: 'calls', limit: calls, spent: this.#calls, raise: this.#openSteps() })
      return `The run may make ${calls} calls, and ${tool} would be one more.`
    }
    if (!(cost >= 0)) return `It would cost ${cost}, which is not an amount.`
    this.#calls++
    const key = keyOf(step, spend)
    const pay = (): undefined | string | Promise<undefined | string> => {
      if (cost === 0 || this.#taken.has(key)) return undefined
      if (money === undefined) {
        this.#lacks(step, spend, { what: 'money', limit: 0, spent: 0, raise: cost })
        return `It may cost ${cost}, and the run was given no budget of money.`
      }
      return this.#take(key, cost, money, step, spend)
    }
    return calls === undefined || depth === 0 ? pay() : this.#note(call, pay)
  }

  async #note(call: string, pay: () => undefined | string | Promise<undefined | string>): Promise<undefined | string> {
    await this.#ledger.runs.reserve(this.#run, this.#term, CALL + call, 0, Number.MAX_VALUE)
    return pay()
  }

  /** At least one: what asks for more is one of them. */
  #openSteps(): number {
    const steps = this.#state.plan?.steps ?? []
    return Math.max(1, steps.filter((step) => !isDone(this.#state, step)).length)
  }

  async #take(key: string, cost: number, money: number, step: string, spend: Spend): Promise<undefined | string> {
    // Set before the first await, so that a second call of the same step does not pay again.
    this.#taken.set(key, cost)
    try {
      if (await this.#ledger.runs.reserve(this.#run, this.#term, key, cost, money + TINY)) return undefined
    } catch (thrown) {
      this.#taken.delete(key)
      throw thrown
    }
    this.#taken.delete(key)
    const { spent } = this
    this.#lacks(step, spend, {
      what: 'money',
      limit: money,
      spent,
      raise: Math.ceil((cost + spent - money) * 100 - TINY) / 100,
    })
    return `It may cost ${cost}, and of the run's budget of ${money} only ${round(money - spent)} is left.`
  }

  async settle(step: string, spend: Spend): Promise<void> {
    const key = keyOf(step, spend)
    const taken = this.#taken.get(key) ?? 0
    // An attempt without effect does not say that an earlier one had none.
    const cost = spend.cost === 0 && this.#state.uncertain.has(step) ? taken : spend.cost
    await this.#change(key, taken, cost)
  }

  /** The call of the step was undone: what it and the calls of its tool spent is returned. */
  async release(step: string): Promise<void> {
    for (const [key, taken] of [...this.#taken]) {
      if (!isSubCall(key) && stepOf(key) === step) await this.#change(key, taken, 0)
    }
  }

  /** What a process that died could not release anymore, by the results in the ledger. */
  async catchUp(toolOf: (name: string) => Tool | undefined): Promise<void> {
    const { attempts, uncertain } = this.#state
    for (const [id, { tool: name, call_id: call, result }] of attempts) {
      if (isUndo(id)) continue
      if (isUndone(this.#state, id)) {
        await this.release(id)
        continue
      }
      const tool = toolOf(name)
      if (result === null || tool === undefined || isFreeTool(tool)) continue
      const reserved = this.#taken.get(id) ?? 0
      await this.settle(id, { call, tool: name, depth: 0, cost: spentBy(tool, result, reserved) })
    }
    // The record of an attempt is written before its tool starts, so a step without one did nothing.
    for (const key of [...this.#taken.keys()]) {
      if (!isSubCall(key) && !attempts.has(stepOf(key)) && !uncertain.has(stepOf(key))) await this.release(stepOf(key))
    }
  }

  async #change(key: string, taken: number, cost: number): Promise<void> {
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
