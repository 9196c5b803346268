/** Calls a tool of a server in this process with the envelopes of the specification, through the pipeline. */
import type { ToolCall, ToolResult } from '../protocol/envelope.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { LOCAL, type Principal } from '../tool/context.ts'
import { plainCaller } from './exchange.ts'
import { callToResult, readToolCall } from './methods/batch.ts'
import type { Server } from './server.ts'

export interface CallToolOptions {
  /** on whose behalf; default: the local user */
  principal?: Principal
  /** request metadata, by full key, such as `myrmex/idempotencyKey` */
  meta?: Readonly<Params>
}

/**
 * Always returns a ToolResult: a malformed call is a failure with ValidationError, a call of an unknown tool one with ToolNotFoundError. The
 * tool is found by its canonical, flat or bare name.
 */
export function callTool(
  server: Server,
  toolCall: ToolCall,
  { principal = LOCAL, meta }: CallToolOptions = {},
): Promise<ToolResult> {
  const read = (entry: unknown) => ({ ...readToolCall(entry), ...(meta !== undefined && { meta: { ...meta } }) })
  return callToResult(server, toolCall, read, plainCaller('direct', principal))
}
