/** Starts, executes, resumes and cancels runs. The CEO, the CLI and workers all use this class. */
import { newRunId, type RunRow, type RunStatus } from '../../ledger/runs.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Principal } from '../../tool/context.ts'
import { knownFaults, knownProblems } from '../brain/known-values.ts'
import { withKnownBudget } from '../plan/known-budget.ts'
import type { ActiveRun } from './active-run.ts'
import type { RunEnvironment } from './environment.ts'
import { type ExecuteOptions, executeRun } from './execute-run.ts'
import { eventOf, openQuestions } from './journal/events.ts'
import { openApprovals, stateOf } from './journal/state.ts'
import { DEFAULT_SETTINGS, type RunSettings, readSettings, writeSettings } from './settings.ts'

export interface StartRequest extends Readonly<Partial<Omit<RunSettings, 'principal'>>> {
  readonly goal: string
  readonly principal: Principal
}

const MAX_GOAL_LENGTH = 4000
/** How soon an expired approval is noticed. */
const LAPSE_MS = 60_000

export class Runs {
  readonly environment: RunEnvironment
  readonly #active = new Map<string, { run?: ActiveRun; ended: Promise<RunRow | undefined> }>()
  #isClosed = false
  /** waiting runs and decisions at the last check */
  #known = ''
  #looked = 0

  constructor(environment: RunEnvironment) {
    this.environment = environment
  }

  /** Records the run. `execute` or a worker starts it. */
  async start(request: StartRequest): Promise<RunRow> {
    const { goal, principal, ...given } = request
    if (goal.trim() === '')
      throw ToolError.of('ValidationError', 'A run needs a goal: a sentence that says what you want.')
    if (goal.length > MAX_GOAL_LENGTH)
      throw ToolError.of(
        'ValidationError',
        `The goal has ${goal.length} characters. At most ${MAX_GOAL_LENGTH} are allowed.`,
      )
    const { runs, key } = this.environment.ledger
    const id = newRunId()
    const settings = budgeted({ ...DEFAULT_SETTINGS, ...given, principal })
    const text = writeSettings(settings, id, key)
    const { approve, budget } = settings
    const created = JSON.stringify({ goal, by: principal.id, budget, approve })
    return runs.create({ id, goal, principal: principal.id, settings: text }, created)
  }

  /** Executes it here until it ends or waits. Undefined if another process executes it or it is over. */
  execute(id: string, options: ExecuteOptions = {}): Promise<RunRow | undefined> {
    const known = this.#active.get(id)
    if (known !== undefined) return known.ended
    const entry: { run?: ActiveRun; ended: Promise<RunRow | undefined> } = { ended: Promise.resolve(undefined) }
    const onActive = (run: ActiveRun): void => {
      entry.run = run
      // `close` was called while the lease was being acquired.
      if (this.#isClosed) run.release()
      options.onActive?.(run)
    }
    entry.ended = executeRun(this.environment, id, { ...options, onActive }).finally(() => this.#active.delete(id))
    this.#active.set(id, entry)
    return entry.ended
  }

  /** Ids of the runs that this process executes. */
  get active(): string[] {
    return [...this.#active.keys()]
  }

  /** Returns false if the run is over already. */
  async cancel(id: string, by: string, reason: string): Promise<boolean> {
    await this.find(id)
    return this.environment.ledger.runs.stop(id, by, reason)
  }

  /**
   * Answers the planner's questions and resumes the run. Throws ToolError ValidationError, and changes nothing, if a name was not asked for or
   * a value does not fit. `label` is what the caller calls a name.
   */
  async answer(id: string, known: JsonObject, label?: string): Promise<void> {
    const { runs, key } = this.environment.ledger
    const questions = openQuestions((await runs.events(id)).map(eventOf))
    if (questions.length === 0 && Object.keys(known).length > 0)
      throw ToolError.of('ValidationError', `Run ${id} has no open questions, so no values can be given.`)
    const asking = this.environment.fleet.views().filter(({ name }) => questions.some(({ tool }) => tool === name))
    const faults = knownFaults(known, { steps: [], questions }, asking)
    const problems = knownProblems(faults, label).map(({ message }) => message)
    if (problems.length > 0) throw ToolError.of('ValidationError', problems.join(' '))
    const settings = readSettings(await this.find(id), key)
    const context = { ...settings.context, known: { ...settings.context.known, ...known } }
    await runs.updateSettings(id, writeSettings(budgeted({ ...settings, context }), id, key))
    await runs.resume(id)
  }

  async find(id: string): Promise<RunRow> {
    const row = await this.environment.ledger.runs.find(id)
    if (row === undefined)
      throw ToolError.of('ValidationError', `There is no run ${id}. List runs with: npx myrmex runs list`)
    return row
  }

  /** Resumes runs whose approvals were decided, and returns the runs that no process executes. */
  async pending(): Promise<string[]> {
    const { runs, approvals } = this.environment.ledger
    const waiting = await runs.waiting()
    const known = JSON.stringify([await approvals.decisions(), waiting])
    // The same runs wait, no decision was made since, and no approval can have expired.
    if (known === this.#known && performance.now() - this.#looked < LAPSE_MS) return runs.withoutLease()
    for (const { id } of waiting) {
      const open = openApprovals(stateOf((await runs.events(id)).map(eventOf), []))
      const ours = open.filter(({ elsewhere }) => elsewhere !== true)
      const decided = await Promise.all(ours.map(async ({ approval }) => (await approvals.find(approval))?.status))
      if (decided.some((found) => found !== undefined && found !== 'waiting')) await runs.resume(id)
    }
    this.#known = known
    this.#looked = performance.now()
    return runs.withoutLease()
  }

  /** Releases every run: started steps may end, and another process continues. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { run } of this.#active.values()) run?.release()
    await Promise.allSettled([...this.#active.values()].map(({ ended }) => ended))
  }
}

/** The budget of the context, or the one that is known, limits the run wherever its own budget has no limit. */
function budgeted(settings: RunSettings): RunSettings {
  const { known, budget } = settings.context
  return { ...settings, budget: withKnownBudget({ known, budget: { ...budget, ...settings.budget } }).budget }
}

export const isOver = (status: RunStatus): boolean => status !== 'running' && status !== 'waiting'
