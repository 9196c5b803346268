/**
 * Runs on PostgreSQL: two workers share them. One is killed, or put to sleep until it is taken for dead and wakes up deposed;
 * the other takes its runs over, and how long that takes is measured.
 */
import { setTimeout as after } from 'node:timers/promises'
import type { RunRow } from '../../packages/myrmex/src/ledger/runs.ts'
import { SeededRandom } from '../seeded-random.ts'
import { drawKillMoment, type KillMoment, MOST } from './kill-moment.ts'
import type { RunSite } from './run-site.ts'
import { WorkerProcess } from './worker-process.ts'

/** PostgreSQL is a walk away, and less happens in the same time. */
const LONGEST_MS = 1200
const PATIENCE_MS = 4000
const AT_ONCE = 6
const LOOK_EVERY_MS = 25
/** A run that nobody has taken over by then is lost: longer than any lease. */
const TAKEN_WITHIN_MS = 30_000
const ENDING_MS = 60_000
/** Whoever sleeps may hold what others need: so long, and it wakes up whether they have taken its runs or not. */
const LONGEST_SLEEP_MS = 6000
const NEVER: KillMoment = { kind: 'later', ms: Number.MAX_SAFE_INTEGER }

/**
 * seen: the other sees that the process is gone. lease: it cannot, and waits until the lease is over. asleep: it is taken for
 * dead while it only sleeps, wakes up, goes on with what is no longer its own, and is killed then.
 */
export type WorkerDeath = 'seen' | 'lease' | 'asleep'

/** Longest time from a death to the next line of a run by somebody else, in milliseconds. */
export type Takeovers = { [death in WorkerDeath]?: number }

/** What it led, and since when nobody did. */
interface Ended {
  readonly led: readonly RunRow[]
  readonly died: number
  readonly death: WorkerDeath
}

export class TwoWorkers {
  readonly takeovers: Takeovers = {}
  readonly #place: RunSite
  readonly #seed: string
  readonly #workers = new Set<WorkerProcess>()
  /** the one that has survived */
  #old: WorkerProcess | undefined
  #lives = 0

  constructor(place: RunSite, seed: string) {
    this.#place = place
    this.#seed = seed
  }

  #start(atOnce: number, moment: KillMoment): WorkerProcess {
    const seed = `${this.#seed}.${this.#lives++}`
    const worker = new WorkerProcess({ home: this.#place.home, seed, atOnce, moment })
    this.#workers.add(worker)
    return worker
  }

  /** One death, and everything that follows from it. `patient`: the other waits for the lease of the one that died. */
  async live(patient: boolean): Promise<void> {
    const chance = new SeededRandom(this.#seed, this.#lives)
    const isFirst = this.#lives === 0
    const death: WorkerDeath = patient ? 'lease' : !isFirst && chance.often(0.2) ? 'asleep' : 'seen'
    const isNewcomer = !isFirst && death === 'seen' && chance.often(0.6)
    const moment: KillMoment = isNewcomer
      ? drawKillMoment(chance, LONGEST_MS, MOST)
      : { kind: isFirst ? 'busy' : 'later', ms: chance.between(0, LONGEST_MS) }
    this.#old ??= this.#start(AT_ONCE, NEVER)
    const newcomer = this.#start(AT_ONCE, isNewcomer ? moment : NEVER)
    const [victim, other] = isNewcomer ? [newcomer, this.#old] : [this.#old, newcomer]
    this.#old = other
    try {
      if (!isNewcomer) await newcomer.ready()
      await this.#untilItsMoment(victim, moment, chance)
      if (moment.kind === 'busy') await this.#place.stopWhileBusy(victim)
      const ended = await this.#end(victim, death, chance)
      for (const { id } of ended.led) this.#place.cut.add(id)
      await this.#takenOver(ended, chance)
    } finally {
      await this.#dismiss(victim)
    }
    if (other.endedByItself) throw new Error(`A worker ended by itself. It says: ${other.complaint}`)
    await this.#place.look()
  }

  async #untilItsMoment(victim: WorkerProcess, moment: KillMoment, chance: SeededRandom): Promise<void> {
    const gone = victim.gone.then(() => true)
    if (moment.kind === 'starting') {
      await after(moment.share * 1000)
      return
    }
    await victim.ready().catch((error: unknown) => {
      if (victim.endedByItself) throw error
    })
    const until = performance.now() + (moment.kind === 'at' ? PATIENCE_MS : moment.ms)
    for (;;) {
      const left = until - performance.now()
      if (left <= 0 || (await Promise.race([gone, after(Math.min(left, LOOK_EVERY_MS), false)]))) return
      await this.#place.decide(chance, 0.3)
    }
  }

  async #end(victim: WorkerProcess, death: WorkerDeath, chance: SeededRandom): Promise<Ended> {
    if (victim.endedByItself) throw new Error(`A worker ended by itself. It says: ${victim.complaint}`)
    if (death !== 'seen') await this.#place.hide(victim.owner)
    if (death === 'asleep') return this.#putToSleep(victim, chance)
    // Its runs are read while it is paused: after its death the other worker may take all of them at once.
    victim.sleep()
    const led = await this.#place.ledBy(victim.owner)
    victim.kill()
    const died = Date.now()
    await victim.gone
    return { led, died, death }
  }

  async #putToSleep(victim: WorkerProcess, chance: SeededRandom): Promise<Ended> {
    victim.sleep()
    await this.#place.lapse(victim.owner)
    const died = Date.now()
    const led = await this.#place.ledBy(victim.owner)
    const until = performance.now() + LONGEST_SLEEP_MS
    const isLeft = async (): Promise<boolean> => (await this.#place.ledBy(victim.owner)).some(isAtWork)
    while (performance.now() < until && (await isLeft())) await after(LOOK_EVERY_MS)
    const isTaken = !(await isLeft())
    victim.wake()
    await after(chance.between(0, LONGEST_MS / 2))
    victim.kill()
    const killed = Date.now()
    await victim.gone
    if (isTaken) {
      // It was heard of again while it was awake.
      await this.#place.lapse(victim.owner)
      return { led, died, death: 'asleep' }
    }
    // What it still led when it woke up, it led until it died.
    return { led: await this.#place.ledBy(victim.owner), died: killed, death: 'lease' }
  }

  async #takenOver({ led, died, death }: Ended, chance: SeededRandom): Promise<void> {
    const { runs } = await this.#place.ledger()
    for (const { id, term } of led.filter(isAtWork)) {
      const until = performance.now() + TAKEN_WITHIN_MS
      for (;;) {
        const next = (await runs.events(id)).find((event) => event.term > term)
        if (next !== undefined) {
          this.takeovers[death] = Math.max(this.takeovers[death] ?? 0, next.time - died)
          break
        }
        const row = await runs.find(id)
        if (row?.ended_at != null || row?.status === 'waiting') break
        if (performance.now() > until) {
          this.#place.problems.losing(`${id} is led by nobody ${TAKEN_WITHIN_MS} ms after its leader was killed`)
          return
        }
        await this.#place.decide(chance, 0.3)
        await after(LOOK_EVERY_MS)
      }
    }
  }

  async #dismiss(worker: WorkerProcess): Promise<void> {
    worker.kill()
    await worker.gone
    this.#workers.delete(worker)
    this.#place.started.push(...worker.started)
    this.#place.failures.push(...worker.failures)
  }

  /** Nothing new is begun, everything comes to its end. */
  async finish(): Promise<void> {
    await this.close()
    this.#start(0, NEVER)
    this.#start(0, NEVER)
    const until = performance.now() + ENDING_MS
    const chance = new SeededRandom(this.#seed, 'last')
    while (!(await this.#place.isOver()) && performance.now() < until) {
      await this.#place.decide(chance, 1)
      await after(LOOK_EVERY_MS)
    }
    const byItself = [...this.#workers].find(({ endedByItself }) => endedByItself)
    if (byItself !== undefined) throw new Error(`A worker ended by itself. It says: ${byItself.complaint}`)
    await this.close()
    await this.#place.look()
    await this.#place.finish()
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) await this.#dismiss(worker)
  }
}

const isAtWork = ({ status }: RunRow): boolean => status === 'running'
