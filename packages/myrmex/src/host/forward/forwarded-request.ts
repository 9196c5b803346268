/**
 * One request forwarded to an upstream. If the upstream asks a question that only the end of the client's request can carry, the
 * forwarded request outlives that client request: it is suspended, and the client's next round resumes it.
 */
import { InputRequired } from '../../pipeline/outcome.ts'
import type { RequestScope, StopSignal } from '../../pipeline/request-scope.ts'
import { crypto } from '../../protocol/builtin.ts'
import type { InputRequest, InputRequests, InputResponses } from '../../protocol/content.ts'
import { CODE, RpcError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import type { SendOptions } from '../link/link.ts'
import type { RecentSecrets } from './recent-secrets.ts'

interface Question {
  readonly request: InputRequest
  readonly answer: (given: JsonObject) => void
  readonly reject: (why: RpcError) => void
}

export interface ForwardOptions extends Pick<SendOptions, 'timeoutMs' | 'headers' | 'progressUntil'> {
  /** the request may continue after the client request that started it has ended */
  readonly canSuspend?: boolean
  /** the task of a legacy server whose result is fetched; its server names it in each question */
  readonly task?: string | undefined
  /** those of other calls are removed from its progress */
  readonly secrets?: RecentSecrets
}

/** The request object doubles as the link's send options, which saves an allocation per call. */
export class ForwardedRequest implements SendOptions {
  /** the client request that waits for it now */
  scope: RequestScope
  readonly timeoutMs: number | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly progressUntil: AbortSignal | undefined
  /** set if the request may be suspended */
  readonly abort: AbortController | undefined
  readonly task: string | undefined
  readonly #secrets: RecentSecrets | undefined
  #questions: Map<string, Question> | undefined
  #id: string | undefined
  #questionCount = 0
  #outcome: Promise<JsonObject> | undefined
  #suspend: ((questions: InputRequests) => void) | undefined

  constructor(scope: RequestScope, options: ForwardOptions) {
    this.scope = scope
    this.timeoutMs = options.timeoutMs
    this.headers = options.headers
    this.progressUntil = options.progressUntil
    this.task = options.task
    this.#secrets = options.secrets
    this.abort = options.canSuspend ? new AbortController() : undefined
  }

  get signal(): StopSignal {
    return this.abort?.signal ?? this.scope
  }

  /** Identifies the request in the state that a client sends back. Created on demand, since few requests need one. */
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
        typeof message === 'string' ? (this.#secrets?.forCaller(message, this) ?? message) : undefined,
      )
    }
  }

  /** Resolves with the result, or with the questions to ask first. */
  settle(outcome: Promise<JsonObject>): Promise<JsonObject | RoundSuspended> {
    this.#outcome = outcome
    const over = (): void => {
      // The call is over: reject open questions, unless the client is already answering them.
      if (this.#suspend !== undefined) this.rejectQuestions('The call that asked has ended.')
    }
    // The caller that awaits the outcome gets its failure.
    outcome.then(over, over)
    return this.#wait(outcome)
  }

  #wait(outcome: Promise<JsonObject>): Promise<JsonObject | RoundSuspended> {
    return new Promise((resolve, reject) => {
      // Named first, like the function in `Deadline.race`.
      const suspend = (questions: InputRequests): void => resolve(new RoundSuspended(questions))
      this.#suspend = suspend
      // Asked between two rounds.
      if (this.#questions !== undefined && this.#questions.size > 0) this.#endRound()
      else outcome.then(resolve, reject)
    })
  }

  /** Puts a question of the upstream to the client of this request. */
  async askClient(request: InputRequest, signal: AbortSignal): Promise<JsonObject> {
    const key = `question_${++this.#questionCount}`
    try {
      const answers = await this.scope.ask({ [key]: request }, { carried: { suspendedId: this.id } })
      return answers[key] as JsonObject
    } catch (thrown) {
      // Only a request that went through `settle` can be suspended.
      if (!(thrown instanceof InputRequired) || this.#outcome === undefined) throw thrown
      return this.#waitFor(key, request, signal)
    }
  }

  #waitFor(key: string, request: InputRequest, signal: AbortSignal): Promise<JsonObject> {
    return new Promise((answer, reject) => {
      this.#questions ??= new Map()
      this.#questions.set(key, { request, answer, reject })
      const forget = (): void => {
        this.#questions?.delete(key)
        reject(new RpcError(CODE.invalidRequest, 'The question was cancelled.'))
      }
      signal.addEventListener('abort', forget, { once: true })
      this.#endRound()
    })
  }

  #endRound(): void {
    const suspend = this.#suspend
    this.#suspend = undefined
    const open = [...(this.#questions ?? [])]
    suspend?.(Object.fromEntries(open.map(([key, { request }]) => [key, request])))
  }

  /** Continues with the next round, which has the answers. */
  resume(scope: RequestScope, answers: InputResponses): Promise<JsonObject | RoundSuspended> {
    this.scope = scope
    for (const [key, answer] of Object.entries(answers)) {
      this.#questions?.get(key)?.answer(answer as JsonObject)
      this.#questions?.delete(key)
    }
    return this.#wait(this.#outcome as Promise<JsonObject>)
  }

  rejectQuestions(why: string): void {
    for (const { reject } of this.#questions?.values() ?? []) reject(new RpcError(CODE.invalidRequest, why))
    this.#questions?.clear()
  }
}

/** The round ended with questions, and the request is suspended until the next round. */
export class RoundSuspended {
  readonly questions: InputRequests

  constructor(questions: InputRequests) {
    this.questions = questions
  }
}
