/** A request for a resource, a prompt or a method on its way through the gates: a call whose work comes with the request. */
import type { JsonObject } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { Tool } from '../tool/tool.ts'
import { Call } from './call.ts'
import type { Caller } from './caller.ts'
import type { Pipeline } from './pipeline.ts'

/** The work of a request, after every gate has let it pass. It returns the result for the wire. */
export type RequestWork = (call: RequestCall) => unknown

export class RequestCall extends Call {
  readonly #work: RequestWork

  /** `args` is what is recorded of the request: its method and params. */
  constructor(
    pipeline: Pipeline,
    definition: Tool,
    caller: Caller,
    args: JsonObject,
    meta: Params | undefined,
    work: RequestWork,
  ) {
    super(pipeline, definition, caller, args, meta, 0)
    this.#work = work
  }

  work(): unknown {
    return this.#work(this)
  }
}
