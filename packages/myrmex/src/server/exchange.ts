/** One request while it is served: its metadata, where its notifications go, and how it asks the client in its era. */

import type { RecordedClient } from '../ledger/audit/recorded-client.ts'
import { secretAnswerNames } from '../pipeline/answers.ts'
import type { Caller, GivenAnswers } from '../pipeline/caller.ts'
import { cancellation, InputRequired } from '../pipeline/outcome.ts'
import type { RequestScope } from '../pipeline/request-scope.ts'
import { type InputRequests, type InputResponses, isLogLevel, LOG_LEVELS, type LogLevel } from '../protocol/content.ts'
import { CODE, invalidMeta, invalidParams, missingCapability, RpcError, ToolError } from '../protocol/errors.ts'
import { isHandedOver } from '../protocol/hand-over.ts'
import { isObject, type Json, type JsonObject, PROTO } from '../protocol/json.ts'
import { notification, type Params, type Request, type RequestId } from '../protocol/jsonrpc.ts'
import { MAX_ID_LENGTH, MAX_NAME_LENGTH, MAX_URI_LENGTH } from '../protocol/message-limits.ts'
import type { StepBudget } from '../protocol/schema.ts'
import { toJson, toLoggable } from '../protocol/serialise.ts'
import { LEGACY_TASKS_VERSION, META, MODERN_VERSION, SUPPORTED_VERSIONS } from '../protocol/versions.ts'
import type { ClientDescription, Principal, RequestInfo } from '../tool/context.ts'
import type { HeaderMismatch } from '../tool/headers.ts'
import type { Tool } from '../tool/tool.ts'
import { matchAnswers, missingCapabilities } from './client-input.ts'
import type { InputRound } from './request-state.ts'
import type { Channel, Session } from './session.ts'
import { handleId } from './session-handle.ts'
import type { Task } from './tasks/task.ts'
import { listedDefinitionHash } from './tool-listing.ts'

const noop = (): void => {}

const FIRST_ROUND: InputRound = Object.freeze({ answers: Object.freeze({}) })

export class Exchange implements Caller {
  readonly session: Session
  readonly id: RequestId
  readonly method: string
  readonly params: Params | undefined
  readonly meta: Params | undefined
  readonly modern: boolean
  readonly schemaSteps: StepBudget | undefined
  /** interrupted when the request is cancelled */
  scope: RequestScope | undefined = undefined
  /** ends a request that stays open, such as subscriptions/listen */
  onCancel: (() => void) | undefined = undefined
  /** the task this request became: its stream is closed. In the legacy era its notifications go to the standing stream of the session */
  task: Task | undefined = undefined
  /** the task that carries the questions of a running tool */
  taskAsking: Task | undefined = undefined
  cancelled = false
  /** when progress was last reported, if the channel wants a gap before the answer */
  #reportedAt: number | undefined = undefined
  readonly #channel: Channel
  #client: ClientDescription | undefined = undefined
  /** state of the previous rounds, after `checkState` verified it */
  #previous: InputRound = FIRST_ROUND
  /** this round's answers were used for the question that carried state, so they do not answer the next one */
  #answersUsed = false

  constructor(session: Session, request: Request, channel: Channel, schemaSteps?: StepBudget) {
    this.session = session
    this.id = request.id
    this.method = request.method
    this.params = request.params
    const meta = request.params?._meta
    this.meta = isObject(meta) ? checkedMeta(meta) : undefined
    this.modern = this.meta !== undefined && META.protocolVersion in this.meta
    this.#channel = channel
    this.schemaSteps = schemaSteps
    if (this.modern) this.#checkMeta(this.meta as Params)
    else if (meta !== undefined && !isObject(meta)) throw invalidMeta('_meta must be an object')
    checkLengths(this.method, request.params, this.meta)
  }

  #checkMeta(meta: Params): void {
    const version = meta[META.protocolVersion]
    if (version !== MODERN_VERSION) {
      if (typeof version !== 'string' || version.length > MAX_NAME_LENGTH)
        throw invalidMeta(`_meta["${META.protocolVersion}"] must be a string`)
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

  /** The requests of a legacy session have the same id and scopes, but may come with other claims. */
  get principal(): Principal {
    return this.#channel.principal ?? this.session.principal
  }

  get request(): RequestInfo | undefined {
    return this.#channel.request
  }

  get client(): ClientDescription {
    if (!this.modern) return this.session.client
    this.#client ??= {
      info: this.meta?.[META.clientInfo] as ClientDescription['info'],
      capabilities: this.capabilities,
    }
    return this.#client
  }

  /** Of the client. Few requests need the rest of its description. */
  get capabilities(): JsonObject {
    return this.modern ? (this.meta?.[META.clientCapabilities] as JsonObject) : this.session.client.capabilities
  }

  get headerMismatch(): HeaderMismatch | undefined {
    return this.#channel.headerMismatch
  }

  notify(method: string, params: Params): void {
    if (this.cancelled) return
    if (this.task !== undefined) return this.#notifyOfTask(this.task, method, params)
    if (this.#channel.answerGapMs !== undefined && method === 'notifications/progress')
      this.#reportedAt = performance.now()
    this.#channel.send(notification(method, params))
  }

  #notifyOfTask({ taskId }: Task, method: string, params: Params): void {
    const { session } = this
    if (this.modern || session.isClosed) return
    const _meta = { ...(params._meta as JsonObject | undefined), [META.relatedTask]: { taskId } }
    session.channel.send(notification(method, { ...params, _meta }))
  }

  /** The client asked for the call to run as a task. The modern era leaves that to the server. */
  get wantsTask(): boolean {
    return this.hasLegacyTasks && isObject(this.params?.task)
  }

  get hasLegacyTasks(): boolean {
    return !this.modern && this.session.version === LEGACY_TASKS_VERSION
  }

  /** Asks a legacy client while this request is open. */
  askNow(requests: InputRequests, signal: AbortSignal): Promise<InputResponses> {
    return this.session.ask(requests, this.#channel, { signal })
  }

  /** The answer may have to wait; see `Channel.answerGapMs`. */
  get hasReported(): boolean {
    return this.#reportedAt !== undefined
  }

  get answerDelayMs(): number {
    if (this.#reportedAt === undefined) return 0
    return Math.max(0, this.#reportedAt + (this.#channel.answerGapMs ?? 0) - performance.now())
  }

  /**
   * The object itself is the identity: nothing that a client declares can name another one. Modern HTTP has a session per request,
   * because two requests with the same credential may come from two clients.
   */
  get connection(): object {
    return this.session
  }

  get sessionId(): string | undefined {
    const { session } = this
    if (session.isLasting) return session.recordId
    return this.meta?.[META.session] === undefined ? undefined : handleId(this.meta, this.principal.id)
  }

  get recordedClient(): RecordedClient | null {
    const info = this.modern ? this.meta?.[META.clientInfo] : this.session.client.info
    return this.session.clientRecords.of(info, this.sessionId ?? null)
  }

  handedOver(tool: Tool): boolean {
    const { handOverKey, server } = this.session
    if (handOverKey === undefined || this.params === undefined || this.method !== 'tools/call') return false
    const definition = listedDefinitionHash(server, tool)
    return definition !== undefined && isHandedOver(handOverKey, definition, this.params)
  }

  get carried(): JsonObject | undefined {
    return this.#previous.carried
  }

  get level(): LogLevel | undefined {
    const wanted = this.modern ? this.meta?.[META.logLevel] : this.session.logLevel
    return isLogLevel(wanted) ? wanted : undefined
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const wanted = this.level
    if (wanted === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(wanted)) return
    this.notify('notifications/message', { level, ...(logger !== undefined && { logger }), data: toLoggable(data) })
  }

  ask(scope: RequestScope, requests: InputRequests, carried?: JsonObject): InputResponses | Promise<InputResponses> {
    const missing = missingCapabilities(requests, this.capabilities)
    if (missing !== undefined) throw this.#cannotAsk(missing)
    if (this.taskAsking !== undefined) return this.taskAsking.ask(requests)
    if (!this.modern) return this.session.ask(requests, this.#channel, scope)
    if (carried !== undefined) return this.#askCarrying(requests, carried)
    const { answers, open } = matchAnswers(requests, this.#answers())
    if (Object.keys(open).length > 0) throw new InputRequired(open)
    return answers
  }

  /** A question that carries state resumes there, so each round's answers are for one question only. */
  #askCarrying(requests: InputRequests, carried: JsonObject): InputResponses {
    const { answers, open } = matchAnswers(requests, this.#answersUsed ? {} : this.#answers())
    this.#answersUsed = true
    if (Object.keys(open).length > 0) throw new InputRequired(open, carried, answers)
    return answers
  }

  /** The modern era has an error for this. For a legacy client the tool is unavailable. */
  #cannotAsk(missing: JsonObject): Error {
    const names = Object.keys(missing).join(', ')
    if (this.modern) return missingCapability(names, missing)
    return ToolError.of('UnavailableError', `The tool needs ${names}, which the client does not support.`, { missing })
  }

  /** Answers of this round, and of earlier rounds from the signed state. */
  #answers(): InputResponses {
    return { ...this.#previous.answers, ...(this.params?.inputResponses as InputResponses | undefined) }
  }

  get givenAnswers(): GivenAnswers | undefined {
    const { rounds = [], secrets = [] } = this.#previous
    const now = this.params?.inputResponses
    const hasNew = this.modern && isObject(now) && Object.keys(now).length > 0
    if (!hasNew) return rounds.length === 0 ? undefined : { rounds, secrets }
    return { rounds: [...rounds, now as InputResponses], secrets }
  }

  /** For requests that may ask. Foreign state is rejected even if nothing is asked. */
  checkState(): void {
    const { params } = this
    if (params === undefined) return
    if (params.inputResponses !== undefined && !isObject(params.inputResponses)) {
      throw invalidParams('inputResponses must be an object')
    }
    if (params.requestState !== undefined) {
      const { server, principal } = this.session
      this.#previous = server.signer.open(params.requestState, this.#identity(), principal.id)
    }
  }

  /** Ends this round with the open questions and the signed state. */
  inputRequired(required: InputRequired): object {
    const { server, principal } = this.session
    const { requests, carried, answered } = required
    const { rounds = [], secrets = [] } = this.givenAnswers ?? {}
    const names = [...new Set([...secrets, ...secretAnswerNames(requests)])]
    const round: InputRound = {
      ...(carried === undefined ? { answers: this.#answers() } : { answers: answered ?? {}, carried }),
      ...(rounds.length > 0 && { rounds }),
      ...(names.length > 0 && { secrets: names }),
    }
    return {
      resultType: 'input_required',
      inputRequests: requests,
      requestState: server.signer.seal(this.#identity(), principal.id, round),
      _meta: server.meta,
    }
  }

  /** The fields that identify a request across rounds. No round of a dry run is one of a call, or the reverse. */
  #identity(): object {
    const { name, uri, arguments: args } = this.params ?? {}
    const dryRun = this.meta?.[META.dryRun]
    return { method: this.method, name, uri, arguments: args, ...(dryRun !== undefined && { dryRun }) }
  }

  cancel(reason?: string): void {
    this.cancelled = true
    this.scope?.interrupt(cancellation(reason))
    this.onCancel?.()
  }

  outOfScope(missing: string, granted: readonly string[]): void {
    this.#channel.outOfScope?.(missing, granted)
  }

  onGone(listener: () => void): () => void {
    return this.#channel.onGone?.(listener) ?? noop
  }

  get isAway(): boolean {
    return this.#channel.isAway === true
  }

  disconnect(): boolean {
    this.#channel.disconnect?.()
    return this.#channel.disconnect !== undefined
  }
}

/** Unknown members of the metadata are ignored. The context reaches tools and the audit, like arguments, so the same rules hold for it. */
function checkedMeta(meta: Params): Params {
  if (Object.hasOwn(meta, PROTO)) throw invalidMeta(`A member named "${PROTO}" is not accepted (at /_meta/${PROTO}).`)
  const context = meta[META.context]
  if (context === undefined) return meta
  try {
    const plain = toJson(context, { what: 'arguments', at: ['_meta', META.context] }) as Json
    return plain === context ? meta : { ...meta, [META.context]: plain }
  } catch (thrown) {
    throw invalidMeta((thrown as Error).message)
  }
}

/** Identifiers are short: they are repeated in answers and notifications, and kept as long as the request. */
function checkLengths(method: string, params: Params | undefined, meta: Params | undefined): void {
  // A call of a tool that does not exist is recorded, whatever its name.
  if (params !== undefined && method !== 'tools/call') checkNames(params)
  if (meta === undefined) return
  const token = meta[META.progressToken]
  if (token === undefined || typeof token === 'number') return
  if (typeof token !== 'string') throw invalidMeta(`_meta["${META.progressToken}"] must be a string or a number`)
  checkLength(`_meta["${META.progressToken}"]`, token, MAX_ID_LENGTH)
}

function checkNames({ name, taskId, uri, ref }: Params): void {
  checkLength('name', name, MAX_NAME_LENGTH)
  checkLength('taskId', taskId, MAX_NAME_LENGTH)
  checkLength('uri', uri, MAX_URI_LENGTH)
  if (!isObject(ref)) return
  checkLength('ref.name', ref.name, MAX_NAME_LENGTH)
  checkLength('ref.uri', ref.uri, MAX_URI_LENGTH)
}

function checkLength(what: string, value: unknown, most: number): void {
  if (typeof value === 'string' && value.length > most)
    throw invalidParams(`${what} has ${value.length} characters; ${most} are the most`)
}

/** The request that a call came with. */
export type CallerSource = Pick<Caller, 'request' | 'connection' | 'sessionId' | 'recordedClient' | 'isAway'>

/** For calls without an MCP connection (`POST /call`, batches): there is no client to ask or notify. */
export function plainCaller(
  transport: string,
  principal: Principal,
  options: {
    readonly schemaSteps?: StepBudget
    readonly source?: CallerSource
    readonly onGone?: Caller['onGone']
  } = {},
): Caller {
  const { schemaSteps, source, onGone } = options
  return {
    schemaSteps,
    connection: source?.connection,
    sessionId: source?.sessionId,
    recordedClient: source?.recordedClient,
    transport,
    principal,
    get request() {
      return source?.request
    },
    client: { info: undefined, capabilities: {} },
    notify: () => {},
    log: () => {},
    ask: cannotAsk,
    disconnect: () => true,
    onGone,
    get isAway() {
      return source?.isAway === true
    },
  }
}

const cannotAsk = (): never => {
  throw ToolError.of(
    'UnavailableError',
    'The tool asks for input, which this way of calling does not support. Use tools/call.',
  )
}
