/**
 * One task (`io.modelcontextprotocol/tasks`) whose call runs in this process. The call itself passes the pipeline like any other.
 */
import type { Call } from '../../pipeline/call.ts'
import { cancellation } from '../../pipeline/outcome.ts'
import type { WaitsFor } from '../../pipeline/task-hooks.ts'
import { crypto } from '../../protocol/builtin.ts'
import type { InputRequests, InputResponses } from '../../protocol/content.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { META } from '../../protocol/versions.ts'
import { isAnswerTo } from '../client-input.ts'

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'cancelled' | 'failed'

/** How long a finished task can be fetched. */
export const TASK_TTL_MS = 3_600_000
const POLL_INTERVAL_MS = 500

export class Task {
  readonly taskId: string = crypto.randomUUID()
  readonly principal: string
  readonly createdAt = new Date().toISOString()
  readonly call: Call
  readonly #changed: (task: Task) => void
  status: TaskStatus = 'working'
  lastUpdatedAt = this.createdAt
  #result: object | undefined
  #error: JsonObject | undefined
  #message: string | undefined
  #waitsFor: WaitsFor | undefined
  /** unanswered questions, by keys that are unique within the task. Without a prototype, `__proto__` is a key like any other. */
  #questions: InputRequests = Object.create(null)
  #answers: InputResponses = Object.create(null)
  #waiting = new Map<string, PromiseWithResolvers<void>>()
  #change = Promise.withResolvers<void>()
  #taker = new AbortController()
  #usedKeys = new Set<string>()

  constructor(call: Call, changed: (task: Task) => void) {
    this.call = call
    this.principal = call.principal.id
    this.#changed = changed
  }

  get isOver(): boolean {
    return this.status === 'completed' || this.status === 'cancelled' || this.status === 'failed'
  }

  get expired(): boolean {
    return this.isOver && Date.now() > Date.parse(this.lastUpdatedAt) + TASK_TTL_MS
  }

  /** The caller cancelled it, so its result does not matter. */
  get cancelled(): boolean {
    return this.call.interrupted?.error_type === 'CancelledError'
  }

  complete(result: object): void {
    if (this.cancelled) this.#setStatus('cancelled')
    else {
      this.#result = result
      this.#message = undefined
      this.#setStatus('completed')
    }
  }

  /** What its call waits for, for the client to show. A call that is cancelled while it waits has not run. */
  waitFor(asked: WaitsFor | undefined): void {
    this.#waitsFor = asked
    this.#message = asked && `Waiting for a human: approval ${asked.approval} (${asked.reason}).`
    this.#setStatus(this.status)
  }

  /** `_meta` for clients that would rather send the call again than wait. */
  get ownMeta(): JsonObject | undefined {
    const asked = this.#waitsFor
    return asked && { [META.waitsFor]: { ...asked } }
  }

  fail(error: JsonObject): void {
    this.#error = error
    this.#message = String(error.message)
    this.#setStatus('failed')
  }

  cancel(): void {
    if (!this.isOver) this.call.interrupt(cancellation('tasks/cancel'))
  }

  /** Waits until `tasks/update` has answered every question. */
  async ask(requests: InputRequests): Promise<InputResponses> {
    const keys = new Map<string, string>()
    const waiting: Promise<void>[] = []
    for (const [key, request] of Object.entries(requests)) {
      const own = this.#uniqueKey(key)
      keys.set(key, own)
      this.#questions[own] = request
      const answered = Promise.withResolvers<void>()
      this.#waiting.set(own, answered)
      waiting.push(answered.promise)
    }
    this.#setStatus('input_required')
    await Promise.race([Promise.all(waiting), this.#interrupted()])
    return Object.fromEntries([...keys].map(([key, own]) => [key, this.#answers[own] as InputResponses[string]]))
  }

  /** Takes answers to open questions and ignores everything else, as the extension requires. */
  update(responses: InputResponses): void {
    let taken = false
    for (const [key, response] of Object.entries(responses)) {
      const request = Object.hasOwn(this.#questions, key) ? this.#questions[key] : undefined
      if (request === undefined || !isAnswerTo(request, response)) continue
      this.#answers[key] = response
      delete this.#questions[key]
      this.#waiting.get(key)?.resolve()
      this.#waiting.delete(key)
      taken = true
    }
    if (taken && this.status === 'input_required')
      this.#setStatus(Object.keys(this.#questions).length > 0 ? 'input_required' : 'working')
  }

  /** The client cannot or does not want to answer a question: the tool gets this error. */
  refuse(key: string, why: unknown): void {
    if (!Object.hasOwn(this.#questions, key)) return
    delete this.#questions[key]
    this.#waiting.get(key)?.reject(why)
    this.#waiting.delete(key)
    if (this.status === 'input_required' && Object.keys(this.#questions).length === 0) this.#setStatus('working')
  }

  get openQuestions(): Readonly<InputRequests> {
    return this.#questions
  }

  /** Resolves at the next change of its status or its questions. */
  get nextChange(): Promise<void> {
    return this.#change.promise
  }

  /** From now on one request asks the client. The signal aborts when the next request does. */
  takeQuestions(): AbortSignal {
    this.#taker.abort()
    this.#taker = new AbortController()
    return this.#taker.signal
  }

  /** Wakes a waiting tool when its task is cancelled, so that it can clean up. */
  #interrupted(): Promise<never> {
    const { signal } = this.call
    return new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }

  #uniqueKey(key: string): string {
    let own = key
    for (let n = 2; this.#usedKeys.has(own); n++) own = `${key}-${n}`
    this.#usedKeys.add(own)
    return own
  }

  #setStatus(status: TaskStatus): void {
    if (this.isOver) return
    this.status = status
    this.lastUpdatedAt = new Date().toISOString()
    this.#changed(this)
    this.#change.resolve()
    this.#change = Promise.withResolvers()
  }

  /** The task with the fields of its status, as in `tasks/get` and `notifications/tasks`. */
  detailed(): Params {
    return {
      ...this.head(),
      ...(this.status === 'input_required' && { inputRequests: { ...this.#questions } }),
      ...(this.status === 'completed' && { result: this.#result }),
      ...(this.status === 'failed' && { error: this.#error }),
    }
  }

  head(): Params {
    const { taskId, status, createdAt, lastUpdatedAt } = this
    const message = this.#message !== undefined && { statusMessage: this.#message }
    return {
      taskId,
      status,
      ...message,
      createdAt,
      lastUpdatedAt,
      ttlMs: TASK_TTL_MS,
      pollIntervalMs: POLL_INTERVAL_MS,
    }
  }
}
