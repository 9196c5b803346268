/**
 * Forwards requests to one upstream and brings the results back. Client and upstream may be of different eras:
 *
 * 1. The request is sent with the caller's `_meta`, progress and cancellation.
 * 2. Questions of the upstream go to the client, over as many rounds as needed. A modern client's request ends with the questions
 *    and is suspended until the client sends the answers.
 * 3. A task is followed to its end.
 *
 * The result is the upstream's final result, without `_meta` that only the host writes, and unchanged unless the operator wants results
 * marked as data.
 */
import { setImmediate } from 'node:timers/promises'
import { InputRequired } from '../../pipeline/outcome.ts'
import { RequestScope } from '../../pipeline/request-scope.ts'
import { canonical } from '../../protocol/canonical.ts'
import type { InputRequests } from '../../protocol/content.ts'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { handOverProof } from '../../protocol/hand-over.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { definitionHash } from '../../server/tool-listing.ts'
import type { RequestContext } from '../../tool/context.ts'
import { sha256 } from '../../tool/hash.ts'
import type { TaskSupport } from '../../tool/task-support.ts'
import { resultWithHostUris, type ToHostUri } from '../apps/app-uris.ts'
import { ReviewedPages } from '../apps/reviewed-pages.ts'
import { accountHeader } from '../sign-in/account-header.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { isCancelled, isTimeout } from '../upstream/upstream-errors.ts'
import { withoutReservedMeta } from './attribution.ts'
import { forwardedMeta, hasTasks, isModern } from './forwarded-meta.ts'
import { ForwardedRequest, RoundSuspended } from './forwarded-request.ts'
import { ForwardedRequests, namesTask } from './forwarded-requests.ts'
import { markResult } from './mark-result.ts'
import type { RecentSecrets } from './recent-secrets.ts'
import { SuspendedRequests } from './suspended-requests.ts'
import { cancelUpstreamTask, createdTask, followLegacyTask, taskParams } from './upstream-legacy-task.ts'
import { questionError, readQuestions } from './upstream-questions.ts'
import { followTask } from './upstream-task.ts'

/** Stops an upstream that never finishes asking. */
const MAX_ROUNDS = 100

export interface UpstreamRequest {
  readonly method: string
  readonly params: JsonObject
  /** sent if the upstream's transport has headers */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** of a call that needs a decision: the tool as the upstream lists it */
  readonly decided?: JsonObject | undefined
  /** of a call of a tool that a legacy server runs as a task */
  readonly task?: TaskSupport | undefined
  /** `tasks/result` of a legacy server: the call that became the task */
  readonly taskOf?: UpstreamRequest
}

/** One forwarder for each caller, because the upstream keeps state for it, or because a connection has one account. */
export interface SessionForwarders {
  use<T>(scope: RequestContext, work: (own: Forwarder) => Promise<T>): Promise<T>
}

export interface ForwarderOptions {
  /** every request belongs to this client, whatever its session object is; see `ForwardedRequests` */
  readonly client?: object | undefined
  readonly sessions?: SessionForwarders | undefined
  /** each caller has an account of its own at the server, and requests of all of them share the connection */
  readonly hasAccounts?: boolean
}

export class Forwarder {
  readonly upstream: Upstream
  readonly requests: ForwardedRequests
  readonly suspended = new SuspendedRequests()
  /** those of its apps */
  readonly pages: ReviewedPages
  /** set while pages of its apps have another URI here, or another server has pages */
  toHostUri: ToHostUri | undefined
  readonly #secrets: RecentSecrets
  readonly #sessions: SessionForwarders | undefined
  readonly #hasAccounts: boolean

  constructor(upstream: Upstream, secrets: RecentSecrets, options: ForwarderOptions = {}) {
    this.upstream = upstream
    this.#hasAccounts = options.hasAccounts === true
    this.#secrets = secrets
    this.pages = new ReviewedPages(upstream)
    this.requests = new ForwardedRequests(options.client)
    this.#sessions = options.sessions
  }

  /** Undefined: requests of all callers go over the connection of the server. */
  get sessions(): SessionForwarders | undefined {
    if (this.#sessions === undefined) return undefined
    const { settings, listing } = this.upstream
    // A modern server gets the account with each request. A session of the legacy era has one.
    return settings.sessions !== 'caller' && listing?.era === 'modern' ? undefined : this.#sessions
  }

  /** Throws what `Upstream.request` throws, and InputRequired if the client must send answers. */
  send(request: UpstreamRequest, scope: RequestContext): Promise<JsonObject> {
    const { name, settings } = this.upstream
    const { method, params } = request
    const sessions = this.sessions
    const result =
      sessions === undefined ? this.forward(request, scope) : sessions.use(scope, (own) => own.forward(request, scope))
    if (method === 'resources/read') return result.then((final) => this.#readResult(String(params.uri), final))
    const marked = settings.results === 'mark' ? result.then((final) => markResult(final, name)) : result
    const { toHostUri } = this
    return toHostUri === undefined ? marked : marked.then((final) => resultWithHostUris(final, toHostUri))
  }

  /** The result as the upstream gave it. Only the forwarder with the definitions knows which pages were reviewed, and their URIs here. */
  forward(request: UpstreamRequest, scope: RequestContext): Promise<JsonObject> {
    return this.#send(request, scope).then((final) => withoutReservedMeta(final, request.method))
  }

  /** A page is for an app and stays as it was reviewed. Anything else may be read by a model. */
  #readResult(uri: string, result: JsonObject): JsonObject | Promise<JsonObject> {
    const { name, settings } = this.upstream
    return this.pages.check(uri, result) || settings.results !== 'mark' ? result : markResult(result, name)
  }

  /** How one caller subscribes by itself; undefined: all callers share the subscriptions. */
  get subscribeFor(): ((uri: string, onChange: () => void, scope: RequestContext) => Promise<() => void>) | undefined {
    const { sessions } = this
    if (sessions === undefined) return undefined
    return (uri, onChange, scope) => sessions.use(scope, ({ upstream }) => upstream.subscribe(uri, onChange))
  }

  #send(request: UpstreamRequest, scope: RequestContext): Promise<JsonObject> {
    if (!(scope instanceof RequestScope))
      throw ToolError.of('ToolExecutionError', 'A tool of an upstream can only be called through a server.')
    const { carried } = scope
    const task = taskParams(request.task, scope, this.upstream)
    if (carried !== undefined && carried.to === this.#identify(request)) return this.#resume(request, scope, carried)
    if (task !== undefined) return this.#runTask(request, task, scope)
    return this.#forward(request, scope).then((result) =>
      isFinal(result) ? result : this.#untilFinal(request, scope, result),
    )
  }

  /** A call that a legacy server runs as a task, if it agrees. */
  async #runTask(request: UpstreamRequest, task: JsonObject, scope: RequestScope): Promise<JsonObject> {
    const over = new AbortController()
    try {
      const params = { ...request.params, task }
      const head = await this.#forward({ ...request, params }, scope, over.signal)
      const created = createdTask(head)
      if (created === undefined) return isFinal(head) ? head : await this.#untilFinal(request, scope, head)
      const { taskId } = created
      const result = { method: 'tasks/result', params: { taskId: taskId as string }, taskOf: request }
      return await followLegacyTask(this.upstream, created, scope, () => this.#forward(result, scope))
    } finally {
      over.abort()
    }
  }

  /** A later round of a modern client: it returns the signed state and the answers. */
  async #resume(request: UpstreamRequest, scope: RequestScope, carried: JsonObject): Promise<JsonObject> {
    const { suspendedId, questions, left } = carried
    if (typeof suspendedId !== 'string') return this.#untilFinal(request, scope, left as JsonObject)
    // Ask first: a round without the answers must change nothing.
    const answers = await scope.ask(questions as unknown as InputRequests, { carried })
    const forwarded = this.suspended.take(suspendedId, scope.principal.id)
    const settled = forwarded.resume(scope, answers)
    this.#secrets.add(forwarded)
    return this.#waitFor(request, forwarded, settled)
  }

  /** Continues until the upstream returns a final result. */
  async #untilFinal(request: UpstreamRequest, scope: RequestScope, first: JsonObject): Promise<JsonObject> {
    const { upstream } = this
    let result = first
    for (let round = 0; !isFinal(result); round++) {
      if (round >= MAX_ROUNDS) {
        const why = `${upstream.name} asked ${MAX_ROUNDS} times without returning a result.`
        throw ToolError.of('ToolExecutionError', why)
      }
      const { _meta: _, ...left } = result
      const carried = { to: this.#identify(request), left }
      if (result.resultType === 'task') {
        if (this.#hasAccounts) throw noAccountsForTasks(upstream.name)
        // A task may take hours, without the deadline of a call: only a server that says that it has tasks may return one.
        if (upstream.listing === undefined || !hasTasks(upstream.listing)) {
          const message = `${upstream.name} returned a task, but does not declare the tasks extension.`
          throw ToolError.of('ToolExecutionError', message)
        }
        result = await followTask(upstream, result, scope, carried)
        continue
      }
      const { inputRequests, requestState } = result
      const questions = await readQuestions(inputRequests, upstream.name)
      const answers = Object.keys(questions).length === 0 ? {} : await scope.ask(questions, { carried })
      const answered = { inputResponses: answers as JsonObject, ...(requestState !== undefined && { requestState }) }
      result = await this.#forward({ ...request, params: { ...request.params, ...answered } }, scope)
    }
    return result
  }

  #forward(request: UpstreamRequest, scope: RequestScope, progressUntil?: AbortSignal): Promise<JsonObject> {
    const { upstream, requests } = this
    const { method, params, headers, decided, taskOf } = request
    const sent = this.#hasAccounts ? this.#forAccount(headers, scope) : headers
    const canSuspend = this.#canSuspend(method, scope)
    // A tool call has its own deadline.
    const timeoutMs =
      method === 'tools/call' || taskOf !== undefined || canSuspend ? undefined : upstream.settings.timeoutMs
    const secrets = this.#secrets
    const forwarded = new ForwardedRequest(scope, {
      timeoutMs,
      headers: sent,
      canSuspend,
      secrets,
      progressUntil,
      task: taskOf === undefined ? undefined : String(params.taskId),
    })
    requests.add(forwarded)
    secrets.add(forwarded)
    if (taskOf !== undefined)
      forwarded.abort?.signal.addEventListener('abort', () => cancelUpstreamTask(upstream, params.taskId))
    const outcome = upstream.request(method, this.#withProof(this.#withMeta(params, scope), decided), forwarded).then(
      (result) => {
        requests.delete(forwarded)
        secrets.end(forwarded, result)
        return result.isError === true ? secrets.failedResult(result, forwarded) : result
      },
      (thrown) => {
        secrets.end(forwarded)
        if (isCancelled(thrown) || isTimeout(thrown)) requests.abandon(forwarded)
        else requests.delete(forwarded)
        // A call that timed out may mean that the whole upstream hangs.
        if (forwarded.scope.interrupted?.error_type === 'TimeoutError') upstream.checkHealth()
        throw secrets.error(thrown, forwarded)
      },
    )
    if (!canSuspend) return outcome
    return this.#waitFor(taskOf ?? request, forwarded, forwarded.settle(outcome))
  }

  #forAccount(headers: UpstreamRequest['headers'], { principal }: RequestScope): UpstreamRequest['headers'] {
    return { ...headers, ...accountHeader(principal.id) }
  }

  /** Every call has passed the gates of this program before it comes here. A child that this program started takes its word for it. */
  #withProof(params: JsonObject, decided: JsonObject | undefined): JsonObject {
    const { handOverKey } = this.upstream.settings
    if (handOverKey === undefined || decided === undefined) return params
    const proof = handOverProof(handOverKey, definitionHash(decided), params)
    return { ...params, _meta: { ...(params._meta as JsonObject | undefined), [META.handOver]: proof } }
  }

  #withMeta(params: JsonObject, scope: RequestScope): JsonObject {
    const meta = forwardedMeta(scope, this.upstream.listing)
    if (meta === undefined) return params
    return { ...params, _meta: params._meta === undefined ? meta : { ...meta, ...(params._meta as JsonObject) } }
  }

  /** A legacy upstream asks during the request, but a modern client can only be asked by ending its request. */
  #canSuspend(method: string, scope: RequestScope): boolean {
    // The result of a completion cannot be a question.
    if (method === 'completion/complete' || !isModern(scope) || this.upstream.listing?.era === 'modern') return false
    const { sampling, elicitation, roots } = scope.client.capabilities
    return sampling !== undefined || elicitation !== undefined || roots !== undefined
  }

  async #waitFor(
    request: UpstreamRequest,
    forwarded: ForwardedRequest,
    settled: Promise<JsonObject | RoundSuspended>,
  ): Promise<JsonObject> {
    const { scope } = forwarded
    // A task may take hours.
    if (forwarded.task !== undefined) scope.deadline?.pause()
    const stop = (): void => forwarded.abort?.abort(scope.signal.reason)
    scope.signal.addEventListener('abort', stop, { once: true })
    try {
      const result = await settled
      if (!(result instanceof RoundSuspended)) return result
      if (!this.suspended.makeRoom(scope.principal.id)) {
        forwarded.rejectQuestions('Too many calls are waiting for answers from their clients.')
        return await this.#waitFor(request, forwarded, forwarded.resume(scope, {}))
      }
      this.suspended.add(forwarded, () => forwarded.abort?.abort())
      const { questions } = result
      const asked = questions as unknown as JsonObject
      throw new InputRequired(questions, { to: this.#identify(request), suspendedId: forwarded.id, questions: asked })
    } finally {
      scope.signal.removeEventListener('abort', stop)
      if (forwarded.task !== undefined) scope.deadline?.resume()
    }
  }

  /** Answers a question of a legacy upstream. */
  async answerQuestion(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { name, settings } = this.upstream
    // Now: the next message may be the answer of the call that asks. A task may ask before its result is fetched.
    const forwarded = this.requests.ownerOf(params) ?? (namesTask(params) ? await this.#ownerSoon(params) : undefined)
    const { question } = await readQuestions({ question: { method, params } }, name)
    const isRoots = method === 'roots/list'
    const ownRoots = (): JsonObject => ({ roots: settings.roots.map((uri) => ({ uri })) })
    if (forwarded === undefined && isRoots) return ownRoots()
    if (forwarded === undefined) throw this.#noOwner(method)
    try {
      const answer = await forwarded.askClient(question as InputRequests[string], signal)
      this.#secrets.add(forwarded)
      return answer
    } catch (thrown) {
      if (isRoots && settings.roots.length > 0) return ownRoots()
      throw questionError(thrown)
    }
  }

  async #ownerSoon(params: JsonObject): Promise<ForwardedRequest | undefined> {
    await setImmediate()
    return this.requests.ownerOf(params)
  }

  #noOwner(method: string): RpcError {
    const { size } = this.requests
    const why =
      size === 0
        ? 'no client has a call in progress'
        : 'several clients have calls in progress or gave one up, and the question does not say which call it belongs to'
    return new RpcError(-32600, `${method} cannot be asked: ${why}.`)
  }

  /** Identifies a request, so that a nested call cannot pick up state that belongs to another request. */
  #identify({ method, params }: UpstreamRequest): string {
    const { name, uri, arguments: args, _meta } = params
    const dryRun = isObject(_meta) && _meta[META.dryRun] === true && { dryRun: true }
    return sha256(canonical({ server: this.upstream.name, method, name, uri, arguments: args, ...dryRun }))
  }

  close(): void {
    this.suspended.close()
  }
}

const noAccountsForTasks = (server: string): ToolError =>
  ToolError.of(
    'PermissionError',
    `${server}: tasks with an account for each caller (auth.per_caller) need "sessions": "caller".`,
    { server },
  )

/** True for nearly every result. */
function isFinal({ resultType, inputRequests, requestState }: JsonObject): boolean {
  if (resultType === undefined || resultType === 'complete') return true
  if (resultType === 'task') return false
  return resultType !== 'input_required' || !(isObject(inputRequests) || requestState !== undefined)
}
