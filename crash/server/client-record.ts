/** The answers that clients of one ledger got, over all lives of its servers: nothing of this may be lost. */
import { isDeepStrictEqual } from 'node:util'
import type { Problems } from '../problems.ts'
import { type CallAnswer, describeAnswer, isUnknown, isWithheld } from './answer.ts'

export interface RecordedAnswer {
  readonly tool: string
  /** of the requested effect; it is in the arguments */
  readonly id: string
  readonly told: CallAnswer
}

/** A call that may be sent again and again, under its key. */
export interface KeyedCall {
  readonly id: string
  readonly key: string
  readonly tool: 'crash.charge' | 'crash.put' | 'crash.look'
  readonly args: Readonly<Record<string, unknown>>
  /** its outcome, after a caller got the answer */
  outcome?: CallAnswer
}

/** Keyed calls that are sent together, under the key of the whole. */
export interface Batch {
  readonly key: string
  readonly calls: readonly KeyedCall[]
}

/** One exact call that needs an approval each time it runs; with a key, it runs once. */
export interface Order {
  readonly id: string
  readonly key: string | undefined
  readonly args: Readonly<Record<string, unknown>>
  /** waiting approvals that a caller knows of */
  readonly waiting: Set<string>
  /** how many were approved, or may have been */
  approved: number
  /** calls that ran, and whose caller got an answer */
  readonly ran: Set<string>
}

/** Callers come back for so many orders, the newest ones. */
export const RECENT = 30

export interface SeenTask {
  readonly id: string
  readonly tool: string
  /** of the thing asked for */
  readonly thing: string
  status: string
  result: unknown
}

export interface Tally {
  readonly answers: number
  /** answers that told nothing, because the ledger could not be reached in time */
  readonly withheld: number
  /** requests on their way when their server died */
  readonly cutOff: number
  readonly keys: number
  /** keys of which nobody knows what came of them */
  readonly unknown: number
  readonly approvals: number
  readonly tasks: number
  /** tasks that ended with their server */
  readonly orphans: number
}

export class ClientRecord {
  readonly problems: Problems
  /** every answer to a call */
  readonly answers: RecordedAnswer[] = []
  readonly keyed: KeyedCall[] = []
  readonly batches: Batch[] = []
  /** in the order of their first answers */
  readonly answeredKeys: KeyedCall[] = []
  readonly orders = new Map<string, Order>()
  readonly tasks = new Map<string, SeenTask>()
  withheld = 0
  cutOff = 0
  /** why answers were withheld, as the caller and the server report it */
  reason: string | undefined
  complaint: string | undefined

  constructor(problems: Problems) {
    this.problems = problems
  }

  note(tool: string, id: string, told: CallAnswer): void {
    if (isWithheld(told)) {
      this.withheld++
      this.reason ??= told.message
    } else this.answers.push({ tool, id, told })
  }

  /** A call whose only right answer is this one. */
  expect(tool: string, id: string, told: CallAnswer, errorType?: string): void {
    this.note(tool, id, told)
    if (told.errorType !== errorType && !isWithheld(told))
      this.problems.losing(`${tool} ${id} was answered by ${describeAnswer(told)}`)
  }

  /** Every answer to one key is the same, for ever. */
  settle(call: KeyedCall, told: CallAnswer): void {
    this.note(call.tool, call.id, told)
    if (isUnknown(told) && call.tool !== 'crash.charge')
      this.problems.losing(`${call.tool} ${call.id} may run again, and is called unknown: ${describeAnswer(told)}`)
    if (isWithheld(told)) return
    const before = call.outcome
    call.outcome = told
    if (before === undefined) this.answeredKeys.push(call)
    if (before === undefined || sameOutcome(before, told)) return
    const both = `first ${describeAnswer(before)}, then ${describeAnswer(told)}`
    if (isUnknown(told)) this.problems.losing(`${call.tool} ${call.id} is forgotten: ${both}`)
    else this.problems.doubling(`key ${call.key} of ${call.tool} ${call.id} has two results: ${both}`)
  }

  /** Keyed calls and batches whose answer nobody got. */
  get unanswered(): { calls: KeyedCall[]; batches: Batch[] } {
    const open = ({ outcome }: KeyedCall): boolean => outcome === undefined
    const together = new Set(this.batches.flatMap(({ calls }) => calls))
    return {
      calls: this.keyed.filter((call) => open(call) && !together.has(call)),
      batches: this.batches.filter(({ calls }) => calls.some(open)),
    }
  }

  /** How much of what there was, to show that the test has tried it. */
  get tally(): Tally {
    const tasks = [...this.tasks.values()]
    return {
      answers: this.answers.length,
      withheld: this.withheld,
      cutOff: this.cutOff,
      keys: this.keyed.length,
      unknown: this.keyed.filter(({ outcome }) => outcome !== undefined && isUnknown(outcome)).length,
      approvals: [...this.orders.values()].reduce((sum, { approved }) => sum + approved, 0),
      tasks: tasks.length,
      orphans: tasks.filter(({ status }) => status === 'failed').length,
    }
  }

  order(id: string, args: Order['args'], key: string | undefined): Order {
    const order: Order = { id, key, args, waiting: new Set(), approved: 0, ran: new Set() }
    this.orders.set(id, order)
    return order
  }

  paid(order: Order, told: CallAnswer): void {
    this.note('crash.pay', order.id, told)
    if (told.status === 'success') order.ran.add((told.data as { call: string }).call)
    else if (told.errorType === 'PermissionError') order.waiting.add(String(told.details.approval))
    else if (!isWithheld(told) && !(isUnknown(told) && order.key !== undefined))
      this.problems.losing(`crash.pay ${order.id} was answered by ${describeAnswer(told)}`)
  }
}

const sameOutcome = (a: CallAnswer, b: CallAnswer): boolean =>
  a.status === b.status && a.errorType === b.errorType && isDeepStrictEqual(a.data, b.data)
