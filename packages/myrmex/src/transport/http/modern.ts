/** POST of a modern message: stateless, one request per POST. Closing the stream cancels the request. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPromise } from '../../pipeline/outcome.ts'
import { CODE, RpcError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { classify, fromRpcError, type Request } from '../../protocol/jsonrpc.ts'
import { isLegacyVersion, META } from '../../protocol/versions.ts'
import { encode } from '../../server/results/encode.ts'
import type { Server } from '../../server/server.ts'
import type { Reply } from '../../server/session.ts'
import type { Principal } from '../../tool/context.ts'
import type { TransportName } from '../transport-name.ts'
import { writeWithGroup } from './grouped-write.ts'
import { checkMirroredHeaders, headerMismatch } from './mirrored-headers.ts'
import type { OpenStreams } from './open-streams.ts'
import type { ProtectedResource } from './protected-resource.ts'
import { RequestStream, sendError, sendJson } from './reply.ts'

/** Modern by its body, or by a header that names no legacy revision. */
export function isModern(request: IncomingMessage, body: unknown): boolean {
  if (
    isObject(body) &&
    isObject(body.params) &&
    isObject(body.params._meta) &&
    META.protocolVersion in body.params._meta
  )
    return true
  const version = request.headers['mcp-protocol-version']
  return version !== undefined && !isLegacyVersion(version) && request.headers['mcp-session-id'] === undefined
}

export function postModern(
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
  principal: Principal,
  resource: ProtectedResource | undefined,
  streams: OpenStreams,
): void {
  const kind = classify(body)
  if (typeof kind !== 'string') return sendJson(response, 400, encode(kind))
  if (kind === 'response')
    return sendError(response, 400, 'Invalid Request: clients do not send responses in this revision')
  if (kind === 'request') {
    try {
      checkMirroredHeaders(request.headers, body as Request)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return sendJson(response, 400, encode(fromRpcError((body as Request).id, error)))
    }
  }
  const stream = new RequestStream(response, headerMismatch(request.headers), resource)
  const session = server.session('http' satisfies TransportName, stream, principal)
  const reply = session.receive(body)
  if (!isPromise(reply)) return writeWithGroup(reply, () => stream.end(reply, statusOf(reply)))
  // Nobody else's rights can end while a short request runs.
  const isWatched = principal.kind === 'bearer' || (body as Request).method === 'subscriptions/listen'
  const forget = isWatched
    ? streams.add(principal, () => session.close('the rights of the caller ended'), response)
    : undefined
  response.on('close', () => {
    forget?.()
    session.close('the client closed the stream')
  })
  reply.then((late) => writeWithGroup(late, () => stream.end(late, statusOf(late))))
}

/** The HTTP status of a JSON-RPC error. Errors of the method itself are not HTTP errors. */
function statusOf(reply: Reply): number {
  if (reply === undefined || Array.isArray(reply) || !('error' in reply)) return 200
  switch (reply.error.code) {
    case CODE.methodNotFound:
      return 404
    case CODE.invalidRequest:
    case CODE.missingCapability:
    case CODE.unsupportedVersion:
    case CODE.headerMismatch:
      return 400
    case CODE.invalidParams:
      return isObject(reply.error.data) && reply.error.data.field === '_meta' ? 400 : 200
    default:
      return 200
  }
}
