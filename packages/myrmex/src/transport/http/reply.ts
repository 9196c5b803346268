/** Writes one HTTP answer: JSON, or an SSE stream if there is more to send. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { failure } from '../../pipeline/outcome.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { CODE, type ErrorType } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { errorResponse, type Message } from '../../protocol/jsonrpc.ts'
import { encode } from '../../server/results/encode.ts'
import type { Channel, Reply } from '../../server/session.ts'
import type { RequestInfo } from '../../tool/context.ts'
import type { HeaderMismatch } from '../../tool/headers.ts'
import { HeldNotifications, isNotification, SLOW_BYTES } from '../held-notifications.ts'
import type { ProtectedResource } from './protected-resource.ts'
import { requestInfo } from './request-info.ts'

export function sendJson(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent || response.destroyed) return
  const bytes = Buffer.byteLength(text)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes })
  // Equal counts mean ASCII, which need not be encoded.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8')
}

/** An answer to a request out of scope is 403 for a client that can ask for more scopes. Others read only the answer. */
export function sendChallenged(
  response: ServerResponse,
  challenge: string | undefined,
  status: number,
  text: string,
): void {
  if (challenge === undefined) return sendJson(response, status, text)
  response.setHeader('www-authenticate', challenge)
  sendJson(response, 403, text)
}

/** More about an error: its type, if the status does not tell, and details such as `retry_after_ms`. */
interface ErrorParts extends JsonObject {
  error_type?: string
}

/** An error of the transport: a JSON-RPC error, or a ToolResult on the paths whose callers know nothing of JSON-RPC. */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  code: number = CODE.invalidRequest,
  parts?: ErrorParts,
): void {
  const path = pathOf(response.req)
  if (TOOL_RESULT_PATH.test(path))
    return sendJson(response, status, JSON.stringify(toolFailure(status, message, parts)))
  if (API_PATH.test(path)) return sendJson(response, status, JSON.stringify(toolFailure(status, message, parts).error))
  sendJson(response, status, encode(errorResponse(undefined, code, message, parts)))
}

/** Every answer there is a ToolResult, even if there was no call. */
const TOOL_RESULT_PATH = /^(?:\/p\/[^/]+)?\/(?:call|batch)$/

/** Every error there is an ErrorDetail. */
const API_PATH = /^\/api(?:\/|$)/

const TYPES: Readonly<Record<number, ErrorType>> = {
  401: 'AuthenticationError',
  403: 'PermissionError',
  500: 'ToolExecutionError',
  503: 'UnavailableError',
}

function toolFailure(status: number, error_message: string, parts: ErrorParts = {}): ToolResult {
  const { error_type = TYPES[status] ?? 'ValidationError', ...details } = parts
  const error_details = Object.keys(details).length === 0 ? null : details
  return failure({ error_type, error_message, error_details }).toResult()
}

/** Without its query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

export const queryOf = (request: IncomingMessage): URLSearchParams =>
  new URLSearchParams(request.url?.slice(pathOf(request).length))

/** Interval of comments that keep an open stream alive. */
const KEEP_ALIVE_MS = 15_000

export function openEventStream(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    ...headers,
  })
  response.flushHeaders()
  const timer = setInterval(() => {
    // A reader that is behind needs no sign of life.
    if (!response.writableEnded && response.writableLength === 0) response.write(':\n\n')
  }, KEEP_ALIVE_MS).unref()
  response.on('close', () => clearInterval(timer))
}

export const sseEvent = (data: string, id?: string): string =>
  id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`

/**
 * Writes messages as events of one response. While its reader is behind, only the latest of each kind of notification is kept, and
 * written when it has caught up, or before the next message that is none.
 */
export class EventWriter {
  readonly #response: ServerResponse
  readonly #write: (message: Message) => void
  readonly #held = new HeldNotifications()
  #isWaiting = false

  /** `write` writes one message to the response. */
  constructor(response: ServerResponse, write: (message: Message) => void) {
    this.#response = response
    this.#write = write
  }

  send(message: Message): void {
    if (this.#response.writableLength > SLOW_BYTES && isNotification(message)) {
      this.#held.hold(message)
      if (this.#isWaiting) return
      this.#isWaiting = true
      this.#response.once('drain', () => {
        this.#isWaiting = false
        this.flush()
      })
      return
    }
    this.flush()
    this.#write(message)
  }

  /** Writes what is held. */
  flush(): void {
    if (this.#held.isEmpty || this.#response.destroyed || this.#response.writableEnded) return
    for (const message of this.#held.take()) this.#write(message)
  }
}

/** The stream of one modern request: plain JSON unless something is sent before the answer. */
export class RequestStream implements Channel {
  readonly headerMismatch: HeaderMismatch
  readonly #response: ServerResponse
  readonly #resource: ProtectedResource | undefined
  #events: EventWriter | undefined
  #challenge: string | undefined

  /** `resource`: the token of the request is of its issuer. */
  constructor(response: ServerResponse, mismatch: HeaderMismatch, resource?: ProtectedResource) {
    this.#response = response
    this.headerMismatch = mismatch
    this.#resource = resource
  }

  outOfScope(missing: string): void {
    this.#challenge = this.#resource?.insufficientScope(this.#response.req, missing)
  }

  get request(): RequestInfo {
    return requestInfo(this.#response.req)
  }

  send(message: Message): void {
    if (this.#isOver) return
    if (!this.#response.headersSent) openEventStream(this.#response)
    this.#events ??= new EventWriter(this.#response, (one) => this.#response.write(sseEvent(encode(one))))
    this.#events.send(message)
  }

  end(reply: Reply, status: number): void {
    if (this.#isOver) return
    // Progress must not come after its result.
    this.#events?.flush()
    if (reply === undefined) this.#response.headersSent ? this.#response.end() : this.#response.writeHead(202).end()
    else if (this.#response.headersSent) this.#response.end(sseEvent(encode(reply)))
    else sendChallenged(this.#response, this.#challenge, status, encode(reply))
  }

  /** A tool may report progress after its request has ended. */
  get #isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }
}
