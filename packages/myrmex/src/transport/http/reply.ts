/** Writes one HTTP answer: JSON, or an SSE stream if there is more to send. */
import type { ServerResponse } from 'node:http'
import { CODE } from '../../protocol/errors.ts'
import { errorResponse, type Message } from '../../protocol/jsonrpc.ts'
import { encode } from '../../server/results/encode.ts'
import type { Channel, Reply } from '../../server/session.ts'
import type { HeaderMismatch } from '../../tool/headers.ts'
import { HeldNotifications, isNotification, SLOW_BYTES } from '../held-notifications.ts'

export function sendJson(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent || response.destroyed) return
  const bytes = Buffer.byteLength(text)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes })
  // Equal counts mean ASCII, which need not be encoded.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8')
}

/** A transport error in the form of a JSON-RPC error. */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  code: number = CODE.invalidRequest,
): void {
  sendJson(response, status, encode(errorResponse(undefined, code, message)))
}

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
  #events: EventWriter | undefined

  constructor(response: ServerResponse, mismatch: HeaderMismatch) {
    this.#response = response
    this.headerMismatch = mismatch
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
    else sendJson(this.#response, status, encode(reply))
  }

  /** A tool may report progress after its request has ended. */
  get #isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }
}
