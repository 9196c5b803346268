/** One ledger through many kills: each server is started on what the last one left, checked, kept busy, and killed. */
import { setTimeout as after } from 'node:timers/promises'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import type { Problems } from '../problems.ts'
import { SeededRandom } from '../seeded-random.ts'
import { within } from '../time-limit.ts'
import { Approver } from './approver.ts'
import { Check } from './check-ledger.ts'
import { ClientRecord } from './client-record.ts'
import { command } from './command.ts'
import { charge, pay, put } from './crash.tools.ts'
import { drawLifetimePlan, type LifetimePlan } from './lifetime-plan.ts'
import { clientAt, finishPending, load } from './load.ts'
import { type LedgerHome, ServerProcess } from './server-process.ts'

/** How far into the load a server may get. PostgreSQL is a walk away, and less happens in the same time. */
const LONGEST_MS = { sqlite: 400, postgres: 1200 }
/** Until a server that is dead is known to be, by its lease, and some more. */
const LEASE_OVER_MS = 20_000

export class LedgerLifetimes {
  readonly #home: LedgerHome
  /** what chance begins with on this ledger */
  readonly #seed: string
  readonly book: ClientRecord
  readonly #check: Check
  #ledger: Ledger | undefined
  #trusted = false
  #startMs = 300
  #lives = 0

  constructor(home: LedgerHome, seed: string, problems: Problems) {
    this.#home = home
    this.#seed = seed
    this.book = new ClientRecord(problems)
    this.#check = new Check(this.book, home.effects)
  }

  get lines(): number {
    return this.#check.trail.lines
  }

  /** One life, of one server or of two that die together. */
  async live(): Promise<void> {
    const number = this.#lives++
    const name = `${this.#seed}.${number}`
    const chance = new SeededRandom(name)
    const plan = drawLifetimePlan(chance, number, LONGEST_MS[this.#home.engine])
    const servers = plan.ways.map((way) => new ServerProcess(this.#home, way))
    try {
      if (plan.moment.kind === 'starting') await after(plan.moment.share * this.#startMs)
      else await this.#keepBusy(servers, plan, name, chance)
    } finally {
      for (const server of servers) server.kill()
      for (const server of servers) await server.gone()
    }
  }

  /** Until they are dead. */
  async #keepBusy(
    servers: readonly ServerProcess[],
    plan: LifetimePlan,
    name: string,
    chance: SeededRandom,
  ): Promise<void> {
    const started = performance.now()
    const wires = await Promise.all(servers.map((server) => server.ready()))
    this.#startMs += (performance.now() - started - this.#startMs) / 4
    await this.#look(plan.lapsed)
    if (plan.byCommand) await command(this.#home, 'audit', 'verify')
    const ledger = await this.#open()
    await new Approver(ledger, this.book, this.#home, 0).decideAll(chance)
    const human = new Approver(ledger, this.book, this.#home, plan.byCommand ? 2 : 0)
    if (!plan.attached) await this.#close()
    const disarm = arm(servers, plan, LONGEST_MS[this.#home.engine])
    const { withheld } = this.book
    await load({ book: this.book, wires, approver: plan.attached ? human : undefined, lapsed: plan.lapsed, name })
    disarm()
    if (this.book.withheld > withheld) this.book.complaint ??= servers.map(({ complaint }) => complaint).join('\n')
    const byItself = servers.find(({ killed }) => !killed)
    if (byItself !== undefined) throw new Error(`The server ended by itself. It says: ${byItself.complaint}`)
  }

  /** The last life: everything comes to its end, and the server ends in order. `patient`: leases run out by themselves. */
  async finish(patient: boolean): Promise<void> {
    const server = new ServerProcess(this.#home, { transport: 'stdio', era: 'modern' })
    try {
      await within('coming to the end', this.#finish(server, patient))
    } finally {
      server.kill()
      await server.gone()
      await this.#close()
    }
  }

  async #finish(server: ServerProcess, patient: boolean): Promise<void> {
    const wire = await server.ready()
    await this.#look(!patient)
    const name = `${this.#seed}.last`
    const post = clientAt({ book: this.book, wires: [wire], approver: undefined, lapsed: !patient, name }, 0)
    const tasks = [...this.book.tasks.values()]
    const isOpen = (): boolean => {
      const { calls, batches } = this.book.unanswered
      return calls.length + batches.length > 0 || tasks.some(({ status }) => status === 'working')
    }
    const until = performance.now() + LEASE_OVER_MS
    while (isOpen() && performance.now() < until) {
      await finishPending(post, new Set())
      await after(50)
    }
    await finishPending(post, new Set(tasks))
    if (isOpen()) this.book.problems.losing(`calls get no answer: ${JSON.stringify(this.book.unanswered)}`)
    await this.#look(false)
    await server.end()
    await this.#look(false)
    await command(this.#home, 'audit', 'verify')
  }

  async #open(): Promise<Ledger> {
    this.#ledger ??= await openLedger(this.#home.address, { keyFile: this.#home.key, mustExist: true })
    return this.#ledger
  }

  async #close(): Promise<void> {
    await this.#ledger?.close()
    this.#ledger = undefined
  }

  async #look(lapsed: boolean): Promise<void> {
    const ledger = await this.#open()
    if (!this.#trusted) await this.#trust(ledger)
    // No process has started anything in this life yet: every process in the ledger is dead.
    if (lapsed) await ledger.db.query('UPDATE owners SET alive_until = 0')
    await this.#check.run(ledger)
  }

  async #trust(ledger: Ledger): Promise<void> {
    for (const { name, version, hash } of [charge, put, pay]) {
      await ledger.trust.set({ tool: name, version, hash }, 'trusted', 'crash')
      if (name !== 'crash.pay') await ledger.grants.give({ tool: name, version, hash }, 'crash')
    }
    this.#trusted = true
  }
}

/** Sees to it that the servers die at their moment. */
function arm(servers: readonly ServerProcess[], { moment, apart_ms }: LifetimePlan, longest_ms: number): () => void {
  const [first, second] = servers
  const die = (): void => {
    if (first === undefined || first.killed) return
    first.kill()
    if (second !== undefined) setTimeout(() => second.kill(), apart_ms)
  }
  const timer = setTimeout(die, moment.kind === 'later' ? moment.ms : longest_ms)
  let left = moment.kind === 'answers' ? moment.count : Number.POSITIVE_INFINITY
  for (const server of servers) {
    server.onAnswer = () => {
      if (--left === 0) die()
    }
  }
  return () => clearTimeout(timer)
}
