/**
 * Leads one run: takes the lead, works out from the journal how far it is, and carries it on to its end or to the point where
 * only people can help. Whatever ends the process, the next one goes on from the journal.
 */
import type { Lesson, RunRow } from '../../ledger/runs.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { ToolError } from '../../protocol/errors.ts'
import { ActiveRun, type RunEnvironment } from './active-run.ts'
import { approvePlan } from './approvals.ts'
import { eventOf, type LiveEvent } from './journal/events.ts'
import { Journal, LeaseLost } from './journal/journal.ts'
import { type FinalStatus, reportOf } from './journal/report.ts'
import { stateOf } from './journal/state.ts'
import { planRun } from './planning/plan-run.ts'
import { readSettings } from './settings.ts'
import { RunBudget } from './steps/budget.ts'
import { replayUnaudited } from './steps/replay-unaudited.ts'
import { runSteps } from './steps/run-steps.ts'
import { isUndo } from './steps/step-id.ts'
import { undoAll } from './steps/undo.ts'
import { watchRun } from './watch-run.ts'

export interface ExecuteOptions {
  /** hears of everything that happens, and in which run; what it throws goes to the log and stops nothing */
  readonly onHappening?: (happening: LiveEvent, run: string) => void
  /** given the run as soon as it is led: for whoever may have to let go of it */
  readonly onActive?: (led: ActiveRun) => void
}

/** The run as it stands afterwards. Undefined: somebody else leads it, or it is over. */
export async function executeRun(
  office: RunEnvironment,
  id: string,
  options: ExecuteOptions = {},
): Promise<RunRow | undefined> {
  const { runs } = office.ledger
  const before = await runs.find(id)
  const term = await runs.acquireLease(id)
  if (term === undefined) return undefined
  try {
    // Whoever led it last did not let go of it.
    const isOrphan = before?.leader != null
    const led = await take(office, id, term, options, isOrphan)
    const unwatch = watchRun(led)
    options.onActive?.(led)
    try {
      if (isOrphan) await replayUnaudited(led)
      await runPhases(led)
    } catch (thrown) {
      // A line could not be written because somebody else leads: he goes on, and nothing was lost.
      if (!(thrown instanceof LeaseLost)) throw thrown
    } finally {
      unwatch()
    }
  } finally {
    await runs.releaseLease(id, term)
  }
  return await runs.find(id)
}

async function take(
  office: RunEnvironment,
  id: string,
  term: number,
  options: ExecuteOptions,
  isOrphan: boolean,
): Promise<ActiveRun> {
  const { runs, idempotency } = office.ledger
  const row = (await runs.find(id)) as RunRow
  const settings = readSettings(row.settings)
  const steps = await idempotency.steps(id)
  const state = stateOf((await runs.events(id)).map(eventOf), steps)
  const journal = new Journal(id, term, state, office.ledger, tellerOf(office, id, options))
  const retries = [...state.retries.values()].reduce((sum, attempts) => sum + attempts - 1, 0)
  const budget = new RunBudget(
    office.ledger,
    { id, term },
    settings.budget,
    await runs.spends(id),
    steps.filter(({ step }) => !isUndo(step)).length + retries,
  )
  if (isOrphan) await journal.write('taken_over', { leader: office.ledger.processes.id })
  if (state.waitingSince !== undefined)
    await journal.write('resumed', { by: settings.principal.id }, { status: 'running' })
  return new ActiveRun({ office, row, settings, journal, budget })
}

/** Whoever listens must not be able to break what he listens to. */
function tellerOf(
  { fleet }: RunEnvironment,
  id: string,
  { onHappening }: ExecuteOptions,
): (happening: LiveEvent) => void {
  if (onHappening === undefined) return () => {}
  return (happening) => {
    try {
      onHappening(happening, id)
    } catch (thrown) {
      fleet.server.fault(thrown)
    }
  }
}

async function runPhases(led: ActiveRun): Promise<void> {
  const { state, row } = led
  if (row.stopped_by !== null) led.stop('cancelled', ToolError.of('CancelledError', stopped(row)))
  if (state.undoing !== undefined) return finish(led)
  if (state.plan === undefined && led.halt === undefined) {
    const thought = await planRun(led).catch((thrown: unknown) => {
      // Whoever was asked was told to stop, and what they throw then says no more than that.
      if (led.halt === undefined) throw thrown
      return undefined
    })
    if (thought === 'waiting' && led.halt === undefined) return wait(led, ['answers'])
    if (thought === 'unfit') return end(led, 'refused', `The plan did not pass the check: ${state.problem}`)
  }
  if (led.halt === undefined) {
    const approved = await approvePlan(led)
    if (approved === 'waiting' && led.halt === undefined) return wait(led, ['the approval of the plan'])
    if (approved === 'refused') return end(led, 'refused', notApproved(led))
  }
  if (led.halt === undefined && state.phase !== 'execute') await led.journal.write('phase', { phase: 'execute' })
  const executed = await runSteps(led)
  if (executed === 'left') return
  if (executed === 'waiting') {
    return wait(
      led,
      state.approvalRequests.filter(({ status }) => status === 'waiting').map(({ approval }) => `approval ${approval}`),
    )
  }
  await finish(led)
}

async function wait(led: ActiveRun, what: string[]): Promise<void> {
  await led.journal.write('waiting', { for: what }, { status: 'waiting' })
}

/** Everything that can be done has been, or the run was halted: what is left is to take back, to learn and to say so. */
async function finish(led: ActiveRun): Promise<void> {
  const { state, halt } = led
  if (halt?.kind === 'deposed' || halt?.kind === 'broken') throw halt.why
  if (halt?.kind === 'cancelled') {
    const { stopped_by, stop_reason } = (await led.ledger.runs.find(led.id)) as RunRow
    const in_flight = [...state.attempts].filter(([, { result }]) => isCutOff(result)).map(([id]) => id)
    if (state.stopping === undefined)
      await led.journal.write('stopping', { by: stopped_by ?? '', reason: stop_reason ?? '', in_flight })
    return end(led, 'cancelled', `${stopped_by} stopped it: ${stop_reason}.`)
  }
  if (halt === undefined && state.failed.size === 0 && state.undoing === undefined) {
    await led.journal.write('phase', { phase: 'verify' })
    return end(led, 'succeeded', '')
  }
  const why = halt?.kind === 'time' ? halt.why.message : firstFailure(led)
  // Out of time is no reason to leave things half done: what is undone has as long as it needs.
  if (halt?.kind === 'time') led.continueToUndo()
  await undoAll(led)
  if (led.halt !== undefined) return finish(led)
  await end(led, 'failed', why)
}

function notApproved({ state, settings }: ActiveRun): string {
  if (settings.approve === 'never') return 'The plan changes something, and nobody was to be asked.'
  const { decidedBy, status } = state.approvalRequests.findLast(({ about }) => about === 'plan') ?? {}
  return status === 'denied' ? `The plan was denied by ${decidedBy}.` : 'The plan was not approved.'
}

function firstFailure({ state }: ActiveRun): string {
  const [first] = state.failed
  return first === undefined ? '' : `${first[0]} failed with ${first[1].error_type}: ${first[1].error_message}`
}

async function end(led: ActiveRun, status: FinalStatus, why: string): Promise<void> {
  const { state, journal } = led
  if (!state.learned && state.attempts.size > 0) {
    await journal.write('phase', { phase: 'learn' })
    await journal.learn(lessonsOf(await led.ledger.idempotency.steps(led.id)))
  }
  const report = reportOf(state, status, why, led.budget.spent, led.budget.calls)
  await journal.write('ended', { status }, { status, report: JSON.stringify(report) })
}

/** Latency and failures by tool, from what the ledger has of this run. A call that was refused says nothing of the tool. */
function lessonsOf(steps: Awaited<ReturnType<RunEnvironment['ledger']['idempotency']['steps']>>): Lesson[] {
  const lessons = new Map<string, { tool: string; calls: number; failures: number; total_ms: number }>()
  for (const { tool, started_at, finished_at, outcome } of steps) {
    if (outcome === null || finished_at === null) continue
    const lesson = lessons.get(tool) ?? { tool, calls: 0, failures: 0, total_ms: 0 }
    lesson.calls++
    lesson.total_ms += Math.max(0, finished_at - started_at)
    if ((JSON.parse(outcome) as { status: string }).status === 'failure') lesson.failures++
    lessons.set(tool, lesson)
  }
  return [...lessons.values()]
}

const isCutOff = (result: ToolResult | null): boolean =>
  result === null || result.error?.error_type === 'CancelledError'

const stopped = ({ stopped_by, stop_reason }: RunRow): string => `${stopped_by} stopped the run: ${stop_reason}`
