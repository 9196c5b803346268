/**
 * One timer for the deadlines of all calls: a call that ends in time costs only an entry in a map. The timer keeps the process
 * alive only while a call waits.
 */
import { ChurnMap } from '../../protocol/churn-map.ts'
import type { ToolError } from '../../protocol/errors.ts'

/** Something that expires. */
export interface TimedEntry {
  /** by `performance.now()` */
  readonly due: number
  expire(): void
  /** Ends it before it is due. */
  interrupt?(why: ToolError): void
}

/** setTimeout can do no more. */
const MAX_TIMER_MS = 2 ** 31 - 1

export class DeadlineTimer {
  readonly #waiting = new ChurnMap<TimedEntry, TimedEntry>()
  /** their time does not run, because a person is asked */
  readonly #paused = new Set<TimedEntry>()
  #timer: NodeJS.Timeout | undefined
  #rings = Number.POSITIVE_INFINITY

  /** Until it is due, or deleted. To change when it is due, delete it first. */
  add(one: TimedEntry): void {
    this.#waiting.set(one, one)
    if (one.due < this.#rings) this.#set(one.due)
    else if (this.#waiting.size === 1) this.#timer?.ref()
  }

  delete(one: TimedEntry): void {
    if (this.#waiting.delete(one) && this.#waiting.size === 0) this.#timer?.unref()
  }

  /** It stays known, and does not expire. */
  pause(one: TimedEntry): void {
    this.delete(one)
    this.#paused.add(one)
  }

  /** It has ended, or goes on. */
  unpause(one: TimedEntry): void {
    this.#paused.delete(one)
  }

  interruptAll(why: ToolError): void {
    for (const one of [...this.#waiting.values(), ...this.#paused]) one.interrupt?.(why)
  }

  #set(at: number): void {
    clearTimeout(this.#timer)
    this.#rings = at
    const ms = Math.min(Math.max(1, Math.ceil(at - performance.now())), MAX_TIMER_MS)
    this.#timer = setTimeout(this.#ring, ms)
  }

  readonly #ring = (): void => {
    this.#timer = undefined
    this.#rings = Number.POSITIVE_INFINITY
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const one of this.#waiting.values()) {
      if (one.due <= now) {
        if (this.#waiting.delete(one)) one.expire()
      } else if (one.due < next) next = one.due
    }
    // An expired entry may have added another.
    if (next < this.#rings) this.#set(next)
  }
}
