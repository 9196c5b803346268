/** One call on its way through the gates, and the context its tool is given. */

import type { PendingWrite } from '../ledger/audit/group.ts'
import { canonical } from '../protocol/canonical.ts'
import type { InputResponses, LogLevel } from '../protocol/content.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import { type RpcError, ToolError } from '../protocol/errors.ts'
import { isObject, pointer } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { META } from '../protocol/versions.ts'
import type { Context, WorkContext } from '../tool/context.ts'
import { sha256 } from '../tool/hash.ts'
import type { Tool } from '../tool/tool.ts'
import { nextCallId } from './call-id.ts'
import type { Caller } from './caller.ts'
import { unrecordedFailure } from './gates/record.ts'
import type { CallEnd } from './outcome.ts'
import type { Pipeline } from './pipeline.ts'
import { RequestScope } from './request-scope.ts'

const NONE: InputResponses = Object.freeze({})

export class Call extends RequestScope implements Context {
  readonly id: string = nextCallId()
  readonly pipeline: Pipeline
  readonly tool: Tool
  /** as the caller sent them */
  readonly args: unknown
  /** what the call that this one undoes has answered; undefined: it undoes nothing */
  readonly undoData: unknown
  /** 0 for a call from outside, one more for each `ctx.call` it came through */
  readonly depth: number
  /** why there is no tool to run; `tool` then only has its name */
  readonly notFound: RpcError | undefined
  /** milliseconds since the epoch; set as the call enters the pipeline */
  time = 0
  /** the approval or standing grant that lets it through */
  approval: string | null = null
  /** the call whose result this one was given, having the same idempotency key */
  repeatOf: string | null = null
  /** the call with the same idempotency key whose process died, and in whose place this one runs */
  takenOverCall: string | undefined = undefined
  /** what must be durable before the answer leaves; see `settle` */
  pendingWrite: PendingWrite | undefined = undefined
  /** what `validate` made of the arguments */
  input: unknown = undefined
  /** and of the data that is to be undone */
  undoInput: unknown = undefined
  answers: InputResponses = NONE
  #argsHash: string | undefined = undefined
  /** let through to be given an earlier result, and for nothing else */
  repeatsOnly = false
  /** its tool was begun: whatever came of it, it may have had an effect */
  started = false
  /** set by the server where the caller can be answered with a task while a human decides; nothing: it waits no more */
  onWait: ((message: string | undefined) => void | Promise<void>) | undefined = undefined
  /** set by the server on calls that turn into tasks once their tool starts */
  onStart: (() => void) | undefined = undefined
  /** set by the server on calls that may turn into tasks when their tool says so */
  onLater: (() => void) | undefined = undefined

  constructor(
    pipeline: Pipeline,
    tool: Tool,
    caller: Caller,
    args: unknown,
    meta: Params | undefined,
    depth: number,
    missing?: RpcError,
  ) {
    super(caller, meta)
    this.pipeline = pipeline
    this.tool = tool
    this.notFound = missing
    this.args = args
    this.depth = depth
    this.undoData = meta?.[META.undo]
  }

  get context(): WorkContext {
    const given = this.meta[META.context]
    return isObject(given) ? (given as WorkContext) : {}
  }

  /**
   * The step's where a run leads it, else the caller's own, or the place in a run of its own. What a tool calls in turn has
   * none: it may call the same tool twice.
   */
  get idempotencyKey(): string | undefined {
    const { runContext } = this.caller
    if (runContext !== undefined) return this.depth === 0 ? runContext.key : undefined
    const key = this.meta[META.idempotencyKey]
    if (typeof key === 'string') return key
    if (this.depth > 0 || this.meta[META.context] === undefined) return undefined
    const { run, step } = this.context
    if (typeof run !== 'string' || typeof step !== 'string' || run === '' || step === '') return undefined
    // Slashes within are written another way, so that no place reads like another.
    return pointer([run, step]).slice(1)
  }

  /** The arguments as people are shown them: those of an undoing stand beside what is undone. */
  get shownArguments(): unknown {
    return this.undoData === undefined ? this.args : { arguments: this.args ?? {}, undo: this.undoData }
  }

  /**
   * The arguments in one word: the same for every order of keys and form of numbers, another for anything else, and for
   * undoing what they did.
   */
  get argsHash(): string {
    if (this.#argsHash === undefined) {
      const { input, output } = this.tool
      // No arguments look like this: they begin with a bracket.
      const undoing = this.undoData === undefined ? '' : `undo ${canonical(this.undoData)}\n`
      const text = undoing + canonical(this.args ?? {})
      if (text.includes('null')) this.checkArgs()
      // A hash of something that can be guessed gives it away; with a key it does not.
      const isSecret = input.secrets.size > 0 || (undoing !== '' && output.secrets.size > 0)
      this.#argsHash = isSecret ? this.pipeline.ledger.key.mac(text) : sha256(text)
    }
    return this.#argsHash
  }

  /** Throws where they hold what JSON cannot: two calls would look the same that are not. */
  checkArgs(): void {
    if (!fitsJson(this.args) || !fitsJson(this.undoData)) throw tooLarge(this.tool.name)
  }

  later(): void {
    this.onLater?.()
  }

  /** There is an end, and its line is still to be written. */
  get isPending(): boolean {
    return this.pendingWrite !== undefined && !this.pendingWrite.isCommitted
  }

  /**
   * How the call ended, as it may be told: its line is durable when this returns. Whoever lets an answer out asks for it
   * here; the first answer of a group writes the whole group.
   */
  commit(ended: CallEnd): CallEnd {
    if (this.pendingWrite === undefined) return ended
    try {
      this.pendingWrite.commit()
      return ended
    } catch {
      // The ledger has told the log why.
      return unrecordedFailure(this.started)
    }
  }

  override log(level: LogLevel, data: unknown, logger: string = this.tool.name): void {
    super.log(level, data, logger)
  }

  call(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    return this.pipeline.subCall(this, name, args)
  }
}

/** JSON has null for what JSON.parse made of 1e400. */
function fitsJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(fitsJson)
}

const tooLarge = (name: string): ToolError =>
  ToolError.of('ValidationError', `A number in the arguments of ${name} is too large to be one. Send it as a text.`)
