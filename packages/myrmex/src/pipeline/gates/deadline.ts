/** deadline: a tool that waits is stopped when its time is up, whether or not it listens. Progress buys it more time. */
import { ToolError } from '../../protocol/errors.ts'
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { type CallEnd, failure, isPromise } from '../outcome.ts'
import type { DeadlineTimer, TimedEntry } from './deadline-timer.ts'

/** However often a tool reports progress, it gets no more than this many times its timeout. */
const CEILING = 10

/** A tool that answers at once needs no deadline, so nothing is set up until a promise comes back. */
export const deadline: Gate = (_tool, next) => (call) => {
  const ended = next(call)
  return isPromise(ended) ? new Deadline(call).race(ended) : ended
}

export class Deadline implements TimedEntry {
  readonly #call: Call
  readonly #alarm: DeadlineTimer
  readonly #timeout: number
  readonly #latest: number
  due = 0
  #paused = 0

  constructor(call: Call) {
    this.#call = call
    this.#alarm = call.pipeline.deadlineTimer
    this.#timeout = call.tool.timeout
    this.#latest = performance.now() + this.#timeout * CEILING
    call.deadline = this
  }

  race(ended: Promise<CallEnd>): Promise<CallEnd> {
    return new Promise((resolve, reject) => {
      const call = this.#call
      call.onInterrupt = (why) => {
        this.#alarm.delete(this)
        resolve(failure({ error_type: why.error_type, error_message: why.message, error_details: why.error_details }))
      }
      // Interrupted while the tool was still starting: there is nobody left to wait for it.
      if (call.interrupted !== undefined) call.onInterrupt(call.interrupted)
      else this.extend()
      ended.then(
        (value) => {
          this.#alarm.delete(this)
          resolve(value)
        },
        (thrown) => {
          this.#alarm.delete(this)
          reject(thrown)
        },
      )
    })
  }

  extend(): void {
    if (this.#paused > 0 || this.#call.interrupted !== undefined) return
    this.#alarm.delete(this)
    this.due = Math.min(performance.now() + this.#timeout, this.#latest)
    this.#alarm.add(this)
  }

  pause(): void {
    this.#paused++
    this.#alarm.delete(this)
  }

  resume(): void {
    if (--this.#paused === 0) this.extend()
  }

  expire(): void {
    const { name, timeout } = this.#call.tool
    this.#call.interrupt(
      ToolError.of(
        'TimeoutError',
        `${name} did not answer within its deadline of ${timeout} ms and was told to stop.`,
        {
          tool: name,
          timeout_ms: timeout,
        },
      ),
    )
  }
}
