/** Runs on SQLite: one leader at a time, killed and started again on what it left, until the last brings all to their end. */
import { setTimeout as after } from 'node:timers/promises'
import { SeededRandom } from '../seeded-random.ts'
import { within } from '../time-limit.ts'
import type { CrashLedger } from './crash-ledger.ts'
import { drawKillMoment, type KillMoment, MOST } from './kill-moment.ts'
import { PROGRAM, WorkerProcess } from './worker-process.ts'

/** The kind of worker. */
export interface SingleWorkerOptions {
  readonly program: string
  /** how far into its work it may get, and how long starting takes, where nobody else wants the machine */
  readonly longest_ms: number
  readonly start_ms: number
  /** what it may die at, and about how often each comes */
  readonly mosts: Readonly<Record<string, number>>
}

const USUAL: SingleWorkerOptions = { program: PROGRAM, longest_ms: 400, start_ms: 350, mosts: MOST }
/** One that is to die by its own hand has so many times longer for it. */
const LONGER = 4
const AT_ONCE = 6
const LOOK_EVERY_MS = 25
const ENDING_MS = 45_000
const NEVER: KillMoment = { kind: 'later', ms: Number.MAX_SAFE_INTEGER }

/**
 * How the next leader finds out that the last one is dead. seen: its process is gone. lapsed: its lease is over, as it would be
 * after 10 s. lease: those 10 s pass.
 */
type Death = 'seen' | 'lapsed' | 'lease'

export class SingleWorker {
  readonly #place: CrashLedger
  readonly #seed: string
  readonly #ways: SingleWorkerOptions
  #lives = 0
  #startMs: number

  constructor(place: CrashLedger, seed: string, ways: SingleWorkerOptions = USUAL) {
    this.#place = place
    this.#seed = seed
    this.#ways = ways
    this.#startMs = ways.start_ms
  }

  /** On a busy machine everything takes longer. */
  get #longestMs(): number {
    return this.#ways.longest_ms * Math.max(1, this.#startMs / this.#ways.start_ms)
  }

  #start(seed: string, atOnce: number, moment: KillMoment<string>): WorkerProcess {
    return new WorkerProcess({ home: this.#place.home, seed, atOnce, moment }, this.#ways.program)
  }

  /** One life. `patient`: the next leader waits for the lease of this one. */
  async live(patient: boolean): Promise<void> {
    const isFirst = this.#lives === 0
    const seed = `${this.#seed}.${this.#lives++}`
    const chance = new SeededRandom(seed)
    const moment: KillMoment<string> = isFirst
      ? { kind: 'busy', ms: chance.between(0, this.#longestMs) }
      : drawKillMoment(chance, this.#longestMs, this.#ways.mosts)
    const death: Death = patient ? 'lease' : chance.often(0.2) ? 'lapsed' : 'seen'
    // A connection of ours stays open over the kill and the next start; otherwise the next leader finds the ledger alone.
    const attached = death !== 'seen' || chance.often(0.6)
    const leader = this.#start(seed, AT_ONCE, moment)
    try {
      if (moment.kind === 'starting') await after(moment.share * this.#startMs)
      else await this.#keepBusy(leader, moment, chance, attached)
      if (moment.kind === 'busy') await this.#place.stopWhileBusy(leader)
      if (death !== 'seen') await this.#place.hide(leader.owner)
    } finally {
      leader.kill()
      await leader.gone
    }
    await this.#after(leader, death)
  }

  /** Until its moment has come. */
  async #keepBusy(
    leader: WorkerProcess,
    moment: Exclude<KillMoment<string>, { kind: 'starting' }>,
    chance: SeededRandom,
    attached: boolean,
  ): Promise<void> {
    const started = performance.now()
    const gone = leader.gone.then(() => true)
    await leader.ready().catch((error: unknown) => {
      // It may have killed itself before.
      if (leader.endedByItself) throw error
    })
    this.#startMs += (performance.now() - started - this.#startMs) / 4
    const until = performance.now() + (moment.kind === 'at' ? LONGER * this.#longestMs : moment.ms)
    if (!attached) await this.#place.detach()
    for (;;) {
      const left = until - performance.now()
      if (left <= 0 || (await Promise.race([gone, after(Math.min(left, LOOK_EVERY_MS), false)]))) break
      if (attached) await this.#place.decide(chance, 0.3, leader)
    }
    if (leader.endedByItself) throw new Error(`A leader ended by itself. It says: ${leader.complaint}`)
  }

  async #after(leader: WorkerProcess, death: Death): Promise<void> {
    const { started, failures, answers, cut } = this.#place
    started.push(...leader.started)
    failures.push(...leader.failures)
    answers.push(...leader.answers)
    for (const { id } of await this.#place.ledBy(leader.owner)) cut.add(id)
    if (death === 'lapsed') await this.#place.lapse(leader.owner)
    if (death === 'lease') await within('waiting for a lease', this.#place.lapsed(leader.owner))
    await this.#place.decide(new SeededRandom(this.#seed, this.#lives), 0.3)
    await this.#place.look()
  }

  /** The last life: nothing new is begun, everything comes to its end. */
  async finish(): Promise<void> {
    const leader = this.#start(`${this.#seed}.last`, 0, NEVER)
    try {
      await leader.ready()
      const until = performance.now() + ENDING_MS
      const chance = new SeededRandom(this.#seed, 'last')
      while (!(await this.#place.isOver()) && performance.now() < until) {
        await this.#place.decide(chance, 1, leader)
        await after(LOOK_EVERY_MS)
      }
      if (leader.endedByItself) throw new Error(`A leader ended by itself. It says: ${leader.complaint}`)
    } finally {
      leader.kill()
      await leader.gone
      this.#place.failures.push(...leader.failures)
      this.#place.answers.push(...leader.answers)
    }
    await this.#place.look()
    await this.#place.finish()
  }

  /** Nobody is left: each life ends before the next begins. */
  async close(): Promise<void> {}
}
