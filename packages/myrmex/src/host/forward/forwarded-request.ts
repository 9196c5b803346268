/**
 * One request on its way to an upstream, for as long as the upstream is at work on it. Where a question of the upstream's can only be
 * asked by ending the client's request, the flight outlives that request: it waits, and the client's next round goes on with it.
 */
import { InputRequired } from '../../pipeline/outcome.ts'
import type { RequestScope, StopSignal } from '../../pipeline/request-scope.ts'
import { crypto } from '../../protocol/builtin.ts'
import type { InputRequest, InputRequests, InputResponses } from '../../protocol/content.ts'
import { CODE, RpcError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import type { SendOptions } from '../link/link.ts'

interface Question {
  readonly request: InputRequest
  readonly answer: (given: JsonObject) => void
  readonly refuse: (why: RpcError) => void
}

/** Why a round ends although its flight goes on. */
export interface SuspendedRound {
  readonly suspendedId: string
  readonly questions: InputRequests
}

export interface ForwardOptions {
  readonly timeoutMs?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** it may go on when the request is over that it began with */
  readonly canSuspend?: boolean
}

const DEFAULTS: ForwardOptions = {}

/** It is also what its link is told of it: nothing more is made for a call. */
export class ForwardedRequest implements SendOptions {
  /** whoever waits for it now */
  scope: RequestScope
  readonly timeoutMs: number | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  /** of one that outlives the request it began with */
  readonly abort: AbortController | undefined
  #open: Map<string, Question> | undefined
  #id: string | undefined
  #count = 0
  #outcome: Promise<JsonObject> | undefined
  #leave: ((waiting: SuspendedRound) => void) | undefined

  constructor(scope: RequestScope, options: ForwardOptions = DEFAULTS) {
    this.scope = scope
    this.timeoutMs = options.timeoutMs
    this.headers = options.headers
    this.abort = options.canSuspend ? new AbortController() : undefined
  }

  get signal(): StopSignal {
    return this.abort?.signal ?? this.scope
  }

  /** names it in the state that a client brings back; few flights need one */
  get id(): string {
    this.#id ??= crypto.randomUUID()
    return this.#id
  }

  onProgress({ progress, total, message, _meta }: JsonObject): void {
    const part = isObject(_meta) ? _meta[META.partial] : undefined
    if (isObject(part)) this.scope.emit(part as JsonObject)
    else if (isObject(_meta) && _meta[META.disconnect] === true) this.scope.disconnect()
    else if (typeof progress === 'number') {
      this.scope.progress(
        progress,
        typeof total === 'number' ? total : undefined,
        typeof message === 'string' ? message : undefined,
      )
    }
  }

  /** What comes of it, or what must be asked first. */
  settle(outcome: Promise<JsonObject>): Promise<JsonObject | RoundSuspended> {
    this.#outcome = outcome
    const over = (): void => {
      // It wants to know no more, or it was the question of another call; where a client is about to answer, it may.
      if (this.#leave !== undefined) this.refuse('The call has ended that it was asked in.')
    }
    // Whoever waits for the outcome is told of a failure.
    outcome.then(over, over)
    return this.#landed(outcome)
  }

  #landed(outcome: Promise<JsonObject>): Promise<JsonObject | RoundSuspended> {
    return new Promise((resolve, reject) => {
      this.#leave = (waiting) => resolve(new RoundSuspended(waiting))
      // Asked while nobody was there to be asked.
      if (this.#open !== undefined && this.#open.size > 0) this.#ask()
      else outcome.then(resolve, reject)
    })
  }

  /** A question of the upstream's, to the client of this flight. */
  async askClient(request: InputRequest, signal: AbortSignal): Promise<JsonObject> {
    const key = `question_${++this.#count}`
    try {
      const answers = await this.scope.ask({ [key]: request }, { carried: { parked: this.id } })
      return answers[key] as JsonObject
    } catch (thrown) {
      // One that nobody lands cannot be left either.
      if (!(thrown instanceof InputRequired) || this.#outcome === undefined) throw thrown
      return this.#waitFor(key, request, signal)
    }
  }

  #waitFor(key: string, request: InputRequest, signal: AbortSignal): Promise<JsonObject> {
    return new Promise((answer, rejectQuestions) => {
      this.#open ??= new Map()
      this.#open.set(key, { request, answer, refuse: rejectQuestions })
      const forget = (): void => {
        this.#open?.delete(key)
        rejectQuestions(new RpcError(CODE.invalidRequest, 'It was cancelled.'))
      }
      signal.addEventListener('abort', forget, { once: true })
      this.#ask()
    })
  }

  #ask(): void {
    const leave = this.#leave
    this.#leave = undefined
    const open = [...(this.#open ?? [])]
    leave?.({ suspendedId: this.id, questions: Object.fromEntries(open.map(([key, { request }]) => [key, request])) })
  }

  /** The next round: its client has the answers. */
  resume(scope: RequestScope, answers: InputResponses): Promise<JsonObject | RoundSuspended> {
    this.scope = scope
    for (const [key, answer] of Object.entries(answers)) {
      this.#open?.get(key)?.answer(answer as JsonObject)
      this.#open?.delete(key)
    }
    return this.#landed(this.#outcome as Promise<JsonObject>)
  }

  /** The same round once more, after its questions were refused. */
  waitAgain(): Promise<JsonObject | RoundSuspended> {
    return this.#landed(this.#outcome as Promise<JsonObject>)
  }

  /** Nobody will answer. */
  refuse(why: string): void {
    for (const { refuse } of this.#open?.values() ?? []) refuse(new RpcError(CODE.invalidRequest, why))
    this.#open?.clear()
  }
}

/** The round has ended with questions, and the flight waits for the next. */
export class RoundSuspended {
  readonly round: SuspendedRound

  constructor(waiting: SuspendedRound) {
    this.round = waiting
  }
}
