/** Runs, as whoever starts, looks at or stops them sees them: the one entrance for the CEO, the command line and workers. */
import type { RunRow, RunStatus } from '../../ledger/runs.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Principal } from '../../tool/context.ts'
import type { Budget, Plan, PlanContext, Question } from '../plan/plan.ts'
import { eventOf } from './events.ts'
import { type LeadOptions, lead } from './lead.ts'
import type { LedRun, Office } from './office.ts'
import { type Approve, DEFAULTS, type RunSettings, readSettings } from './settings.ts'
import { stateOf } from './state.ts'

export interface StartRequest {
  readonly goal: string
  readonly principal: Principal
  readonly budget?: Budget
  readonly context?: PlanContext
  readonly approve?: Approve
  /** to be carried out as it is, instead of one made here */
  readonly plan?: Plan
  readonly attempts?: number
  readonly parallel?: number
}

const LONGEST_GOAL = 4000
/** Requests lapse after hours: that one has is seen this soon. */
const LAPSE_MS = 60_000

export class Runs {
  readonly office: Office
  readonly #led = new Map<string, { led?: LedRun; ended: Promise<RunRow | undefined> }>()
  #isClosed = false
  /** who waited, and what had been decided, when that was last looked at */
  #known = ''
  #looked = 0

  constructor(office: Office) {
    this.office = office
  }

  /** Writes it down; nothing has happened yet. */
  async start(request: StartRequest): Promise<RunRow> {
    const { goal, principal, ...given } = request
    if (goal.trim() === '')
      throw new ToolError('ValidationError', 'A run needs a goal: a sentence that says what is wanted.')
    if (goal.length > LONGEST_GOAL)
      throw new ToolError('ValidationError', `The goal has ${goal.length} characters; ${LONGEST_GOAL} are the most.`)
    const settings: RunSettings = { ...DEFAULTS, ...given, principal }
    const text = JSON.stringify(settings)
    readSettings(text)
    const { approve, budget } = settings
    const created = JSON.stringify({ goal, by: principal.id, budget, approve })
    return this.office.ledger.runs.create({ goal, principal: principal.id, settings: text }, created)
  }

  /** Leads it, here, as far as it goes. Undefined: somebody else does, or it is over. */
  lead(id: string, options: LeadOptions = {}): Promise<RunRow | undefined> {
    const known = this.#led.get(id)
    if (known !== undefined) return known.ended
    const entry: { led?: LedRun; ended: Promise<RunRow | undefined> } = { ended: Promise.resolve(undefined) }
    const onLed = (led: LedRun): void => {
      entry.led = led
      // Somebody let go of everything while this one was being taken.
      if (this.#isClosed) led.leave()
      options.onLed?.(led)
    }
    entry.ended = lead(this.office, id, { ...options, onLed }).finally(() => this.#led.delete(id))
    this.#led.set(id, entry)
    return entry.ended
  }

  /** Runs led here. */
  get leading(): string[] {
    return [...this.#led.keys()]
  }

  /** The kill switch. False: it is over already. */
  async cancel(id: string, by: string, reason: string): Promise<boolean> {
    await this.find(id)
    return this.office.ledger.runs.stop(id, by, reason)
  }

  /** Answers to what the planner asked; the run goes on with them. */
  async answer(id: string, known: JsonObject): Promise<void> {
    const row = await this.find(id)
    const settings = readSettings(row.settings)
    const context = { ...settings.context, known: { ...settings.context.known, ...known } }
    await this.office.ledger.runs.settle(id, JSON.stringify({ ...settings, context }))
    await this.office.ledger.runs.wake(id)
  }

  async find(id: string): Promise<RunRow> {
    const row = await this.office.ledger.runs.find(id)
    if (row === undefined)
      throw new ToolError('ValidationError', `There is no run ${id}. myrmex runs list shows those there are.`)
    return row
  }

  /** Wakes what waited for people who have decided by now; gives the runs that somebody should lead. */
  async toLead(): Promise<string[]> {
    const { runs, approvals } = this.office.ledger
    const waiting = await runs.waiting()
    const known = JSON.stringify([await approvals.decisions(), waiting])
    // The same runs wait, nobody has decided anything since, and nothing has had time to lapse.
    if (known === this.#known && performance.now() - this.#looked < LAPSE_MS) return runs.leaderless()
    for (const { id } of waiting) {
      const state = stateOf((await runs.events(id)).map(eventOf), [])
      const open = state.asked.filter((asked) => asked.status === 'waiting')
      const decided = await Promise.all(open.map(async ({ approval }) => (await approvals.find(approval))?.status))
      if (decided.some((found) => found !== undefined && found !== 'waiting')) await runs.wake(id)
    }
    this.#known = known
    this.#looked = performance.now()
    return runs.leaderless()
  }

  /** Lets go of every run that is led here: steps at work may end, and the next process goes on. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { led } of this.#led.values()) led?.leave()
    await Promise.allSettled([...this.#led.values()].map(({ ended }) => ended))
  }
}

export const isOver = (status: RunStatus): boolean => status !== 'running' && status !== 'waiting'

/** Questions that nobody has answered yet. */
export async function openQuestions(office: Office, id: string): Promise<Question[]> {
  const events = (await office.ledger.runs.events(id)).map(eventOf)
  if (events.some(({ kind }) => kind === 'planned')) return []
  const last = events.findLast((event) => event.kind === 'questions')
  return last === undefined ? [] : last.body.questions
}
