/**
 * The pipeline: the one way to a tool. Wire, batch, task, `ctx.call` and agents all come through `call`; there is no
 * other function that runs a tool.
 */
import type { ToolResult } from '../protocol/envelope.ts'
import { RpcError, ToolError, toErrorDetail } from '../protocol/errors.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { Registry } from '../tool/registry.ts'
import type { Tool } from '../tool/tool.ts'
import { ask } from './ask.ts'
import { Call } from './call.ts'
import type { Caller } from './caller.ts'
import { check } from './check.ts'
import { compose } from './compose.ts'
import { deadline } from './deadline.ts'
import { find } from './find.ts'
import type { Gate, Step } from './gate.ts'
import { type Ended, failure, InputRequired, Outcome } from './outcome.ts'
import { MemoryRecorder, type Recorder, recordInto } from './record.ts'
import { run } from './run.ts'
import { validate } from './validate.ts'

/** The gates in the order a call meets them. `find` comes before all; `record`, written last, stands around the rest. */
export const GATES: readonly { readonly name: string; readonly gate: Gate }[] = [
  { name: 'validate', gate: validate },
  { name: 'ask', gate: ask },
  { name: 'deadline', gate: deadline },
  { name: 'check', gate: check },
  { name: 'run', gate: run },
]

/** A tool that calls a tool that calls a tool: a chain this long is a loop. */
const MAX_DEPTH = 32

/** What went wrong inside, for the log: never for the caller. */
export interface Observed {
  readonly call_id: string
  readonly tool: string
  readonly thrown: unknown
}

export interface PipelineOptions {
  recorder?: Recorder
  /** hears of everything a tool threw that it did not declare */
  observe?: (observed: Observed) => void
}

export class Pipeline {
  readonly registry: Registry
  readonly recorder: Recorder
  readonly #observe: ((observed: Observed) => void) | undefined
  readonly #gates: readonly Gate[]
  /** A tool is frozen, so what was composed for it holds until the registry changes. */
  readonly #chains = new Map<Tool, Step>()

  constructor(registry: Registry, options: PipelineOptions = {}) {
    this.registry = registry
    this.recorder = options.recorder ?? new MemoryRecorder()
    this.#observe = options.observe
    this.#gates = [recordInto(this.recorder), ...GATES.map(({ gate }) => gate)]
    registry.onChange(() => this.#chains.clear())
  }

  /** Throws RpcError for a tool that is not there; everything else is in what it returns. */
  call(caller: Caller, name: string, args: unknown, meta?: Params): Ended | Promise<Ended> {
    return this.run(this.prepare(caller, name, args, meta))
  }

  /** The two halves of `call`, for the server, which may turn what is between them into a task. */
  prepare(caller: Caller, name: string, args: unknown, meta?: Params, depth = 0): Call {
    return new Call(this, find(this, caller, name, meta), caller, args, meta, depth)
  }

  run(call: Call): Ended | Promise<Ended> {
    const chain = this.#chains.get(call.tool) ?? this.#compose(call.tool)
    return chain(call)
  }

  async subCall(parent: Call, name: string, args: Record<string, unknown>): Promise<ToolResult> {
    if (parent.depth >= MAX_DEPTH) {
      throw new ToolError('ToolExecutionError', `${name} would be call number ${MAX_DEPTH} of a chain: a loop.`)
    }
    const { progressToken: _, 'myrmex/idempotencyKey': _key, 'myrmex/version': _range, ...meta } = parent.meta
    let call: Call
    try {
      call = this.prepare(parent.caller, name, args, meta, parent.depth + 1)
    } catch (thrown) {
      // No such tool: the calling tool's mistake, not its caller's.
      return failure(toErrorDetail(thrown, parent.id)).toResult()
    }
    const ended = await this.run(call)
    // Questions and protocol errors end the parent too: only its own request can carry them to the client.
    if (!(ended instanceof Outcome)) throw ended
    return ended.toResult()
  }

  observe(call: Call, thrown: unknown): void {
    if (this.#observe === undefined || thrown instanceof ToolError || thrown instanceof RpcError) return
    if (thrown instanceof InputRequired) return
    this.#observe({ call_id: call.id, tool: call.tool.name, thrown })
  }

  #compose(tool: Tool): Step {
    const chain = compose(this.#gates, tool)
    this.#chains.set(tool, chain)
    return chain
  }
}

/** A whole of many: success if all are, failure if none is, else partial_success. */
export function overall(results: readonly { status: Outcome['status'] }[]): Outcome['status'] {
  const failed = results.filter(({ status }) => status === 'failure').length
  if (failed === 0) return 'success'
  return failed === results.length ? 'failure' : 'partial_success'
}
