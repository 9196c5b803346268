/**
 * A link over one wire. It manages ids, timeouts, progress and cancellation, answers pings, and passes everything else on unchanged.
 * Nothing an upstream sends is trusted.
 */
import { CODE, messageOf, ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { errorResponse, isRequestId, type Message } from '../../protocol/jsonrpc.ts'
import { RateLimit } from '../rate-limit.ts'
import { toRpcError } from '../upstream/upstream-errors.ts'
import { modernMeta } from './client-identity.ts'
import type { Link, LinkHandlers, NegotiatedPeer, SendOptions } from './link.ts'
import { OpenQuestions } from './open-questions.ts'
import { type PendingRequest, PendingRequests } from './pending-requests.ts'
import type { Wire } from './wire.ts'

/** Further notifications within one second are dropped. */
const MAX_NOTIFICATIONS = 5000
/** How long after a request was given up its answer may come. */
const LATE_MS = 600_000

export interface RawLinkOptions {
  readonly name: string
  readonly handlers: LinkHandlers
  /** for events that nobody else reports */
  readonly log: (line: string) => void
  /** Handles answers to the handshake. Returns whether the message was one. */
  readonly onHandshakeAnswer: (message: Message) => boolean
}

export class RawLink implements Link {
  era: Link['era'] = 'legacy'
  version = ''
  server: Link['server']
  capabilities: JsonObject = {}
  instructions: string | undefined
  readonly #wire: Wire
  readonly #options: RawLinkOptions
  readonly #pending: PendingRequests
  readonly #questions: OpenQuestions
  /** added to every modern request */
  #meta: JsonObject | undefined
  #closeReason: ToolError | undefined
  #isOpen = false
  /** requests that were answered with a task, by progress token */
  readonly #tasks = new Map<number, SendOptions>()
  #abandonedAt = Number.NEGATIVE_INFINITY
  readonly #notifications: RateLimit

  constructor(wire: Wire, options: RawLinkOptions) {
    this.#wire = wire
    this.#options = options
    this.#pending = new PendingRequests({
      expired: (request) => this.#abandon(request, this.#timeoutError(request)),
      aborted: (request) => this.#abandon(request, cancelled()),
    })
    this.#notifications = new RateLimit(MAX_NOTIFICATIONS, (count) =>
      this.#violation(`${count} notifications over the limit`),
    )
    this.#questions = new OpenQuestions(options, (response) => this.#sendUnawaited(response))
  }

  get pid(): number | undefined {
    return this.#wire.pid
  }

  get closeReason(): ToolError | undefined {
    return this.#closeReason
  }

  /** Also the answer to a request that was given up may still come. */
  get expectsAnswer(): boolean {
    return !this.#isOpen || this.#pending.hasSome || performance.now() - this.#abandonedAt < LATE_MS
  }

  /** From now on the link is in use, and a lost connection is reported. */
  open(agreed: NegotiatedPeer): void {
    Object.assign(this, agreed)
    if (agreed.era === 'modern') this.#meta = modernMeta(agreed.version)
    this.#isOpen = true
  }

  request(method: string, params: JsonObject, options?: SendOptions): Promise<JsonObject> {
    if (this.#closeReason !== undefined) return Promise.reject(this.#closeReason)
    if (options?.signal?.aborted) return Promise.reject(cancelled())
    const request = this.#pending.add(method, options)
    try {
      this.#send(request, params)
    } catch (thrown) {
      // Not serialisable as JSON, so nothing was sent.
      this.#fail(request, thrown)
    }
    return request.settle.promise
  }

  notify(method: string, params: JsonObject): void {
    if (this.#closeReason !== undefined) return
    const sent = this.#meta === undefined ? params : { ...params, _meta: { ...this.#meta, ...metaOf(params) } }
    this.#sendUnawaited({ jsonrpc: '2.0', method, params: sent })
  }

  async close(): Promise<void> {
    this.#end(ToolError.of('TransportError', `${this.#options.name}: the connection was closed`, CLOSED))
    await this.#wire.end()
  }

  async cut(): Promise<void> {
    this.#end(ToolError.of('TransportError', `${this.#options.name}: the connection was cut`, CLOSED))
    await this.#wire.cut()
  }

  onWireClosed(why: ToolError): void {
    if (this.#closeReason !== undefined) return
    this.#end(why)
    if (this.#isOpen) this.#options.handlers.onClose(why)
  }

  /** One message, or a batch in revisions that allow batches. Returns whether a request that waits asked for it. */
  receive(message: unknown): boolean {
    const all = Array.isArray(message) ? message : [message]
    let isAsked = false
    for (const one of all) if (this.#receive(one)) isAsked = true
    return isAsked
  }

  #receive(message: unknown): boolean {
    const { id, method, params } = isObject(message) ? message : {}
    if (isObject(message) && method === undefined) return this.#answer(id, message)
    const token = method === 'notifications/progress' && isObject(params) ? params.progressToken : undefined
    const isAsked = token !== undefined && this.#pending.get(token) !== undefined
    this.#onOther(message)
    return isAsked
  }

  #onOther(message: unknown): void {
    if (!isObject(message)) return this.#violation('something that is not a message')
    const { id, method, params } = message
    if (typeof method !== 'string') return this.#violation('a message whose method is not a string')
    const given = isObject(params) ? (params as JsonObject) : {}
    if (id === undefined) return this.#onNotification(method, given)
    if (!isRequestId(id)) return this.#violation(`a request (${method}) whose id is neither a string nor a number`)
    if (this.#closeReason !== undefined) return
    // Modern servers do not send requests. They ask through results.
    if (this.#meta !== undefined && method !== 'ping') {
      return this.#sendUnawaited(errorResponse(id, CODE.methodNotFound, `Method not found: ${method}`))
    }
    this.#questions.answer(id, method, given)
  }

  #answer(id: unknown, message: Record<string, unknown>): boolean {
    const request = this.#pending.take(id)
    if (request === undefined) {
      if (!this.#pending.wasSent(id) && !this.#options.onHandshakeAnswer(message as unknown as Message))
        this.#violation(`an answer to a request that was never sent (${JSON.stringify(id)?.slice(0, 100)})`)
      return false
    }
    const { result, error } = message
    this.#keepProgress(request)
    if (isObject(result)) request.settle.resolve(result as JsonObject)
    else
      request.settle.reject(
        isObject(error)
          ? toRpcError(error, 'The server reported an error without a message.')
          : this.#transportError(`the answer to ${request.method} is neither a result nor an error`, 'INVALID_RESULT'),
      )
    return request.method !== 'ping'
  }

  #keepProgress({ id, options }: PendingRequest): void {
    const until = options?.progressUntil
    if (options === undefined || until === undefined || until.aborted) return
    this.#tasks.set(id, options)
    until.addEventListener('abort', () => this.#tasks.delete(id), { once: true })
  }

  #onNotification(method: string, params: JsonObject): void {
    if (method === 'notifications/progress') return this.#onProgress(params)
    if (method === 'notifications/cancelled') return this.#onCancelled(params.requestId)
    if (this.#closeReason !== undefined || !this.#notifications.pass()) return
    this.#guarded(method, () => this.#options.handlers.onNotification(method, params))
  }

  #onProgress(params: JsonObject): void {
    const request = this.#pending.get(params.progressToken)
    const options = request?.options ?? this.#tasks.get(params.progressToken as number)
    // Progress was not requested, or it comes after the answer.
    if (options === undefined) return
    if (request !== undefined) this.#pending.restartTimeout(request)
    if (!this.#notifications.pass()) return
    if (options.onProgress !== undefined) this.#guarded('notifications/progress', () => options.onProgress?.(params))
  }

  #onCancelled(id: unknown): void {
    // A modern server ends one of our requests, usually a subscription.
    if (this.#meta === undefined) return this.#questions.withdraw(id)
    this.#pending
      .take(id)
      ?.settle.reject(ToolError.of('CancelledError', `${this.#options.name}: the server cancelled the request`))
  }

  /** An error in a handler must not stop the reading of further messages. */
  #guarded(method: string, handle: () => void): void {
    try {
      handle()
    } catch (thrown) {
      this.#options.log(`(handling ${method} failed) ${messageOf(thrown)}`)
    }
  }

  #send(request: PendingRequest, params: JsonObject): void {
    const { id, method, options } = request
    const message: Message = { jsonrpc: '2.0', id, method, params: this.#paramsOf(id, params, options) }
    if (!this.#wire.perRequest) {
      const sent = this.#wire.send(message)
      if (sent !== undefined) sent.catch((thrown) => this.#fail(request, this.#wire.explain(thrown)))
      return
    }
    if (this.#meta !== undefined) request.stream = new AbortController()
    this.#wire
      .send(message, {
        // Fields must be absent, not undefined.
        ...(options?.headers && { headers: { ...options.headers } }),
        ...(request.stream && { requestSignal: request.stream.signal }),
        onRequestStreamEnd: () =>
          this.#fail(
            request,
            this.#transportError(`the stream of ${request.method} ended before the answer`, 'CONNECTION_CLOSED'),
          ),
      })
      ?.catch((thrown) => this.#fail(request, this.#wire.explain(thrown)))
  }

  /** The progress token is always the request's id, because two callers may have chosen the same token. */
  #paramsOf(id: number, params: JsonObject, options: SendOptions | undefined): JsonObject {
    const wanted = options?.onProgress !== undefined
    const given = metaOf(params)
    if (this.#meta === undefined && !wanted && given?.progressToken === undefined) return params
    if (this.#meta === undefined && given === undefined) return { ...params, _meta: { progressToken: id } }
    // JSON omits undefined.
    return { ...params, _meta: { ...this.#meta, ...given, progressToken: wanted ? id : undefined } }
  }

  #fail(request: PendingRequest, why: unknown): void {
    this.#pending.take(request.id)?.settle.reject(why)
  }

  #abandon(request: PendingRequest, why: ToolError): void {
    if (this.#pending.take(request.id) === undefined) return
    this.#abandonedAt = performance.now()
    if (request.stream !== undefined) request.stream.abort()
    else this.notify('notifications/cancelled', { requestId: request.id, reason: why.message })
    request.settle.reject(why)
  }

  /** Nobody waits for delivery. The wire itself reports a lost connection. */
  #sendUnawaited(message: Message): void {
    this.#wire
      .send(message)
      ?.catch((thrown) => this.#options.log(`(a message could not be sent) ${this.#wire.explain(thrown).message}`))
  }

  #end(why: ToolError): void {
    if (this.#closeReason !== undefined) return
    this.#closeReason = why
    for (const request of this.#pending.takeAll()) {
      request.stream?.abort()
      request.settle.reject(why)
    }
    this.#questions.close(why)
  }

  #violation(what: string): void {
    this.#options.log(`(received ${what})`)
  }

  #timeoutError({ method, options }: PendingRequest): ToolError {
    return ToolError.of('TimeoutError', `${this.#options.name}: no answer to ${method} within ${options?.timeoutMs} ms`)
  }

  #transportError(what: string, code: string): ToolError {
    const { name } = this.#options
    return ToolError.of('TransportError', `${name}: ${what}`, { peer: name, codes: [code] })
  }
}

const CLOSED = { codes: ['NOT_CONNECTED'] }

const cancelled = (): ToolError => ToolError.of('CancelledError', 'The call was cancelled.')

const metaOf = ({ _meta }: JsonObject): JsonObject | undefined => (isObject(_meta) ? (_meta as JsonObject) : undefined)
