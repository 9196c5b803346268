/**
 * The dry run of a call before a person is asked to approve it: what can be judged is judged first, so that no approval is requested for, or
 * used up by, a call that would fail. It is no call of its own: it has no audit record, reports no progress and cannot ask the client. What it
 * calls in turn are dry runs.
 */
import { ToolError } from '../protocol/errors.ts'
import { META } from '../protocol/versions.ts'
import type { CallState, RequestInfo } from '../tool/context.ts'
import { Call } from './call.ts'
import type { Caller } from './caller.ts'
import type { Step } from './gate.ts'
import { explained } from './gates/dry-run.ts'
import { type CallEnd, Outcome } from './outcome.ts'

const JUDGED_FIRST = 'Its dry run failed, so no approval was requested or used.'

/** The end of the call if its dry run failed; undefined if it succeeded, or could not judge the call. `chain` runs the dry run. */
export async function rehearse(call: Call, chain: Step): Promise<CallEnd | undefined> {
  const rehearsal = new Rehearsal(call)
  const stop = { handleEvent: () => call.interrupted && rehearsal.interrupt(call.interrupted) }
  call.addEventListener('abort', stop)
  try {
    const ended = await chain(rehearsal)
    // Only the call itself may ask its client: the dry run cannot judge it.
    if (rehearsal.hasAsked) return undefined
    if (ended instanceof Outcome && ended.status !== 'failure') return undefined
    if (rehearsal.notes.cause !== null) call.note({ cause: rehearsal.notes.cause })
    return ended instanceof Outcome ? explained(ended, JUDGED_FIRST) : ended
  } finally {
    call.removeEventListener('abort', stop)
  }
}

class Rehearsal extends Call {
  /** errors refer to the call */
  override readonly id: string
  readonly #call: Call
  readonly #caller: QuietCaller

  constructor(call: Call) {
    const caller = new QuietCaller(call)
    super(call.pipeline, call.tool, caller, call.args, { ...call.meta, [META.dryRun]: true }, call.depth)
    this.id = call.id
    this.time = call.time
    this.input = call.input
    this.shareAnswersOf(call)
    this.#call = call
    this.#caller = caller
  }

  override get state(): CallState {
    return this.#call.state
  }

  get hasAsked(): boolean {
    return this.#caller.hasAsked
  }
}

/** The caller of a rehearsal: it gets no progress and no questions. */
class QuietCaller implements Caller {
  readonly transport: string
  readonly principal: Caller['principal']
  readonly client: Caller['client']
  readonly runContext?: NonNullable<Caller['runContext']>
  readonly connection: object
  readonly level: Caller['level']
  readonly log: Caller['log']
  readonly #caller: Caller
  hasAsked = false

  constructor({ caller, session }: Call) {
    this.#caller = caller
    this.transport = caller.transport
    this.principal = caller.principal
    this.client = caller.client
    if (caller.runContext !== undefined) this.runContext = caller.runContext
    this.connection = session
    this.level = caller.level
    this.log = (level, data, logger) => caller.log(level, data, logger)
  }

  get request(): RequestInfo | undefined {
    return this.#caller.request
  }

  notify(): void {}

  ask(): never {
    this.hasAsked = true
    throw ToolError.of('UnavailableError', 'A dry run before an approval cannot ask the client.')
  }

  disconnect(): boolean {
    return true
  }
}
