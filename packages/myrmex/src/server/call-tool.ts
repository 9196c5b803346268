/** Calls a tool of a server in this process with the envelopes of the specification, through the pipeline. */
import { failure } from '../pipeline/outcome.ts'
import type { ToolCall, ToolResult } from '../protocol/envelope.ts'
import { toErrorDetail } from '../protocol/errors.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { checkOptions, isObjectOption, type OptionChecks } from '../tool/check-options.ts'
import { LOCAL, type Principal } from '../tool/context.ts'
import { isPrincipal } from '../tool/principal.ts'
import { plainCaller } from './exchange.ts'
import { callToResult, readToolCall } from './methods/batch.ts'
import type { Server } from './server.ts'

export interface CallToolOptions {
  /** on whose behalf; default: the local user. All but the local user must have scopes */
  principal?: Principal
  /** request metadata, by full key, such as `myrmex/idempotencyKey` */
  meta?: Readonly<Params>
}

const CHECKS: OptionChecks<CallToolOptions> = { principal: isPrincipal, meta: isObjectOption }

/**
 * Always returns a ToolResult: a malformed call, or options that are not valid, are a failure with ValidationError, a call of an unknown tool
 * one with ToolNotFoundError. The tool is found by its canonical, flat or bare name.
 */
export async function callTool(server: Server, toolCall: ToolCall, options: CallToolOptions = {}): Promise<ToolResult> {
  try {
    checkOptions('callTool()', options, CHECKS, 'ValidationError')
  } catch (thrown) {
    return failure(toErrorDetail(thrown, '')).toResult()
  }
  const { principal = LOCAL, meta } = options
  const read = (entry: unknown) => ({ ...readToolCall(entry), ...(meta !== undefined && { meta: { ...meta } }) })
  return callToResult(server, toolCall, read, plainCaller('direct', principal))
}
