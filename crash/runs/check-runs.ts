/** Compares what a ledger says of its runs with what became of the world. Runs that are over are looked at once, closely. */
import { eventOf } from '../../packages/myrmex/src/agent/run/journal/events.ts'
import type { Report } from '../../packages/myrmex/src/agent/run/journal/report.ts'
import { timelineOf } from '../../packages/myrmex/src/agent/run/journal/timeline.ts'
import type { AuditRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { RunRow } from '../../packages/myrmex/src/ledger/runs.ts'
import type { Problems } from '../problems.ts'
import { AuditReader } from '../server/audit-reader.ts'
import { timelineDefects } from './check-timeline.ts'

const ALL = 100_000
/** All of the audit is verified at the end, and every so many looks: it takes longer each time. */
const VERIFIED_EVERY = 8
/** Of so many runs the timeline is made as people see it. */
const SHOWN = 5

/** What became of the world, to be compared with what the ledger says. */
export interface EffectsCheck {
  /** of everything so far */
  checkAll(): void
  /** of a run that is over */
  checkRun(row: RunRow, report: Report): void
}

export class RunsCheck {
  readonly #problems: Problems
  readonly #truth: EffectsCheck
  readonly #trail: AuditReader
  readonly #lines = new Map<string, AuditRecord[]>()
  readonly #over = new Map<string, RunRow>()
  /** calls of each tool, as the runs say they have learned them */
  readonly #learned = new Map<string, number>()
  #looks = 0
  /** runs that were led by more than one */
  takenOver = 0

  constructor(truth: EffectsCheck, problems: Problems) {
    this.#truth = truth
    this.#problems = problems
    this.#trail = new AuditReader(problems)
  }

  get over(): readonly RunRow[] {
    return [...this.#over.values()]
  }

  get lines(): number {
    return this.#trail.lines
  }

  /** `started` are runs that a worker reported, `cut` those whose process was killed. */
  async run(ledger: Ledger, started: readonly string[], cut: ReadonlySet<string>): Promise<void> {
    this.#truth.checkAll()
    const all = await ledger.runs.list({ limit: ALL })
    const known = new Set(all.map(({ id }) => id))
    for (const id of started) if (!known.has(id)) this.#problems.losing(`${id} was started and is not in the ledger`)
    if (this.#looks++ % VERIFIED_EVERY === 0) await this.#trail.verify(ledger)
    for (const line of await this.#trail.read(ledger)) {
      if (line.run !== undefined) this.#lines.set(line.run, [...(this.#lines.get(line.run) ?? []), line])
    }
    for (const row of all)
      if (row.ended_at !== null && !this.#over.has(row.id)) await this.#look(ledger, row, cut.has(row.id))
  }

  /** Everything is over: nothing may be left open, the lessons are those of all runs, and people can be shown what happened. */
  async finish(ledger: Ledger): Promise<void> {
    await this.#trail.verify(ledger)
    for (const row of this.over.filter(({ term }) => term > 1).slice(0, SHOWN)) {
      const shown = await timelineOf(ledger, row)
      for (const { step } of await ledger.idempotency.steps(row.id)) {
        const kinds = shown.flatMap((entry) => (entry.step === step ? [entry.kind] : []))
        if (!kinds.includes('started') || (row.status === 'succeeded' && !kinds.includes('finished')))
          this.#problems.losing(`the timeline of ${row.id} has of ${step} only: ${kinds.join(', ')}`)
      }
    }
    for (const { id, status } of await ledger.runs.list({ open: true, limit: ALL }))
      this.#problems.losing(`${id} does not end; it is ${status}`)
    for (const { tool, calls } of await ledger.runs.lessons()) {
      const told = this.#learned.get(tool) ?? 0
      const what = `the runs have learned of ${told} calls of ${tool}, and the ledger counts ${calls}`
      if (calls > told) this.#problems.doubling(what)
      else if (calls < told) this.#problems.losing(what)
    }
  }

  async #look(ledger: Ledger, row: RunRow, wasCut: boolean): Promise<void> {
    this.#over.set(row.id, row)
    const events = await ledger.runs.events(row.id)
    const steps = await ledger.idempotency.steps(row.id)
    const defects = timelineDefects({ row, events, steps, lines: this.#lines.get(row.id) ?? [], wasCut })
    for (const what of defects) this.#problems.losing(`${row.id} (${row.goal}): ${what}`)
    if (row.term > 1) this.takenOver++
    this.#truth.checkRun(row, JSON.parse(row.report ?? '{"steps":[]}') as Report)
    for (const event of events.map(eventOf)) {
      if (event.kind !== 'learned') continue
      for (const { tool, calls } of event.body.lessons as { tool: string; calls: number }[])
        this.#learned.set(tool, (this.#learned.get(tool) ?? 0) + calls)
    }
  }
}
