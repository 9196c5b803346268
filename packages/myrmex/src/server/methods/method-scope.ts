/** The context of a custom method: its request, and tool calls through the pipeline. */
import type { Pipeline } from '../../pipeline/pipeline.ts'
import { RequestScope } from '../../pipeline/request-scope.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import type { MethodContext } from '../../tool/context.ts'
import type { Exchange } from '../exchange.ts'

export class MethodScope extends RequestScope implements MethodContext {
  readonly depth = 0
  readonly #pipeline: Pipeline

  constructor(pipeline: Pipeline, exchange: Exchange) {
    super(exchange, exchange.meta)
    this.#pipeline = pipeline
  }

  call(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    return this.#pipeline.subCall(this, name, args)
  }
}
