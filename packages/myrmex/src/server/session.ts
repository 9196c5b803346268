/**
 * One peer's connection:
 *
 * - `receive` takes a parsed message and returns the reply.
 * - A legacy session stores what `initialize` negotiated. A modern one only tracks requests in flight.
 * - Anything thrown becomes a JSON-RPC error here.
 */
import { isPromise } from '../pipeline/outcome.ts'
import type { RequestScope } from '../pipeline/request-scope.ts'
import { MAX_MESSAGE_STEPS } from '../protocol/bounded-schema/limits.ts'
import { ChurnMap } from '../protocol/churn-map.ts'
import type { InputRequests, InputResponses, LogLevel } from '../protocol/content.ts'
import { CODE, invalidMeta, RpcError, ToolError } from '../protocol/errors.ts'
import { isObject } from '../protocol/json.ts'
import {
  classify,
  type ErrorResponse,
  errorResponse,
  fromRpcError,
  isRequestId,
  type Message,
  type Notification,
  notification,
  type Request,
  type RequestId,
  type Response,
} from '../protocol/jsonrpc.ts'
import { MAX_BATCH } from '../protocol/message-limits.ts'
import type { StepBudget } from '../protocol/schema.ts'
import { TimeSlices } from '../protocol/time-slices.ts'
import { BATCH_VERSION, META } from '../protocol/versions.ts'
import type { ClientDescription, Principal, RequestInfo } from '../tool/context.ts'
import type { HeaderMismatch } from '../tool/headers.ts'
import { isAnswerTo } from './client-input.ts'
import { Exchange } from './exchange.ts'
import { ClientRecords } from './recorded-client.ts'
import type { Server } from './server.ts'
import { newSessionId } from './session-handle.ts'

export interface Channel {
  send(message: Message): void
  /** closes the stream that the answer would use */
  disconnect?(): void
  /** see `Caller` */
  outOfScope?(missing: string, granted: readonly string[]): void
  /** see `Caller` */
  onGone?(listener: () => void): () => void
  /** see `Caller` */
  readonly isAway?: boolean
  /** how many milliseconds after a progress report an answer is sent, so that they do not arrive in one piece; see `#answerLater` */
  readonly answerGapMs?: number
  /** of a request over HTTP, whose headers repeat arguments of its tool */
  readonly headerMismatch?: HeaderMismatch
  /** of a request over HTTP; made on first use */
  readonly request?: RequestInfo | undefined
  /** who sends this request, as far as more is known than about the session */
  readonly principal?: Principal
  /** over HTTP: the client had its standing stream open and closed it, as official clients do that end without a DELETE */
  readonly hasLeft?: boolean
}

export type Reply = Response | Response[] | undefined

const UNKNOWN_CLIENT: ClientDescription = Object.freeze({ info: undefined, capabilities: {} })

/** Requests of one peer that are being served: each keeps memory until it is answered. */
const MAX_IN_FLIGHT = 10_000

const BEFORE_INITIALIZE = new Set(['initialize', 'ping'])

export class Session {
  readonly server: Server
  readonly transport: string
  /** of the request at hand; a legacy session over HTTP may go on with a token that has more rights */
  principal: Principal
  readonly channel: Channel
  /** negotiated by `initialize`; undefined for a modern peer */
  version: string | undefined = undefined
  client: ClientDescription = UNKNOWN_CLIENT
  logLevel: LogLevel = 'info'
  /** of a peer that started this process: its decisions count; see protocol/hand-over.ts */
  handOverKey: string | undefined = undefined
  /** resource subscriptions of a legacy peer */
  readonly subscribed = new Set<string>()
  #inFlight: ChurnMap<RequestId, Exchange> | undefined = undefined
  #openQuestions: Map<RequestId, (response: Response) => void> | undefined = undefined
  #askCount = 0
  #clientRecords: ClientRecords | undefined = undefined
  #recordId: string | undefined = undefined
  #isClosed = false
  #onClose: (() => void)[] | undefined = undefined

  constructor(server: Server, transport: string, principal: Principal, channel: Channel) {
    this.server = server
    this.transport = transport
    this.principal = principal
    this.channel = channel
  }

  /** `channel` takes the request's notifications and questions. */
  receive(value: unknown, channel: Channel = this.channel): Reply | Promise<Reply> {
    return Array.isArray(value) ? this.#batch(value, channel) : this.#receiveOne(value, channel)
  }

  /** `steps` is shared by the messages of an array. */
  #receiveOne(
    value: unknown,
    channel: Channel,
    steps?: StepBudget,
  ): Response | undefined | Promise<Response | undefined> {
    const kind = classify(value)
    if (kind === 'request') return this.#request(value as Request, channel, steps)
    if (kind === 'notification') return this.#onNotification(value as Notification)
    if (kind === 'response') return this.#onResponse(value as Response)
    return kind
  }

  /** The connection lasts for all requests of its client. Over HTTP, each modern request is a session of its own. */
  get isLasting(): boolean {
    return this.version !== undefined || this.transport !== 'http'
  }

  /** An id for records, which says nothing about credentials; see `Caller`. */
  get recordId(): string {
    this.#recordId ??= newSessionId()
    return this.#recordId
  }

  /** Sessions of one request share those of the server: the same client has the same record in all of them. */
  get clientRecords(): ClientRecords {
    if (!this.isLasting) return this.server.clientRecords
    this.#clientRecords ??= new ClientRecords()
    return this.#clientRecords
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get inFlight(): number {
    return this.#inFlight?.size ?? 0
  }

  #request(
    request: Request,
    channel: Channel,
    steps?: StepBudget,
  ): Response | undefined | Promise<Response | undefined> {
    const { id, method } = request
    try {
      if (this.#inFlight?.has(id)) {
        return errorResponse(
          id,
          CODE.invalidRequest,
          `Invalid Request: a request with id ${JSON.stringify(id)} is in flight`,
        )
      }
      if (this.inFlight >= MAX_IN_FLIGHT) {
        const message = `${MAX_IN_FLIGHT} requests are in flight, which is the limit. Wait for answers.`
        return errorResponse(id, CODE.internal, message)
      }
      const exchange = new Exchange(this, request, channel, steps)
      if (!exchange.modern && this.version === undefined && !BEFORE_INITIALIZE.has(method)) {
        throw invalidMeta(
          `_meta["${META.protocolVersion}"] is missing. Send it with every request, or open with initialize.`,
        )
      }
      const result = this.server.dispatch(exchange)
      if (isPromise(result)) return this.#answerLater(exchange, result as Promise<object>)
      if (exchange.hasReported) return this.#answerLater(exchange, Promise.resolve(result))
      return { jsonrpc: '2.0', id, result }
    } catch (thrown) {
      return this.#toError(id, thrown)
    }
  }

  /** Clients on the official SDKs drop progress that they read in one piece with the answer. */
  #answerLater(exchange: Exchange, result: Promise<object>): Promise<Response | undefined> {
    const { id } = exchange
    this.#inFlight ??= new ChurnMap()
    this.#inFlight.set(id, exchange)
    const end = (response: Response): Response | undefined => {
      this.#inFlight?.delete(id)
      return exchange.cancelled ? undefined : response
    }
    const done = (response: Response): Response | undefined | Promise<Response | undefined> => {
      const ms = exchange.answerDelayMs
      return ms === 0 ? end(response) : new Promise((resolve) => setTimeout(() => resolve(end(response)), ms))
    }
    return result.then(
      (value) => done({ jsonrpc: '2.0', id, result: value }),
      (thrown) => done(this.#toError(id, thrown)),
    )
  }

  #toError(id: RequestId, thrown: unknown): ErrorResponse {
    if (thrown instanceof RpcError) return fromRpcError(id, thrown)
    if (thrown instanceof ToolError) {
      return errorResponse(id, CODE.invalidParams, thrown.message, { error_type: thrown.error_type })
    }
    const reference = this.server.fault(thrown)
    return errorResponse(id, CODE.internal, `Internal error. The log has the cause under ${reference}.`, { reference })
  }

  #onNotification(message: Notification): undefined {
    const params = isObject(message.params) ? message.params : {}
    if (message.method === 'notifications/cancelled' && isRequestId(params.requestId)) {
      this.#inFlight?.get(params.requestId)?.cancel(typeof params.reason === 'string' ? params.reason : undefined)
    }
    return undefined
  }

  #onResponse(response: Response): undefined {
    const { id } = response
    if (id === undefined) return undefined
    this.#openQuestions?.get(id)?.(response)
    this.#openQuestions?.delete(id)
    return undefined
  }

  /** JSON-RPC batches exist in one legacy revision only. */
  #batch(values: unknown[], channel: Channel): Reply | Promise<Reply> {
    if (this.version !== BATCH_VERSION) {
      return errorResponse(
        undefined,
        CODE.invalidRequest,
        'Invalid Request: this revision has no batches; use myrmex/batch',
      )
    }
    if (values.length === 0) return errorResponse(undefined, CODE.invalidRequest, 'Invalid Request: an empty batch')
    // Each entry has an answer, which is longer than the shortest entry.
    if (values.length > MAX_BATCH) {
      const message = `Invalid Request: a batch of ${values.length} messages; ${MAX_BATCH} are the most`
      return errorResponse(undefined, CODE.invalidRequest, message)
    }
    return this.#receiveAll(values, channel)
  }

  /** Other requests are served between the messages of a long array. */
  async #receiveAll(values: unknown[], channel: Channel): Promise<Reply> {
    const slices = new TimeSlices()
    const steps: StepBudget = { left: MAX_MESSAGE_STEPS }
    const replies: ReturnType<Session['receive']>[] = []
    for (const value of values) {
      if (slices.isOver) await slices.pause()
      // The rest of the array has nobody who could read its answers.
      if (this.#isClosed) break
      replies.push(
        Array.isArray(value)
          ? errorResponse(undefined, CODE.invalidRequest, 'Invalid Request: a batch within a batch')
          : this.#receiveOne(value, channel, steps),
      )
    }
    const answers = (await Promise.all(replies as Promise<Response | undefined>[])).filter(
      (reply) => reply !== undefined,
    )
    return answers.length > 0 ? answers : undefined
  }

  /** Asks a legacy client with requests, all at once. */
  async ask(
    requests: InputRequests,
    channel: Channel,
    { signal }: Pick<RequestScope, 'signal'>,
  ): Promise<InputResponses> {
    const keys = Object.keys(requests)
    const answers = await Promise.all(
      keys.map((key) => this.#askOne(requests[key] as InputRequests[string], channel, signal)),
    )
    return Object.fromEntries(keys.map((key, i) => [key, answers[i] as InputResponses[string]]))
  }

  #askOne(request: InputRequests[string], channel: Channel, signal: AbortSignal): Promise<InputResponses[string]> {
    const id = `ask-${++this.#askCount}`
    this.#openQuestions ??= new Map()
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#openQuestions?.delete(id)
        channel.send(notification('notifications/cancelled', { requestId: id }))
        reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
      this.#openQuestions?.set(id, (response) => {
        signal.removeEventListener('abort', stop)
        const refused = (why: string): void => reject(ToolError.of('ToolExecutionError', why))
        if ('error' in response) refused(`The client rejected ${request.method}: ${reasonOf(response)}`)
        else if (isAnswerTo(request, response.result)) resolve(response.result)
        else refused(`The client answered ${request.method} with an invalid answer.`)
      })
      channel.send({ jsonrpc: '2.0', id, method: request.method, params: request.params ?? {} })
    })
  }

  onClose(listener: () => void): void {
    this.#onClose ??= []
    this.#onClose.push(listener)
  }

  /** The peer is gone: cancels everything in flight. */
  close(reason = 'the connection closed'): void {
    this.#isClosed = true
    if (this.#inFlight !== undefined) for (const exchange of this.#inFlight.values()) exchange.cancel(reason)
    for (const listener of this.#onClose ?? []) listener()
    this.#onClose = undefined
  }
}

/** The message may be of any type. */
const reasonOf = ({ error }: ErrorResponse): string =>
  typeof error.message === 'string' ? error.message : 'it gave no reason'
