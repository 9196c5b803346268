/**
 * Calls without MCP, for scripts and other languages: `POST /call` takes a ToolCall, `POST /batch` many of them. Every answer is a
 * ToolResult, or a list of them: `sendError` writes one for what is not a call.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../pipeline/caller.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { errorTypesWhere, httpStatusOf } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { MAX_BATCH } from '../../protocol/message-limits.ts'
import { clip } from '../../protocol/text.ts'
import { type CallerSource, plainCaller } from '../../server/exchange.ts'
import { batchCaller, callToResult, readToolCall, runBatch, type SharedMeta } from '../../server/methods/batch.ts'
import type { Server } from '../../server/server.ts'
import type { Principal } from '../../tool/context.ts'
import type { TransportName } from '../transport-name.ts'
import type { ProtectedResource } from './protected-resource.ts'
import { sendChallenged, sendError, sendJson } from './reply.ts'
import { requestInfo } from './request-info.ts'

const HTTP: TransportName = 'http'

/** `Idempotency-Key` of the IETF draft: a repeated request returns the recorded result. */
const keyOf = ({ headers }: IncomingMessage): string | undefined => {
  const key = headers['idempotency-key']
  return typeof key === 'string' ? key : undefined
}

/** A dry run, for requests without `_meta`. */
const dryRunOf = ({ headers }: IncomingMessage): true | undefined =>
  headers['myrmex-dry-run'] === 'true' ? true : undefined

/** A value that is neither true nor false may have meant a dry run, so nothing is run. */
function badDryRun({ headers }: IncomingMessage): string | undefined {
  const asked = headers['myrmex-dry-run']
  if (asked === undefined || asked === 'true' || asked === 'false') return undefined
  return `The header Myrmex-Dry-Run must be true or false, not ${JSON.stringify(clip(String(asked), MAX_SHOWN))}. Nothing was run.`
}

const MAX_SHOWN = 100

const sourceOf = (request: IncomingMessage, response: ServerResponse): CallerSource => ({
  get request() {
    return requestInfo(request)
  },
  // At once, where the event `close` comes later.
  get isAway() {
    return response.destroyed
  },
})

/** While calls are held open: whether their client has left. */
const goneOf =
  (response: ServerResponse): NonNullable<Caller['onGone']> =>
  (listener) => {
    const closed = (): void => {
      if (!response.writableEnded) listener()
    }
    if (response.destroyed) closed()
    response.once('close', closed)
    return () => response.off('close', closed)
  }

const sharedMeta = (request: IncomingMessage): SharedMeta => ({ key: keyOf(request), dryRun: dryRunOf(request) })

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
  /** the token is of its issuer */
  resource?: ProtectedResource,
) => Promise<void>

export const postCall: PlainHandler = async (server, request, response, body, principal, resource) => {
  const malformed = badDryRun(request)
  if (malformed !== undefined) return sendError(response, 400, malformed)
  let challenge: string | undefined
  const caller: Caller = plainCaller(HTTP, principal, { source: sourceOf(request, response), onGone: goneOf(response) })
  if (resource !== undefined) {
    caller.outOfScope = (missing) => {
      challenge = resource.insufficientScope(request, missing)
    }
  }
  const result = await callToResult(server, body, readToolCall, caller, sharedMeta(request))
  sendChallenged(response, challenge, statusOf(result), JSON.stringify(result))
}

export const postBatch: PlainHandler = async (server, request, response, body, principal) => {
  const malformed = badDryRun(request)
  if (malformed !== undefined) return sendError(response, 400, malformed)
  const calls = isObject(body) ? body.calls : body
  if (!Array.isArray(calls) || calls.length > MAX_BATCH) {
    return sendError(response, 400, `A batch is {"calls": [ToolCall, …]} with at most ${MAX_BATCH} of them`)
  }
  const result = await runBatch(
    server,
    calls,
    readToolCall,
    batchCaller(HTTP, principal, sourceOf(request, response), goneOf(response)),
    sharedMeta(request),
  )
  sendJson(response, 200, JSON.stringify(result))
}
