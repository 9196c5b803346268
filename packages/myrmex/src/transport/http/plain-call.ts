/** Calls without MCP, for scripts and other languages: `POST /call` takes a ToolCall, `POST /batch` many of them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { failure } from '../../pipeline/outcome.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { errorTypesWhere, httpStatusOf } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { MAX_BATCH } from '../../protocol/message-limits.ts'
import { plainCaller } from '../../server/exchange.ts'
import { batchCaller, callToResult, readToolCall, runBatch } from '../../server/methods/batch.ts'
import type { Server } from '../../server/server.ts'
import type { Principal } from '../../tool/context.ts'
import type { TransportName } from '../transport-name.ts'
import { sendJson } from './reply.ts'

const HTTP: TransportName = 'http'

/** `Idempotency-Key` of the IETF draft: a repeated request returns the recorded result. */
const keyOf = ({ headers }: IncomingMessage): string | undefined => {
  const key = headers['idempotency-key']
  return typeof key === 'string' ? key : undefined
}

const NOT_A_CALL = errorTypesWhere('notACall')

/** The envelope has the result. The status only shows whether it was a valid call. */
const statusOf = (result: ToolResult): number =>
  result.error !== null && NOT_A_CALL.has(result.error.error_type)
    ? (httpStatusOf(result.error.error_type) ?? 200)
    : 200

export type PlainHandler = (
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
  principal: Principal,
) => Promise<void>

export const postCall: PlainHandler = async (server, request, response, body, principal) => {
  const result = await callToResult(server, body, readToolCall, plainCaller(HTTP, principal), keyOf(request))
  sendJson(response, statusOf(result), JSON.stringify(result))
}

export const postBatch: PlainHandler = async (server, request, response, body, principal) => {
  const calls = isObject(body) ? body.calls : body
  if (!Array.isArray(calls) || calls.length > MAX_BATCH) {
    const error_message = `A batch is {"calls": [ToolCall, …]} with at most ${MAX_BATCH} of them`
    return sendJson(response, 400, JSON.stringify(failure({ error_type: 'ValidationError', error_message }).toResult()))
  }
  const result = await runBatch(server, calls, readToolCall, batchCaller(HTTP, principal), keyOf(request))
  sendJson(response, 200, JSON.stringify(result))
}
