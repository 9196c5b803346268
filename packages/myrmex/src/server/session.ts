/**
 * One peer's connection: `receive` takes a parsed message and gives the reply. A legacy peer's session remembers what
 * `initialize` agreed on; for a modern request it remembers nothing but what is still in flight.
 */
import { isPromise } from '../pipeline/outcome.ts'
import type { RequestScope } from '../pipeline/request-scope.ts'
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
import { BATCH_VERSION, META } from '../protocol/versions.ts'
import type { ClientDescription, Principal } from '../tool/context.ts'
import { isAnswerTo } from './client-input.ts'
import { Exchange } from './exchange.ts'
import type { Server } from './server.ts'

/** Where messages to the peer go. */
export interface Channel {
  send(message: Message): void
  /** lets go of the stream an answer would travel on */
  disconnect?(): void
}

export type Reply = Response | Response[] | undefined

const UNKNOWN_CLIENT: ClientDescription = Object.freeze({ info: undefined, capabilities: {} })

/** Methods a legacy peer may use before `initialize`. */
const OPENING = new Set(['initialize', 'ping'])

export class Session {
  readonly server: Server
  readonly transport: string
  readonly principal: Principal
  readonly channel: Channel
  /** agreed on by `initialize`; undefined for a modern peer */
  version: string | undefined = undefined
  client: ClientDescription = UNKNOWN_CLIENT
  logLevel: LogLevel = 'info'
  /** resources a legacy peer subscribed to */
  readonly subscribed = new Set<string>()
  #inFlight: ChurnMap<RequestId, Exchange> | undefined = undefined
  #asked: Map<RequestId, (response: Response) => void> | undefined = undefined
  #askCount = 0
  #onClose: (() => void)[] | undefined = undefined

  constructor(server: Server, transport: string, principal: Principal, channel: Channel) {
    this.server = server
    this.transport = transport
    this.principal = principal
    this.channel = channel
  }

  /** One message in, one out. `channel` takes what else belongs to a request: notifications, questions. */
  receive(value: unknown, channel: Channel = this.channel): Reply | Promise<Reply> {
    if (Array.isArray(value)) return this.#batch(value, channel)
    const kind = classify(value)
    if (kind === 'request') return this.#request(value as Request, channel)
    if (kind === 'notification') return this.#notified(value as Notification)
    if (kind === 'response') return this.#answered(value as Response)
    return kind
  }

  get inFlight(): number {
    return this.#inFlight?.size ?? 0
  }

  #request(request: Request, channel: Channel): Response | undefined | Promise<Response | undefined> {
    const { id, method } = request
    try {
      if (this.#inFlight?.has(id)) {
        return errorResponse(
          id,
          CODE.invalidRequest,
          `Invalid Request: a request with id ${JSON.stringify(id)} is in flight`,
        )
      }
      const exchange = new Exchange(this, request, channel)
      if (!exchange.modern && this.version === undefined && !OPENING.has(method)) {
        throw invalidMeta(
          `_meta["${META.protocolVersion}"] is missing. Send it with every request, or open with initialize.`,
        )
      }
      const result = this.server.dispatch(exchange)
      if (isPromise(result)) return this.#later(exchange, result as Promise<object>)
      return { jsonrpc: '2.0', id, result }
    } catch (thrown) {
      return this.#failed(id, thrown)
    }
  }

  #later(exchange: Exchange, result: Promise<object>): Promise<Response | undefined> {
    const { id } = exchange
    this.#inFlight ??= new ChurnMap()
    this.#inFlight.set(id, exchange)
    const done = (response: Response): Response | undefined => {
      this.#inFlight?.delete(id)
      return exchange.cancelled ? undefined : response
    }
    return result.then(
      (value) => done({ jsonrpc: '2.0', id, result: value }),
      (thrown) => done(this.#failed(id, thrown)),
    )
  }

  #failed(id: RequestId, thrown: unknown): ErrorResponse {
    if (thrown instanceof RpcError) return fromRpcError(id, thrown)
    if (thrown instanceof ToolError) {
      return errorResponse(id, CODE.invalidParams, thrown.message, { error_type: thrown.error_type })
    }
    const reference = this.server.fault(thrown)
    return errorResponse(id, CODE.internal, `Internal error. The log has the cause under ${reference}.`, { reference })
  }

  #notified(message: Notification): undefined {
    const params = isObject(message.params) ? message.params : {}
    if (message.method === 'notifications/cancelled' && isRequestId(params.requestId)) {
      this.#inFlight?.get(params.requestId)?.cancel(typeof params.reason === 'string' ? params.reason : undefined)
    }
    return undefined
  }

  #answered(response: Response): undefined {
    const { id } = response
    if (id === undefined) return undefined
    this.#asked?.get(id)?.(response)
    this.#asked?.delete(id)
    return undefined
  }

  /** JSON-RPC batches belong to one legacy revision only; everywhere else they are no message. */
  #batch(values: unknown[], channel: Channel): Reply | Promise<Reply> {
    if (this.version !== BATCH_VERSION) {
      return errorResponse(
        undefined,
        CODE.invalidRequest,
        'Invalid Request: batches are not part of this revision; use myrmex/batch',
      )
    }
    if (values.length === 0) return errorResponse(undefined, CODE.invalidRequest, 'Invalid Request: an empty batch')
    const replies = values.map((value) =>
      Array.isArray(value)
        ? errorResponse(undefined, CODE.invalidRequest, 'Invalid Request: a batch within a batch')
        : (this.receive(value, channel) as Response | undefined | Promise<Response | undefined>),
    )
    return Promise.all(replies).then((all) => {
      const answers = all.filter((reply) => reply !== undefined)
      return answers.length > 0 ? answers : undefined
    })
  }

  /** Asks a legacy client by requests of our own, all at once. */
  async ask(requests: InputRequests, channel: Channel, scope: RequestScope): Promise<InputResponses> {
    const keys = Object.keys(requests)
    const answers = await Promise.all(
      keys.map((key) => this.#askOne(requests[key] as InputRequests[string], channel, scope)),
    )
    return Object.fromEntries(keys.map((key, i) => [key, answers[i] as InputResponses[string]]))
  }

  #askOne(request: InputRequests[string], channel: Channel, scope: RequestScope): Promise<InputResponses[string]> {
    const id = `ask-${++this.#askCount}`
    this.#asked ??= new Map()
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#asked?.delete(id)
        channel.send(notification('notifications/cancelled', { requestId: id }))
        reject(scope.signal.reason)
      }
      scope.signal.addEventListener('abort', stop, { once: true })
      this.#asked?.set(id, (response) => {
        scope.signal.removeEventListener('abort', stop)
        const refused = (why: string): void => reject(ToolError.of('ToolExecutionError', why))
        if ('error' in response) refused(`The client refused ${request.method}: ${reasonOf(response)}`)
        else if (isAnswerTo(request, response.result)) resolve(response.result)
        else refused(`The client answered ${request.method} with something that is no answer to it.`)
      })
      channel.send({ jsonrpc: '2.0', id, method: request.method, params: request.params ?? {} })
    })
  }

  onClose(listener: () => void): void {
    this.#onClose ??= []
    this.#onClose.push(listener)
  }

  /** The peer is gone: whatever it still waits for is stopped. */
  close(reason = 'the connection closed'): void {
    if (this.#inFlight !== undefined) for (const exchange of this.#inFlight.values()) exchange.cancel(reason)
    for (const listener of this.#onClose ?? []) listener()
    this.#onClose = undefined
  }
}

/** A client may put anything where the message should be. */
const reasonOf = ({ error }: ErrorResponse): string =>
  typeof error.message === 'string' ? error.message : 'it gave no reason'
