/** One call on its way through the gates, and the context its tool is given. */
import type { InputResponses, LogLevel } from '../protocol/content.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import { isObject } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { META } from '../protocol/versions.ts'
import type { Context, WorkContext } from '../tool/context.ts'
import type { Tool } from '../tool/tool.ts'
import type { Caller } from './caller.ts'
import { nextCallId } from './id.ts'
import type { Pipeline } from './pipeline.ts'
import { RequestScope } from './scope.ts'

const NONE: InputResponses = Object.freeze({})

export class Call extends RequestScope implements Context {
  readonly id: string = nextCallId()
  readonly pipeline: Pipeline
  readonly tool: Tool
  /** as the caller sent them */
  readonly args: unknown
  /** 0 for a call from outside, one more for each `ctx.call` it came through */
  readonly depth: number
  /** what `validate` made of the arguments */
  input: unknown = undefined
  answers: InputResponses = NONE
  /** set by the server on calls that turn into tasks once their tool starts */
  onStart: (() => void) | undefined = undefined

  constructor(pipeline: Pipeline, tool: Tool, caller: Caller, args: unknown, meta: Params | undefined, depth: number) {
    super(caller, meta)
    this.pipeline = pipeline
    this.tool = tool
    this.args = args
    this.depth = depth
  }

  get context(): WorkContext {
    const given = this.meta[META.context]
    return isObject(given) ? (given as WorkContext) : {}
  }

  get idempotencyKey(): string | undefined {
    const key = this.meta[META.idempotencyKey]
    return typeof key === 'string' ? key : undefined
  }

  override log(level: LogLevel, data: unknown, logger: string = this.tool.name): void {
    super.log(level, data, logger)
  }

  call(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    return this.pipeline.subCall(this, name, args)
  }
}
