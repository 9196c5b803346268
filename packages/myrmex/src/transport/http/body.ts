/**
 * JSON bodies up to a size limit, and up to another for all bodies that arrive at the same time. Of large bodies one is parsed a turn: a
 * parsed one can take several times its size, and a call that is refused is gone by the next turn. The body is collected without a
 * stream, which would be a quarter to a third of the cost of a small request in Node's HTTP server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseFailure, parseMessage } from '../../protocol/bounded-json.ts'
import { http } from '../../protocol/builtin.ts'
import { CODE } from '../../protocol/errors.ts'
import { sendError } from './reply.ts'

/** undefined: the body exceeds the limit */
type Whole = (body: Buffer | undefined) => void

export interface WholeRequest extends IncomingMessage {
  /** its body was given up because too many large ones arrive at the same time */
  isCrowdedOut: boolean
  /** Call it synchronously while the request is announced, before any of the body arrives. Later it works too, through the stream. */
  collect(limit: number, done: Whole): void
}

/** Smaller bodies are not counted: as many as there may be connections need less. */
const LARGE_BYTES = 64 * 1024
/** For all large bodies that arrive, or wait to be parsed, at the same time. */
const MAX_ARRIVING = 256 * 1024 * 1024
let arriving = 0

/** Bodies that are whole and wait for their turn. */
const waiting: (() => void)[] = []

function inTurn(parse: () => void): void {
  waiting.push(parse)
  if (waiting.length === 1) setImmediate(parseNext)
}

function parseNext(): void {
  try {
    waiting[0]?.()
  } finally {
    waiting.shift()
    if (waiting.length > 0) setImmediate(parseNext)
  }
}

/** The request class for `http.createServer`. Created on first use, like `node:http` itself. */
export function wholeRequests(): typeof IncomingMessage {
  return class extends http().IncomingMessage implements WholeRequest {
    #done: Whole | undefined = undefined
    #limit = 0
    #size = 0
    #chunks: Buffer[] = []
    #counted = 0
    /** The request had to wait, and its body is in the stream, which holds back what is too much. */
    #isStreamed = false
    isCrowdedOut = false

    collect(limit: number, done: Whole): void {
      this.#limit = limit
      this.#done = done
      if (!this.#isStreamed) return
      this.on('data', (chunk: Buffer) => this.#take(chunk))
      this.on('end', () => this.#take(null))
    }

    /** Called by Node's parser with each chunk, and with null at the end. */
    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (this.#done !== undefined && !this.#isStreamed) return this.#take(chunk)
      this.#isStreamed = true
      return super.push(chunk, encoding)
    }

    #take(chunk: Buffer | null): boolean {
      if (this.#done === undefined) return false
      if (chunk === null) {
        if (this.#counted > 0) inTurn(() => this.#finishLarge())
        else if (this.#size <= this.#limit) this.#finish(this.#done)
        return false
      }
      const before = this.#size
      this.#size += chunk.length
      if (this.#size <= this.#limit && !this.isCrowdedOut && this.#mayKeep(chunk)) this.#chunks.push(chunk)
      else if (this.isCrowdedOut || before <= this.#limit) this.#giveUp()
      return true
    }

    #finish(done: Whole): void {
      const chunks = this.#chunks
      this.#chunks = []
      done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    }

    #finishLarge(): void {
      this.#release()
      // A stream that has ended is destroyed.
      const isGone = this.#isStreamed ? this.socket.destroyed : this.destroyed
      if (this.#done !== undefined && !isGone) this.#finish(this.#done)
    }

    #mayKeep(chunk: Buffer): boolean {
      if (this.#size <= LARGE_BYTES) return true
      if (this.#counted === 0) this.once('close', () => this.#release())
      this.#counted += chunk.length
      arriving += chunk.length
      this.isCrowdedOut = arriving > MAX_ARRIVING
      return !this.isCrowdedOut
    }

    /** Reported once. The rest is discarded. */
    #giveUp(): void {
      const done = this.#done
      this.#chunks = []
      this.#size = Number.POSITIVE_INFINITY
      this.#release()
      this.#done = () => {}
      done?.(undefined)
    }

    #release(): void {
      arriving -= this.#counted
      this.#counted = 0
    }
  }
}

/** Calls `use` with the parsed body, or answers with the error. */
export function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  use: (body: unknown) => void,
): void {
  const type = request.headers['content-type']
  // Another site's page can send text/plain across origins, but not application/json.
  if (type !== 'application/json' && !/^application\/json\s*(;|$)/i.test(type ?? '')) {
    return sendError(response, 415, 'Content-Type must be application/json')
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge(response, limit)
  ;(request as WholeRequest).collect(limit, (bytes) => {
    if (bytes === undefined) {
      return (request as WholeRequest).isCrowdedOut ? crowdedOut(response) : tooLarge(response, limit)
    }
    let body: unknown
    try {
      body = parseMessage(bytes.toString())
    } catch (thrown) {
      return sendError(response, 400, parseFailure(thrown), CODE.parse)
    }
    use(body)
  })
}

function crowdedOut(response: ServerResponse): void {
  response.setHeader('connection', 'close')
  response.setHeader('retry-after', 1)
  const message = 'Too many large requests arrive at the same time. Try again later.'
  sendError(response, 503, message, CODE.invalidRequest, { retry_after_ms: 1000 })
}

function tooLarge(response: ServerResponse, limit: number): void {
  response.setHeader('connection', 'close')
  sendError(response, 413, `The body is larger than ${limit} bytes`)
}
