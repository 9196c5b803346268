/**
 * One task (`io.modelcontextprotocol/tasks`) while its call is at work in this process. A task is what a call's promise
 * becomes; the call itself goes through the pipeline like any other.
 */
import type { Call } from '../../pipeline/call.ts'
import { cancellation } from '../../pipeline/outcome.ts'
import { crypto } from '../../protocol/builtin.ts'
import type { InputRequests, InputResponses } from '../../protocol/content.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { isAnswerTo } from '../client-input.ts'

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'cancelled' | 'failed'

/** How long a task that is over can be fetched. */
export const TASK_TTL_MS = 3_600_000
const POLL_INTERVAL_MS = 500

export class Task {
  readonly taskId: string = crypto.randomUUID()
  readonly principal: string
  readonly createdAt = new Date().toISOString()
  readonly #call: Call
  readonly #changed: (task: Task) => void
  status: TaskStatus = 'working'
  lastUpdatedAt = this.createdAt
  #result: object | undefined
  #error: JsonObject | undefined
  #message: string | undefined
  /** questions not yet answered, by keys that are never used twice in a task's life */
  #open: InputRequests = {}
  #answers: InputResponses = {}
  #answered = new Map<string, () => void>()
  #used = new Set<string>()

  constructor(call: Call, changed: (task: Task) => void) {
    this.#call = call
    this.principal = call.principal.id
    this.#changed = changed
  }

  get isOver(): boolean {
    return this.status === 'completed' || this.status === 'cancelled' || this.status === 'failed'
  }

  get expired(): boolean {
    return this.isOver && Date.now() > Date.parse(this.lastUpdatedAt) + TASK_TTL_MS
  }

  get call(): Call {
    return this.#call
  }

  /** Its caller gave it up, and whatever it still returns is of no interest. */
  get cancelled(): boolean {
    return this.#call.interrupted?.error_type === 'CancelledError'
  }

  complete(result: object): void {
    if (this.cancelled) this.#move('cancelled')
    else {
      this.#result = result
      this.#message = undefined
      this.#move('completed')
    }
  }

  /** What it is doing, for the client to show; nothing where there is nothing to say. */
  setMessage(message: string | undefined): void {
    this.#message = message
    this.#move(this.status)
  }

  fail(error: JsonObject): void {
    this.#error = error
    this.#message = String(error.message)
    this.#move('failed')
  }

  cancel(): void {
    if (!this.isOver) this.#call.interrupt(cancellation('tasks/cancel'))
  }

  /** Parks the task until every question is answered by `tasks/update`. */
  async ask(requests: InputRequests): Promise<InputResponses> {
    const keys = new Map<string, string>()
    const waiting: Promise<void>[] = []
    for (const [key, request] of Object.entries(requests)) {
      const own = this.#fresh(key)
      keys.set(key, own)
      this.#open[own] = request
      waiting.push(new Promise((resolve) => this.#answered.set(own, resolve)))
    }
    this.#move('input_required')
    await Promise.race([Promise.all(waiting), this.#interrupted()])
    return Object.fromEntries([...keys].map(([key, own]) => [key, this.#answers[own] as InputResponses[string]]))
  }

  /** Takes answers to open questions; everything else in them is ignored, as the extension asks. */
  update(responses: InputResponses): void {
    let taken = false
    for (const [key, response] of Object.entries(responses)) {
      const request = Object.hasOwn(this.#open, key) ? this.#open[key] : undefined
      if (request === undefined || !isAnswerTo(request, response)) continue
      this.#answers[key] = response
      delete this.#open[key]
      this.#answered.get(key)?.()
      this.#answered.delete(key)
      taken = true
    }
    if (taken && this.status === 'input_required')
      this.#move(Object.keys(this.#open).length > 0 ? 'input_required' : 'working')
  }

  /** A task that is cancelled while it waits wakes its tool, which may have something to put away. */
  #interrupted(): Promise<never> {
    const { signal } = this.#call
    return new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }

  #fresh(key: string): string {
    let own = key
    for (let n = 2; this.#used.has(own); n++) own = `${key}-${n}`
    this.#used.add(own)
    return own
  }

  #move(status: TaskStatus): void {
    if (this.isOver) return
    this.status = status
    this.lastUpdatedAt = new Date().toISOString()
    this.#changed(this)
  }

  /** The task and what belongs to its status, as `tasks/get` and `notifications/tasks` give it. */
  detailed(): Params {
    return {
      ...this.head(),
      ...(this.status === 'input_required' && { inputRequests: { ...this.#open } }),
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
