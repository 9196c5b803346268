/**
 * The link over one wire. It keeps ids, deadlines, progress and cancellation, answers pings, and otherwise passes on what comes
 * as it came. An upstream may send what it likes: nothing here trusts it.
 */
import { CODE, RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { errorResponse, isRequestId, type Message } from '../../protocol/jsonrpc.ts'
import { modernMeta } from './client-identity.ts'
import type { Link, LinkHandlers, SendOptions } from './link.ts'
import { OpenQuestions } from './open-questions.ts'
import { type PendingRequest, PendingRequests } from './pending-requests.ts'
import type { Wire } from './wire.ts'

/** More notifications a second than this nobody can read. */
const MOST_NOTIFICATIONS = 5000
const SECOND_MS = 1000

export interface RawLinkOptions {
  readonly name: string
  readonly handlers: LinkHandlers
  /** for what nobody else would hear of */
  readonly log: (line: string) => void
  /** Answers that are not to our own requests: those of whoever opens the link. Whether it was one. */
  readonly onHandshakeAnswer: (message: Message) => boolean
}

/** What is known once both sides have agreed. */
export type NegotiatedPeer = Pick<Link, 'era' | 'version' | 'server' | 'capabilities' | 'instructions'>

export class RawLink implements Link {
  era: Link['era'] = 'legacy'
  version = ''
  server: Link['server']
  capabilities: JsonObject = {}
  instructions: string | undefined
  readonly #wire: Wire
  readonly #options: RawLinkOptions
  readonly #inFlight: PendingRequests
  readonly #questions: OpenQuestions
  /** what every request of the modern era carries */
  #meta: JsonObject | undefined
  #gone: ToolError | undefined
  #isOpen = false
  #window = 0
  #heard = 0

  constructor(wire: Wire, options: RawLinkOptions) {
    this.#wire = wire
    this.#options = options
    this.#inFlight = new PendingRequests({
      expired: (waiting) => this.#giveUp(waiting, this.#late(waiting)),
      aborted: (waiting) => this.#giveUp(waiting, cancelled()),
    })
    const { handlers, log } = options
    const ask: LinkHandlers['onRequest'] = (method, params, signal) => handlers.onRequest(method, params, signal)
    this.#questions = new OpenQuestions(ask, (response) => this.#pass(response), log)
  }

  get pid(): number | undefined {
    return this.#wire.pid
  }

  /** Why it is of no use any more. */
  get closeReason(): ToolError | undefined {
    return this.#gone
  }

  /** From here on it is in use: whoever has it is told when it breaks. */
  open(agreed: NegotiatedPeer): void {
    this.era = agreed.era
    this.version = agreed.version
    this.server = agreed.server
    this.capabilities = agreed.capabilities
    this.instructions = agreed.instructions
    if (agreed.era === 'modern') this.#meta = modernMeta(agreed.version)
    this.#isOpen = true
  }

  request(method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone)
    if (options?.signal?.aborted) return Promise.reject(cancelled())
    const settle = Promise.withResolvers<JsonObject>()
    const waiting = this.#inFlight.add(method, settle, options)
    try {
      this.#send(waiting, params)
    } catch (thrown) {
      // What JSON cannot hold was never sent.
      this.#inFlight.take(waiting.id)
      settle.reject(thrown)
    }
    return settle.promise
  }

  notify(method: string, params: JsonObject): void {
    if (this.#gone !== undefined) return
    const sent = this.#meta === undefined ? params : { ...params, _meta: { ...this.#meta, ...metaOf(params) } }
    this.#pass({ jsonrpc: '2.0', method, params: sent })
  }

  async close(): Promise<void> {
    this.#end(ToolError.of('TransportError', `${this.#options.name}: the connection was closed`, CLOSED))
    await this.#wire.end()
  }

  async cut(): Promise<void> {
    this.#end(ToolError.of('TransportError', `${this.#options.name}: the connection was cut off`, CLOSED))
    await this.#wire.cut()
  }

  /** The wire broke. */
  onWireClosed(why: ToolError): void {
    if (this.#gone !== undefined) return
    this.#end(why)
    if (this.#isOpen) this.#options.handlers.onClose(why)
  }

  /** One message, or several at once where the revision has that. */
  receive(message: unknown): void {
    if (Array.isArray(message)) {
      for (const one of message) this.#receive(one)
    } else this.#receive(message)
  }

  #receive(message: unknown): void {
    if (!isObject(message)) return this.#odd('something that is no message')
    const { id, method, params } = message
    if (method === undefined) return this.#answer(id, message)
    if (typeof method !== 'string') return this.#odd('a message whose method is no text')
    const given = isObject(params) ? (params as JsonObject) : {}
    if (id === undefined) return this.#notified(method, given)
    if (!isRequestId(id)) return this.#odd(`a request (${method}) whose id is neither text nor number`)
    if (this.#gone !== undefined) return
    // In the modern era a server has no questions of its own, only answers that ask.
    if (this.#meta !== undefined && method !== 'ping') {
      return this.#pass(errorResponse(id, CODE.methodNotFound, `Method not found: ${method}`))
    }
    this.#questions.answer(id, method, given)
  }

  #answer(id: unknown, message: Record<string, unknown>): void {
    const waiting = this.#inFlight.take(id)
    if (waiting === undefined) {
      if (this.#inFlight.wasSent(id) || this.#options.onHandshakeAnswer(message as unknown as Message)) return
      return this.#odd(`an answer to a request that was never sent (${JSON.stringify(id)?.slice(0, 100)})`)
    }
    const { result, error } = message
    if (isObject(result)) waiting.resolve(result as JsonObject)
    else waiting.reject(isObject(error) ? rpcErrorOf(error) : this.#unreadable(waiting))
  }

  #notified(method: string, params: JsonObject): void {
    if (method === 'notifications/progress') return this.#progressed(params)
    if (method === 'notifications/cancelled') return this.#withdrawn(params.requestId)
    if (this.#gone !== undefined || this.#isFlooded()) return
    this.#handing(method, () => this.#options.handlers.onNotification(method, params))
  }

  #progressed(params: JsonObject): void {
    const waiting = this.#inFlight.get(params.progressToken)
    // None was asked for, or it comes after the answer.
    if (waiting === undefined) return
    this.#inFlight.restartTimeout(waiting)
    const { options } = waiting
    if (options?.onProgress !== undefined) this.#handing('notifications/progress', () => options.onProgress?.(params))
  }

  #withdrawn(id: unknown): void {
    // In the modern era it is one of our requests that the server ends: a subscription, as a rule.
    if (this.#meta === undefined) return this.#questions.withdraw(id)
    this.#inFlight
      .take(id)
      ?.reject(ToolError.of('CancelledError', `${this.#options.name}: it ended the request itself`))
  }

  /** A handler that fails must not end the reading of everything behind it. */
  #handing(method: string, hand: () => void): void {
    try {
      hand()
    } catch (thrown) {
      this.#options.log(`(${method} was not taken) ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    }
  }

  #isFlooded(): boolean {
    const now = performance.now()
    if (now - this.#window >= SECOND_MS) {
      if (this.#heard > MOST_NOTIFICATIONS) this.#odd(`${this.#heard - MOST_NOTIFICATIONS} notifications too many`)
      this.#window = now
      this.#heard = 0
    }
    return ++this.#heard > MOST_NOTIFICATIONS
  }

  #send(waiting: PendingRequest, params: JsonObject): void {
    const { id, method, options } = waiting
    const message: Message = { jsonrpc: '2.0', id, method, params: this.#paramsOf(id, params, options) }
    if (!this.#wire.perRequest) {
      const sent = this.#wire.send(message)
      if (sent !== undefined) sent.catch((thrown) => this.#unsent(waiting, this.#wire.explain(thrown)))
      return
    }
    if (this.#meta !== undefined) waiting.stream = new AbortController()
    this.#wire
      .send(message, {
        headers: options?.headers,
        signal: waiting.stream?.signal,
        onStreamEnd: () => this.#unsent(waiting, this.#unanswered(waiting)),
      })
      ?.catch((thrown) => this.#unsent(waiting, this.#wire.explain(thrown)))
  }

  /** Its progress token is its id, whatever the caller put there: two callers may have chosen the same. */
  #paramsOf(id: number, params: JsonObject, options: SendOptions | undefined): JsonObject {
    const wanted = options?.onProgress !== undefined
    const given = metaOf(params)
    if (this.#meta === undefined && !wanted && given?.progressToken === undefined) return params
    if (this.#meta === undefined && given === undefined) return { ...params, _meta: { progressToken: id } }
    // An undefined one is not written.
    return { ...params, _meta: { ...this.#meta, ...given, progressToken: wanted ? id : undefined } }
  }

  #unsent(waiting: PendingRequest, why: Error): void {
    this.#inFlight.take(waiting.id)?.reject(why)
  }

  #giveUp(waiting: PendingRequest, why: ToolError): void {
    if (this.#inFlight.take(waiting.id) === undefined) return
    if (waiting.stream !== undefined) waiting.stream.abort()
    else this.notify('notifications/cancelled', { requestId: waiting.id, reason: why.message })
    waiting.reject(why)
  }

  /** Nobody waits to hear whether it got there; that the wire broke is told by the wire. */
  #pass(message: Message): void {
    this.#wire
      .send(message)
      ?.catch((thrown) => this.#options.log(`(it did not take a message) ${this.#wire.explain(thrown).message}`))
  }

  #end(why: ToolError): void {
    if (this.#gone !== undefined) return
    this.#gone = why
    for (const waiting of this.#inFlight.takeAll()) {
      waiting.stream?.abort()
      waiting.reject(why)
    }
    this.#questions.close(why)
  }

  #odd(what: string): void {
    this.#options.log(`(it sent ${what})`)
  }

  #late({ method, options }: PendingRequest): ToolError {
    return ToolError.of('TimeoutError', `${this.#options.name}: no answer to ${method} within ${options?.timeoutMs} ms`)
  }

  #unreadable({ method }: PendingRequest): ToolError {
    const { name } = this.#options
    return ToolError.of('TransportError', `${name}: the answer to ${method} is neither a result nor an error`, {
      peer: name,
      codes: ['INVALID_RESULT'],
    })
  }

  #unanswered({ method }: PendingRequest): ToolError {
    const { name } = this.#options
    return ToolError.of('TransportError', `${name}: the stream of ${method} ended before the answer`, {
      peer: name,
      codes: ['CONNECTION_CLOSED'],
    })
  }
}

const CLOSED = { codes: ['NOT_CONNECTED'] }

const cancelled = (): ToolError => ToolError.of('CancelledError', 'The call was cancelled.')

const metaOf = ({ _meta }: JsonObject): JsonObject | undefined => (isObject(_meta) ? (_meta as JsonObject) : undefined)

function rpcErrorOf({ code, message, data }: Record<string, unknown>): RpcError {
  return new RpcError(
    typeof code === 'number' && Number.isSafeInteger(code) ? code : CODE.internal,
    typeof message === 'string' ? message : 'The server failed and said nothing.',
    data as Json | undefined,
  )
}
