/** Callers that add numbers, one after the other, for as long as the test goes on; each answer is checked. */
import { setTimeout as after } from 'node:timers/promises'
import type { HostUnderTest } from './host-under-test.ts'
import { type Told, toldBy } from './told.ts'

const PAUSE_MS = 5

export interface Tally {
  calls: number
  /** answered with a word that the server is not there */
  without: number
  slowestMs: number
  /** what nobody should have been told */
  readonly wrong: string[]
}

export class Traffic {
  readonly #host: HostUnderTest
  readonly #callers: Promise<void>[] = []
  readonly tallies = new Map<string, Tally>()
  /** of each server, who answered last */
  readonly pids = new Map<string, number>()
  #isOver = false

  constructor(host: HostUnderTest) {
    this.#host = host
  }

  add(server: string, callers: number): void {
    this.tallies.set(server, { calls: 0, without: 0, slowestMs: 0, wrong: [] })
    for (let caller = 0; caller < callers; caller++) this.#callers.push(this.#call(server))
  }

  async #call(server: string): Promise<void> {
    const tally = this.tallies.get(server) as Tally
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

  async once(server: string, a: number): Promise<Told> {
    const told = toldBy(await this.#host.call(server, 'add', { a, b: 1 }))
    if ('sum' in told && told.sum !== a + 1) return { wrong: `${a} + 1 = ${told.sum}` }
    if ('pid' in told) this.pids.set(server, told.pid)
    return told
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
  }
}
