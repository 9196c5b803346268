/**
 * Executes one run until it ends or waits for people:
 *
 * 1. acquire the lease, so that no other process executes the run
 * 2. compute the state of the run from its journal
 * 3. plan, approve the plan, run the steps; each is skipped if the journal says that it is done
 * 4. undo after a failure, store what was learned, write the report
 *
 * If the process dies at any point, the next one continues from the journal.
 */
import type { Lease, Lesson, RunRow } from '../../ledger/runs.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { Tool } from '../../tool/tool.ts'
import { ActiveRun } from './active-run.ts'
import { approvePlan, discardForgedApproval, withdrawRequests } from './approvals.ts'
import { grantedRaises } from './budget-request.ts'
import type { RunEnvironment } from './environment.ts'
import { eventOf, type LiveEvent } from './journal/events.ts'
import { Journal, LeaseLost } from './journal/journal.ts'
import { type FinalStatus, reportOf } from './journal/report.ts'
import { openApprovals, type RunState, stateOf } from './journal/state.ts'
import { planRun } from './planning/plan-run.ts'
import { readSettings } from './settings.ts'
import { RunBudget } from './steps/budget.ts'
import { replayUnaudited } from './steps/replay-unaudited.ts'
import { runSteps } from './steps/run-steps.ts'
import { isUndo } from './steps/step-id.ts'
import { undoAll } from './steps/undo.ts'
import { watchRun } from './watch-run.ts'

export interface ExecuteOptions {
  /** called for every event with the id of its run; what it throws is logged and does not stop the run */
  readonly onEvent?: (event: LiveEvent, run: string) => void
  /** called once the lease is held, for a caller that may have to release the run */
  readonly onActive?: (run: ActiveRun) => void
}

/** Returns the run as it is afterwards. Undefined if another process executes it or it is over. */
export async function executeRun(
  environment: RunEnvironment,
  id: string,
  options: ExecuteOptions = {},
): Promise<RunRow | undefined> {
  const { runs } = environment.ledger
  const lease = await runs.acquireLease(id)
  if (lease === undefined) return undefined
  const { term, isOrphan } = lease
  try {
    const run = await take(environment, id, lease, options)
    const unwatch = watchRun(run)
    options.onActive?.(run)
    try {
      if (isOrphan) await replayUnaudited(run)
      await runPhases(run)
    } catch (thrown) {
      // Another process holds the lease and continues. Nothing is lost.
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
  environment: RunEnvironment,
  id: string,
  { term, isOrphan }: Lease,
  options: ExecuteOptions,
): Promise<ActiveRun> {
  const { runs, idempotency } = environment.ledger
  const row = (await runs.find(id)) as RunRow
  const settings = readSettings(row, environment.ledger.key)
  const steps = await idempotency.steps(id)
  const state = stateOf((await runs.events(id)).map(eventOf), steps)
  const journal = new Journal(id, term, state, environment.ledger, safeListener(environment, id, options))
  const retries = [...state.retries.values()].reduce((sum, attempts) => sum + attempts - 1, 0)
  const budget = new RunBudget(
    environment.ledger,
    { id, term },
    settings.budget,
    await runs.spends(id),
    steps.filter(({ step }) => !isUndo(step)).length + retries,
    state,
    await grantedRaises(environment.ledger, id, state),
  )
  await budget.catchUp((name) => plannedTool(environment, state, name))
  if (isOrphan) await journal.write('taken_over', { leader: environment.ledger.processes.id })
  if (state.waitingSince !== undefined)
    await journal.write('resumed', { by: settings.principal.id }, { status: 'running' })
  return new ActiveRun({ environment, row, settings, journal, budget })
}

/** Undefined if its definition is no longer the one that the plan was made with. */
function plannedTool({ fleet }: RunEnvironment, { tools }: RunState, name: string): Tool | undefined {
  const planned = tools[name]
  const tool = planned && fleet.server.registry.find(name, planned.version)
  return tool?.hash === planned?.hash ? tool : undefined
}

/** A listener must not be able to break the run. */
function safeListener({ fleet }: RunEnvironment, id: string, { onEvent }: ExecuteOptions): (event: LiveEvent) => void {
  if (onEvent === undefined) return () => {}
  return (event) => {
    try {
      onEvent(event, id)
    } catch (thrown) {
      fleet.server.fault(thrown)
    }
  }
}

async function runPhases(run: ActiveRun): Promise<void> {
  const { state, row } = run
  await discardForgedApproval(run)
  if (row.stopped_by !== null) run.stop('cancelled', ToolError.of('CancelledError', stopped(row)))
  if (state.undoing !== undefined) return finish(run)
  // Agents with plans of their own are asked through the pipeline.
  if (state.plan === undefined) await run.untilCallsAreAccepted()
  if (state.plan === undefined && run.halt === undefined) {
    const thought = await planRun(run).catch((thrown: unknown) => {
      // The brain or agent was interrupted, and its error says no more than that.
      if (run.halt === undefined) throw thrown
      return undefined
    })
    if (thought === 'waiting' && run.halt === undefined) return wait(run, ['answers'])
    if (thought === 'unfit') return end(run, 'refused', `The plan did not pass the check: ${state.problem}`)
  }
  if (run.halt === undefined) {
    const approved = await approvePlan(run)
    if (approved === 'waiting' && run.halt === undefined) return wait(run, ['the approval of the plan'])
    if (approved === 'refused') return end(run, 'refused', notApproved(run))
  }
  if (run.halt === undefined && state.phase !== 'execute') await run.journal.write('phase', { phase: 'execute' })
  const executed = await runSteps(run)
  if (executed === 'left') return
  if (executed === 'waiting') {
    return wait(
      run,
      openApprovals(state).map(({ approval }) => `approval ${approval}`),
    )
  }
  await finish(run)
}

async function wait(run: ActiveRun, what: string[]): Promise<void> {
  await run.journal.write('waiting', { for: what }, { status: 'waiting' })
}

/** All possible steps are done, or the run was halted: undo, learn and report. */
async function finish(run: ActiveRun): Promise<void> {
  const { state, halt } = run
  if (halt?.kind === 'released') return
  if (halt?.kind === 'lease_lost' || halt?.kind === 'broken') throw halt.why
  if (halt?.kind === 'cancelled') {
    const { stopped_by, stop_reason } = (await run.ledger.runs.find(run.id)) as RunRow
    const in_flight = [...state.attempts].filter(([, { result }]) => isCutOff(result)).map(([id]) => id)
    if (state.stopping === undefined)
      await run.journal.write('stopping', { by: stopped_by ?? '', reason: stop_reason ?? '', in_flight })
    return end(run, 'cancelled', `${stopped_by} stopped it: ${stop_reason}.`)
  }
  if (halt === undefined && state.failed.size === 0 && state.undoing === undefined) {
    await run.journal.write('phase', { phase: 'verify' })
    return end(run, 'succeeded', '')
  }
  const why = halt?.kind === 'time' ? halt.why.message : firstFailure(run)
  // The time budget does not limit the undo.
  if (halt?.kind === 'time') run.continueToUndo()
  await undoAll(run)
  if (run.halt !== undefined) return finish(run)
  await end(run, 'failed', why)
}

function notApproved({ state, settings }: ActiveRun): string {
  if (settings.approve === 'never') return 'The plan needs approval, but --approve is never.'
  const { decidedBy, status } = state.approvalRequests.findLast(({ about }) => about === 'plan') ?? {}
  return status === 'denied' ? `The plan was denied by ${decidedBy}.` : 'The plan was not approved.'
}

function firstFailure({ state }: ActiveRun): string {
  const [first] = state.failed
  return first === undefined ? '' : `${first[0]} failed with ${first[1].error_type}: ${first[1].error_message}`
}

async function end(run: ActiveRun, status: FinalStatus, why: string): Promise<void> {
  const { state, journal } = run
  if (!state.learned && state.attempts.size > 0) {
    await journal.write('phase', { phase: 'learn' })
    await journal.learn(lessonsOf(await run.ledger.idempotency.steps(run.id)))
  }
  await withdrawRequests(run)
  const report = reportOf(state, status, why, run.budget.spent, run.budget.calls)
  await journal.write('ended', { status }, { status, report: JSON.stringify(report) })
}

/** Duration and failures by tool. Refused calls are not counted, because they say nothing about the tool. */
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
