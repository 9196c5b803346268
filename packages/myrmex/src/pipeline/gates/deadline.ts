/** deadline: ends a call when its time is up, whether or not its tool stops. Each progress report restarts the time. */
import { ToolError } from '../../protocol/errors.ts'
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { type CallEnd, failure, isPromise } from '../outcome.ts'
import type { DeadlineTimer, TimedEntry } from './deadline-timer.ts'

/** The most that progress reports can extend a call to, in multiples of its timeout. */
const MAX_TIMEOUTS = 10

/** Set up only if the tool returns a promise: one that answers at once needs no deadline. */
export const deadline: Gate = (_tool, next) => (call) => {
  const ended = next(call)
  return isPromise(ended) ? new Deadline(call).race(ended) : ended
}

export class Deadline implements TimedEntry {
  readonly #call: Call
  readonly #timer: DeadlineTimer
  readonly #timeout: number
  readonly #latest: number
  due = 0
  #paused = 0
  #isOver = false

  constructor(call: Call) {
    this.#call = call
    this.#timer = call.pipeline.deadlineTimer
    this.#timeout = call.tool.timeout
    this.#latest = performance.now() + this.#timeout * MAX_TIMEOUTS
    call.deadline = this
  }

  race(ended: Promise<CallEnd>): Promise<CallEnd> {
    return new Promise((resolve, reject) => {
      const call = this.#call
      // Named first: V8 puts a function literal that is assigned to a property into the old space. It would keep the whole call
      // from every minor garbage collection.
      const interrupt = (why: ToolError): void => {
        this.#forget()
        resolve(failure({ error_type: why.error_type, error_message: why.message, error_details: why.error_details }))
      }
      call.onInterrupt = interrupt
      // Interrupted while the tool was starting.
      if (call.interrupted !== undefined) interrupt(call.interrupted)
      else this.extend()
      ended.then(
        (value) => {
          this.#forget()
          resolve(value)
        },
        (thrown) => {
          this.#forget()
          reject(thrown)
        },
      )
    })
  }

  extend(): void {
    if (this.#paused > 0 || this.#call.interrupted !== undefined) return
    this.#timer.delete(this)
    this.due = Math.min(performance.now() + this.#timeout, this.#latest)
    this.#timer.add(this)
  }

  pause(): void {
    this.#paused++
    if (!this.#isOver) this.#timer.pause(this)
  }

  resume(): void {
    if (--this.#paused > 0) return
    this.#timer.unpause(this)
    if (!this.#isOver) this.extend()
  }

  interrupt(why: ToolError): void {
    this.#call.interrupt(why)
  }

  #forget(): void {
    this.#isOver = true
    this.#timer.delete(this)
    if (this.#paused > 0) this.#timer.unpause(this)
  }

  expire(): void {
    const { name, timeout } = this.#call.tool
    this.#call.interrupt(
      ToolError.of(
        'TimeoutError',
        `${name} did not answer within its deadline of ${timeout} ms and was asked to stop.`,
        { tool: name, timeout_ms: timeout },
      ),
    )
  }
}
