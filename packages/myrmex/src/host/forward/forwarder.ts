/**
 * The way of a request through the host to one upstream and back: with its progress, cancellation and questions, over as many rounds
 * as the upstream wants, whatever the eras of client and upstream. What comes out is the upstream's last word, as it said it.
 */
import { InputRequired } from '../../pipeline/outcome.ts'
import type { RequestScope } from '../../pipeline/request-scope.ts'
import { canonical } from '../../protocol/canonical.ts'
import type { InputRequests } from '../../protocol/content.ts'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { sha256 } from '../../tool/hash.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { isCancelled, isTimeout } from '../upstream/upstream-errors.ts'
import { forwardedMeta, isModern } from './forwarded-meta.ts'
import { ForwardedRequest, RoundSuspended } from './forwarded-request.ts'
import { ForwardedRequests } from './forwarded-requests.ts'
import { SuspendedRequests } from './suspended-requests.ts'
import { readQuestions, toRpcError } from './upstream-questions.ts'
import { followTask } from './upstream-task.ts'

/** An upstream that asks again and again is not served for ever. */
const MOST_ROUNDS = 100

export interface UpstreamRequest {
  readonly method: string
  readonly params: JsonObject
  /** where the upstream's transport has headers */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export class Forwarder {
  readonly upstream: Upstream
  readonly requests = new ForwardedRequests()
  readonly suspended = new SuspendedRequests()

  constructor(upstream: Upstream) {
    this.upstream = upstream
  }

  /** Throws as `Upstream.request` does, and InputRequired where the client has to come again with answers. */
  send(sent: UpstreamRequest, scope: RequestScope): Promise<JsonObject> {
    const { carried } = scope
    if (carried !== undefined && carried.to === this.#mark(sent)) return this.#goOn(sent, scope, carried)
    return this.#fly(sent, scope).then((result) => (isFinal(result) ? result : this.#further(sent, scope, result)))
  }

  /** A later round of a client of the modern era: it brings what was left here, signed, and the answers. */
  async #goOn(sent: UpstreamRequest, scope: RequestScope, carried: JsonObject): Promise<JsonObject> {
    const { parked, asked, left } = carried
    if (typeof parked !== 'string') return this.#further(sent, scope, left as JsonObject)
    // Asked first: a round without the answers leaves everything as it is.
    const answers = await scope.ask(asked as unknown as InputRequests, { carried })
    const flight = this.suspended.take(parked, scope.principal.id)
    return this.#settled(sent, flight, flight.resume(scope, answers))
  }

  /** Round after round, as long as the upstream answers with something that is no result yet. */
  async #further(sent: UpstreamRequest, scope: RequestScope, first: JsonObject): Promise<JsonObject> {
    let result = first
    for (let round = 0; !isFinal(result); round++) {
      if (round >= MOST_ROUNDS) {
        throw ToolError.of('ToolExecutionError', `${this.upstream.name} asked ${MOST_ROUNDS} times and came to no end.`)
      }
      const { _meta: _, ...left } = result
      const carried = { to: this.#mark(sent), left }
      result =
        result.resultType === 'task'
          ? await followTask(this.upstream, result, scope, carried)
          : await this.#answer(sent, scope, result, carried)
    }
    return result
  }

  async #answer(
    sent: UpstreamRequest,
    scope: RequestScope,
    asked: JsonObject,
    carried: JsonObject,
  ): Promise<JsonObject> {
    const requests = readQuestions(asked.inputRequests, this.upstream.name)
    const answers = Object.keys(requests).length === 0 ? {} : await scope.ask(requests, { carried })
    const { requestState } = asked
    const params = {
      ...sent.params,
      inputResponses: answers as JsonObject,
      ...(requestState !== undefined && { requestState }),
    }
    return this.#fly({ ...sent, params }, scope)
  }

  #fly({ method, params, headers }: UpstreamRequest, scope: RequestScope): Promise<JsonObject> {
    const { upstream, requests: flights } = this
    const mayWait = this.#mayWait(scope)
    // A call has a deadline of its own.
    const timeoutMs = method === 'tools/call' || mayWait ? undefined : upstream.settings.timeoutMs
    const flight = new ForwardedRequest(scope, { timeoutMs, headers, canSuspend: mayWait })
    flights.add(flight)
    const outcome = upstream.request(method, this.#complete(params, scope), flight).then(
      (result) => {
        flights.delete(flight)
        return result
      },
      (thrown) => {
        if (isCancelled(thrown) || isTimeout(thrown)) flights.abandon(flight)
        else flights.delete(flight)
        // A call whose time is up is a sign that the whole upstream may hang.
        if (flight.scope.interrupted?.error_type === 'TimeoutError') upstream.checkHealth()
        throw thrown
      },
    )
    if (!mayWait) return outcome
    return this.#settled({ method, params }, flight, flight.settle(outcome))
  }

  #complete(params: JsonObject, scope: RequestScope): JsonObject {
    const said = forwardedMeta(scope, this.upstream.listing)
    if (said === undefined) return params
    return { ...params, _meta: params._meta === undefined ? said : { ...said, ...(params._meta as JsonObject) } }
  }

  /** A client of the modern era is asked by the end of its request; an upstream of the legacy era asks in the midst of it. */
  #mayWait(scope: RequestScope): boolean {
    if (!isModern(scope) || this.upstream.listing?.era === 'modern') return false
    const { sampling, elicitation, roots } = scope.client.capabilities
    return sampling !== undefined || elicitation !== undefined || roots !== undefined
  }

  async #settled(
    sent: UpstreamRequest,
    flight: ForwardedRequest,
    landing: Promise<JsonObject | RoundSuspended>,
  ): Promise<JsonObject> {
    const { scope } = flight
    const stop = (): void => flight.abort?.abort(scope.signal.reason)
    scope.signal.addEventListener('abort', stop, { once: true })
    try {
      const landed = await landing
      if (!(landed instanceof RoundSuspended)) return landed
      if (this.suspended.isFull) {
        flight.refuse('Too many calls wait for an answer of their clients.')
        return await this.#settled(sent, flight, flight.waitAgain())
      }
      this.suspended.add(flight, () => flight.abort?.abort())
      const { suspendedId, questions } = landed.round
      const carried = { to: this.#mark(sent), parked: suspendedId, answerQuestion: questions as unknown as JsonObject }
      throw new InputRequired(questions, carried)
    } finally {
      scope.signal.removeEventListener('abort', stop)
    }
  }

  /** A question of an upstream of the legacy era. */
  async asked(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { name, settings } = this.upstream
    const { question } = readQuestions({ question: { method, params } }, name)
    const flight = this.requests.soleOwner()
    const isRoots = method === 'roots/list'
    const ownRoots = (): JsonObject => ({ roots: settings.roots.map((uri) => ({ uri })) })
    if (flight === undefined && isRoots) return ownRoots()
    if (flight === undefined) throw this.#nobody(method)
    try {
      return await flight.askClient(question as InputRequests[string], signal)
    } catch (thrown) {
      if (isRoots && settings.roots.length > 0) return ownRoots()
      throw toRpcError(thrown)
    }
  }

  #nobody(method: string): RpcError {
    const { size } = this.requests
    const why =
      size === 0
        ? 'no call of a client is in progress'
        : 'calls of several clients are in progress, or were a moment ago, and the question does not say to which it belongs'
    return new RpcError(-32600, `${method} cannot be asked: ${why}.`)
  }

  /** What makes two requests the same: what a tool carries over must not be taken up by another that it calls. */
  #mark({ method, params }: UpstreamRequest): string {
    const { name, uri, arguments: args } = params
    return sha256(canonical({ server: this.upstream.name, method, name, uri, arguments: args }))
  }

  close(): void {
    this.suspended.close()
  }
}

/** Nearly every result is one. */
function isFinal({ resultType, inputRequests, requestState }: JsonObject): boolean {
  if (resultType === undefined || resultType === 'complete') return true
  if (resultType === 'task') return false
  return resultType !== 'input_required' || !(isObject(inputRequests) || requestState !== undefined)
}
