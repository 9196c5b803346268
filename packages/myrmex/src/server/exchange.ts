/** One request being served: what it carries, where its notifications go, and how it asks the client, by its era. */

import type { Caller } from '../pipeline/caller.ts'
import { cancellation, InputRequired } from '../pipeline/outcome.ts'
import { RequestScope } from '../pipeline/request-scope.ts'
import { type InputRequests, type InputResponses, isLogLevel, LOG_LEVELS, type LogLevel } from '../protocol/content.ts'
import { CODE, invalidMeta, invalidParams, missingCapability, RpcError, ToolError } from '../protocol/errors.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import { notification, type Params, type Request, type RequestId } from '../protocol/jsonrpc.ts'
import { META, MODERN_VERSION, SUPPORTED_VERSIONS } from '../protocol/versions.ts'
import type { ClientDescription, Principal } from '../tool/context.ts'
import { matchAnswers, missingCapabilities } from './client-input.ts'
import type { InputRound } from './request-state.ts'
import type { Channel, Session } from './session.ts'
import type { Task } from './tasks/task.ts'

const FIRST: InputRound = Object.freeze({ answers: Object.freeze({}) })

export class Exchange implements Caller {
  readonly session: Session
  readonly id: RequestId
  readonly method: string
  readonly params: Params | undefined
  readonly meta: Params | undefined
  readonly modern: boolean
  /** what to stop when the request is cancelled */
  scope: RequestScope | undefined = undefined
  /** ends a request that stays open, such as subscriptions/listen */
  onCancel: (() => void) | undefined = undefined
  /** the task this request has turned into: its stream is closed, and what it says goes nowhere */
  task: Task | undefined = undefined
  /** the task through which a started tool asks */
  taskAsking: Task | undefined = undefined
  cancelled = false
  readonly #channel: Channel
  #client: ClientDescription | undefined = undefined
  /** what the rounds before left, once `checkState` has verified it */
  #before: InputRound = FIRST
  /** the answers of this round were given to the question that carried something over, and are no answer to the next */
  #isAnswered = false

  constructor(session: Session, request: Request, channel: Channel) {
    this.session = session
    this.id = request.id
    this.method = request.method
    this.params = request.params
    const meta = request.params?._meta
    this.meta = isObject(meta) ? meta : undefined
    this.modern = this.meta !== undefined && META.protocolVersion in this.meta
    this.#channel = channel
    if (this.modern) this.#checkMeta(this.meta as Params)
    else if (meta !== undefined && !isObject(meta)) throw invalidMeta('_meta must be an object')
  }

  #checkMeta(meta: Params): void {
    const version = meta[META.protocolVersion]
    if (version !== MODERN_VERSION) {
      if (typeof version !== 'string') throw invalidMeta(`_meta["${META.protocolVersion}"] must be a string`)
      throw new RpcError(CODE.unsupportedVersion, `Unsupported protocol version: ${version}`, {
        supported: [...SUPPORTED_VERSIONS],
        requested: version,
      })
    }
    if (!isObject(meta[META.clientCapabilities])) {
      throw invalidMeta(`_meta["${META.clientCapabilities}"] is required and must be an object`)
    }
  }

  get transport(): string {
    return this.session.transport
  }

  get principal(): Principal {
    return this.session.principal
  }

  get client(): ClientDescription {
    if (!this.modern) return this.session.client
    this.#client ??= {
      info: this.meta?.[META.clientInfo] as ClientDescription['info'],
      capabilities: this.meta?.[META.clientCapabilities] as JsonObject,
    }
    return this.#client
  }

  /** A scope of its own for a prompt, a resource or a custom method; a tool call brings one. */
  openScope(): RequestScope {
    this.scope = new RequestScope(this, this.meta)
    return this.scope
  }

  notify(method: string, params: Params): void {
    if (!this.cancelled && this.task === undefined) this.#channel.send(notification(method, params))
  }

  /** Over HTTP the modern era has no connections: what there is, is who sent it, and with which program. */
  get connection(): unknown {
    if (!this.modern || this.transport !== 'http') return this.session
    // Everybody on this machine may be one principal.
    const { name, version } = this.client.info ?? {}
    return JSON.stringify([this.principal.id, name, version])
  }

  get carried(): JsonObject | undefined {
    return this.#before.carried
  }

  get level(): LogLevel | undefined {
    const wanted = this.modern ? this.meta?.[META.logLevel] : this.session.logLevel
    return isLogLevel(wanted) ? wanted : undefined
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const wanted = this.level
    if (wanted === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(wanted)) return
    this.notify('notifications/message', { level, ...(logger !== undefined && { logger }), data })
  }

  ask(scope: RequestScope, requests: InputRequests, carried?: JsonObject): InputResponses | Promise<InputResponses> {
    const missing = missingCapabilities(requests, this.client.capabilities)
    if (missing !== undefined) throw this.#unasked(missing)
    if (this.taskAsking !== undefined) return this.taskAsking.ask(requests)
    if (!this.modern) return this.session.ask(requests, this.#channel, scope)
    if (carried !== undefined) return this.#askCarrying(requests, carried)
    const { answers, open } = matchAnswers(requests, this.#given())
    if (Object.keys(open).length > 0) throw new InputRequired(open)
    return answers
  }

  /** Whoever carries its own state goes on where it was, so each round's answers are for one question only. */
  #askCarrying(requests: InputRequests, carried: JsonObject): InputResponses {
    const { answers, open } = matchAnswers(requests, this.#isAnswered ? {} : this.#given())
    this.#isAnswered = true
    if (Object.keys(open).length > 0) throw new InputRequired(open, carried, answers)
    return answers
  }

  /** The modern era has an error for it; to a legacy client it is the tool that cannot do its work. */
  #unasked(missing: JsonObject): Error {
    const names = Object.keys(missing).join(', ')
    if (this.modern) return missingCapability(names, missing)
    return ToolError.of('UnavailableError', `The client offers no ${names}, and the tool needs it.`, { missing })
  }

  /** Answers of this round and, from the signed state, of the rounds before it. */
  #given(): InputResponses {
    return { ...this.#before.answers, ...(this.params?.inputResponses as InputResponses | undefined) }
  }

  /** For the three requests that may ask: a state that is not ours is refused even where nothing is asked. */
  checkState(): void {
    const { params } = this
    if (params === undefined) return
    if (params.inputResponses !== undefined && !isObject(params.inputResponses)) {
      throw invalidParams('inputResponses must be an object')
    }
    if (params.requestState !== undefined) {
      const { server, principal } = this.session
      this.#before = server.signer.open(params.requestState, this.#salient(), principal.id)
    }
  }

  /** Ends this round with the open questions and what is known so far. */
  inputRequired(required: InputRequired): object {
    const { server, principal } = this.session
    const { requests, carried, answered } = required
    const round: InputRound = carried === undefined ? { answers: this.#given() } : { answers: answered ?? {}, carried }
    return {
      resultType: 'input_required',
      inputRequests: requests,
      requestState: server.signer.seal(this.#salient(), principal.id, round),
      _meta: server.meta,
    }
  }

  /** What makes two requests the same request. */
  #salient(): object {
    const { name, uri, arguments: args } = this.params ?? {}
    return { method: this.method, name, uri, arguments: args }
  }

  cancel(reason?: string): void {
    this.cancelled = true
    this.scope?.interrupt(cancellation(reason))
    this.onCancel?.()
  }

  disconnect(): boolean {
    this.#channel.disconnect?.()
    return this.#channel.disconnect !== undefined
  }
}

/** For calls that come without MCP around them (`POST /call`, batches): nobody is there to be asked or told. */
export function plainCaller(transport: string, principal: Principal): Caller {
  return {
    transport,
    principal,
    client: { info: undefined, capabilities: {} },
    notify: () => {},
    log: () => {},
    ask: () => {
      throw ToolError.of(
        'UnavailableError',
        'The tool asks for input, and this way of calling has nobody to ask. Use tools/call.',
      )
    },
    disconnect: () => true,
  }
}
