/** Callers that add numbers, one after the other, until they are stopped; each answer is checked. */
import { setTimeout as after } from 'node:timers/promises'
import { type HostAnswer, hostAnswerOf } from './call-result.ts'
import type { HostUnderTest } from './host-under-test.ts'

const PAUSE_MS = 5

export interface Tally {
  calls: number
  /** answered with a word that the server is not there */
  without: number
  slowestMs: number
  /** errors that no caller should have received */
  readonly wrong: string[]
}

export class Traffic {
  readonly #host: HostUnderTest
  readonly #tallies = new Map<string, Tally>()
  #callers: Promise<void>[] = []
  #isOver = false

  constructor(host: HostUnderTest) {
    this.#host = host
  }

  /** `callers`: so many of each server. */
  start(servers: readonly string[], callers: number): void {
    this.#isOver = false
    for (const server of servers) {
      const tally = this.#tallies.get(server) ?? { calls: 0, without: 0, slowestMs: 0, wrong: [] }
      this.#tallies.set(server, tally)
      for (let caller = 0; caller < callers; caller++) this.#callers.push(this.#call(server, tally))
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
    this.#callers = []
  }

  /** Of these servers together. */
  tally(servers: readonly string[]): Tally {
    const all: Tally = { calls: 0, without: 0, slowestMs: 0, wrong: [] }
    for (const server of servers) {
      const one = this.#tallies.get(server)
      if (one === undefined) continue
      all.calls += one.calls
      all.without += one.without
      all.slowestMs = Math.max(all.slowestMs, one.slowestMs)
      all.wrong.push(...one.wrong)
    }
    return all
  }

  /** Resolves when these servers have answered so many calls in all. */
  async reached(servers: readonly string[], calls: number): Promise<void> {
    while (this.tally(servers).calls < calls) await after(PAUSE_MS)
  }

  async #call(server: string, tally: Tally): Promise<void> {
    for (let a = 1; !this.#isOver; a++) {
      const started = performance.now()
      const told = await this.once(server, a)
      tally.calls++
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - started)
      if ('without' in told) tally.without++
      else if ('wrong' in told) tally.wrong.push(`${server} answered ${told.wrong}`)
      await after(PAUSE_MS)
    }
  }

  async once(server: string, a: number): Promise<HostAnswer> {
    const told = hostAnswerOf(await this.#host.call(server, 'add', { a, b: 1 }))
    return 'sum' in told && told.sum !== a + 1 ? { wrong: `${a} + 1 = ${told.sum}` } : told
  }
}
