/**
 * The execute phase. Every step whose needs are met runs, up to `settings.parallel` at once. A step is done when it succeeded and
 * passed its critique. If one waits for approval, the others continue.
 */
import type { ErrorDetail } from '../../../protocol/envelope.ts'
import { ToolError, toErrorDetail } from '../../../protocol/errors.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Step } from '../../plan/plan.ts'
import { resolveReferences } from '../../plan/reference.ts'
import type { ActiveRun } from '../active-run.ts'
import { deniedElsewhere, recordDecisions, requestStepApproval } from '../approvals.ts'
import { isTimeRefused, mayAskForBudget, openBudgetRequest, requestBudget } from '../budget-request.ts'
import type { PlannedTool } from '../journal/events.ts'
import { LeaseLost } from '../journal/journal.ts'
import { isDone, openApprovalOf, openApprovals, resultOf } from '../journal/state.ts'
import { callStep, type StepCallEnd } from './call-step.ts'
import { approvalOf, MAY_HAVE_EFFECT, retryAfter } from './retry.ts'
import { idempotencyKeyOf, planStepOf } from './step-id.ts'
import { type StepEnd, verifyStep } from './verify-step.ts'

/** over: done, failed or halted. left: released, another process continues. */
export type StepsEnd = 'over' | 'waiting' | 'left'

export const runSteps = (run: ActiveRun): Promise<StepsEnd> => new Execution(run).untilEnd()

class Execution {
  readonly #run: ActiveRun
  readonly #steps: ReadonlyMap<string, Step>
  /** for each step that is not done, the number of steps that it still waits for */
  readonly #unmet = new Map<string, number>()
  readonly #dependents = new Map<string, string[]>()
  /** steps whose needs are met */
  readonly #ready = new Set<string>()
  readonly #active = new Map<string, Promise<void>>()

  constructor(run: ActiveRun) {
    this.#run = run
    const steps = run.state.plan?.steps ?? []
    this.#steps = new Map(steps.map((step) => [step.id, step]))
    const done = new Set(steps.filter((step) => isDone(run.state, step)).map(({ id }) => id))
    for (const { id, needs } of steps) {
      if (done.has(id)) continue
      const open = needs.filter((need) => !done.has(need))
      this.#unmet.set(id, open.length)
      for (const need of open) getOrMake(this.#dependents, need, () => []).push(id)
      if (open.length === 0 && !run.state.failed.has(id)) this.#ready.add(id)
    }
  }

  async untilEnd(): Promise<StepsEnd> {
    const run = this.#run
    for (;;) {
      const isHalted = run.halt !== undefined
      if (isHalted || run.isReleasing) await Promise.allSettled(this.#active.values())
      if (isHalted) return 'over'
      if (run.isReleasing && this.#unmet.size > 0) return 'left'
      if (openApprovals(run.state).length > 0) await recordDecisions(run)
      if (this.#unmet.size > 0) await this.#watchTime()
      this.#start()
      if (this.#active.size === 0) return run.state.failed.size > 0 || this.#unmet.size === 0 ? 'over' : 'waiting'
      await run.nextWake()
    }
  }

  /** When the time of the run is over, it asks for more, and ends if that was refused, to this process or to an earlier one. */
  async #watchTime(): Promise<void> {
    const run = this.#run
    if (isTimeRefused(run.state))
      run.stop('time', ToolError.of('TimeoutError', 'The time budget is spent, and more time was refused.'))
    if (!run.isOutOfTime || run.halt !== undefined || run.state.failed.size > 0) return
    run.isOutOfTime = false
    const limit = run.budget.limitOf('time_ms') ?? 0
    const raise = run.settings.budget.time_ms ?? limit
    await requestBudget(run, { what: 'time_ms', limit, spent: limit, raise }, undefined)
  }

  #start(): void {
    if (openBudgetRequest(this.#run.state) !== undefined || this.#run.halt !== undefined) return
    const hasFailed = this.#run.state.failed.size > 0
    for (const id of this.#ready) {
      if (this.#active.size >= this.#run.settings.parallel) return
      if (openApprovalOf(this.#run.state, id) !== undefined) continue
      // After a failure no new step starts. One that a dead process started may finish.
      if (hasFailed && !this.#isCutOff(id)) continue
      this.#ready.delete(id)
      this.#active.set(id, this.#runStep(this.#steps.get(id) as Step))
    }
  }

  /** Started by a process that died, and harmless to repeat. Repeating it tells what it did, so that it can be undone. */
  #isCutOff(id: string): boolean {
    const { attempts, tools } = this.#run.state
    const begun = attempts.get(id)
    return begun?.result === null && tools[begun.tool]?.repeatable === true
  }

  async #runStep(step: Step): Promise<void> {
    const { id } = step
    try {
      const end = await carryOut(this.#run, step)
      if (end === 'waiting') this.#ready.add(id)
      else if (end === 'done') this.#finish(id)
    } catch (thrown) {
      // Another process has the lease, or the ledger cannot write. The run can be resumed later.
      this.#run.stop(thrown instanceof LeaseLost ? 'lease_lost' : 'broken', asError(thrown))
    } finally {
      this.#active.delete(id)
      this.#run.wake()
    }
  }

  #finish(id: string): void {
    this.#unmet.delete(id)
    for (const dependent of this.#dependents.get(id) ?? []) {
      const left = (this.#unmet.get(dependent) as number) - 1
      this.#unmet.set(dependent, left)
      if (left === 0) this.#ready.add(dependent)
    }
  }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

async function carryOut(run: ActiveRun, step: Step): Promise<StepEnd> {
  const { state } = run
  const resolved = resolveReferences(step.arguments as JsonObject, (from) => resultOf(state, from)?.data)
  if (!resolved.ok) {
    const message = `${step.id} needs ${resolved.ref.path || 'the result'} of ${resolved.ref.$from}: ${resolved.why}`
    return failed(run, step.id, toErrorDetail(ToolError.of('ValidationError', message, { at: resolved.at }), ''))
  }
  const before = state.attempts.get(step.id)?.result
  const end =
    before?.status !== 'failure' && before != null ? undefined : await tried(run, step, step.id, resolved.value)
  if (end !== undefined && end !== 'done') return end
  if ((step.criteria ?? []).length === 0) return 'done'
  const judged = await verifyStep(run, step, resolved.value, (id, args) => tried(run, step, id, args))
  return typeof judged === 'string' ? judged : failed(run, step.id, judged)
}

/** For a step that a person must decide about: it waits, or has failed because nobody may be asked or somebody refused. Undefined: nobody needs to. */
async function askPerson(run: ActiveRun, step: Step, id: string, end: StepCallEnd): Promise<StepEnd | undefined> {
  const error = end.result.error as ErrorDetail
  const denied = end.isForeign ? deniedElsewhere(run, step, error) : undefined
  if (denied !== undefined) return failed(run, planStepOf(id), denied)
  const approval = approvalOf(error)
  if (approval !== undefined) {
    const refusal = await requestStepApproval(run, step, { approval, isElsewhere: end.isForeign }, error)
    if (refusal !== undefined) return failed(run, planStepOf(id), refusal)
    await forgetAttempt(run, step, id, end)
    return 'waiting'
  }
  const shortfall = run.budget.takeShortfall(id)
  if (shortfall === undefined || end.started || !mayAskForBudget(run)) return undefined
  await requestBudget(run, shortfall, step)
  return 'waiting'
}

/** Calls until the step succeeds, may not be retried, or must wait. */
async function tried(run: ActiveRun, step: Step, id: string, args: JsonObject): Promise<StepEnd> {
  const { state, settings } = run
  const tool = state.tools[step.tool] as PlannedTool
  for (;;) {
    const end = await callStep(run, step, id, args)
    keep(run, step, id, end)
    if (end.result.status !== 'failure') return 'done'
    if (run.halt !== undefined) return 'stopped'
    const error = end.result.error as ErrorDetail
    if (end.isStopped) {
      await noteStop(run, step, id, end)
      continue
    }
    const decided = await askPerson(run, step, id, end)
    if (decided !== undefined) return decided
    const attempt = state.retries.get(id) ?? 1
    const after_ms = retryAfter(end, tool, attempt, settings.attempts)
    if (after_ms === undefined) return failed(run, planStepOf(id), error)
    const may_have_effect = end.started && MAY_HAVE_EFFECT.has(error.error_type)
    await run.journal.write('retry', { attempt: attempt + 1, after_ms, error, may_have_effect }, { step: id })
    await forgetAttempt(run, step, id, end)
    if (!(await run.pause(after_ms))) return 'stopped'
  }
}

/** A call that never started has no record in the ledger. */
function keep(run: ActiveRun, step: Step, id: string, { result, call_id, started, started_at }: StepCallEnd): void {
  if (!started) return
  run.state.attempts.set(id, { tool: step.tool, call_id, started_at, finished_at: Date.now(), result })
}

/** Its effect is unknown until it is called again, maybe in another process. A tool that is not repeatable keeps its record until then. */
async function noteStop(run: ActiveRun, step: Step, id: string, end: StepCallEnd): Promise<void> {
  const { state } = run
  if (!end.started || state.tools[step.tool]?.repeatable !== true) return
  const attempt = (state.retries.get(id) ?? 1) + 1
  const error = end.result.error as ErrorDetail
  await run.journal.write('retry', { attempt, after_ms: 0, error, may_have_effect: true }, { step: id })
  markRunning(run, step, id, end)
}

function markRunning({ state }: ActiveRun, { tool }: Step, id: string, { call_id, started_at }: StepCallEnd): void {
  state.attempts.set(id, { tool, call_id, started_at, finished_at: null, result: null })
}

/** Lets the next call with the same key run. Used only if repeating is harmless or the tool did not start here. */
async function forgetAttempt(run: ActiveRun, step: Step, id: string, end: StepCallEnd): Promise<void> {
  const { call_id, started } = end
  if (!started) return
  const key = { run: run.id, principal: run.settings.principal.id, tool: step.tool, key: idempotencyKeyOf(run.id, id) }
  if (await run.ledger.idempotency.forget(key, call_id)) run.state.attempts.delete(id)
  // The tool ignored the interruption and still runs, so its record must stay.
  else markRunning(run, step, id, end)
}

async function failed(run: ActiveRun, step: string, error: ErrorDetail): Promise<'failed'> {
  await run.journal.write('failed', { error }, { step })
  return 'failed'
}
