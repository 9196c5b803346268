/** Calls the tool of a step through the pipeline, with the step's idempotency key and the run's context on its caller. */

import type { Call } from '../../../pipeline/call.ts'
import type { Caller } from '../../../pipeline/caller.ts'
import { isEndedByStop } from '../../../pipeline/gates/switches.ts'
import { AnswersWaiting, type CallEnd, failure, Outcome } from '../../../pipeline/outcome.ts'
import type { CoverableCall, RunContext, Spend } from '../../../pipeline/run-context.ts'
import { storableOutcome } from '../../../pipeline/stored-outcome.ts'
import type { ToolResult } from '../../../protocol/envelope.ts'
import { ToolError, toErrorDetail } from '../../../protocol/errors.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Params } from '../../../protocol/jsonrpc.ts'
import { META } from '../../../protocol/versions.ts'
import type { Step } from '../../plan/plan.ts'
import type { ActiveRun } from '../active-run.ts'
import { planCovers } from '../plan-cover.ts'
import { withSecretValues } from '../planning/plan-secrets.ts'
import { idempotencyKeyOf, isUndo } from './step-id.ts'

export interface StepCallEnd {
  readonly result: ToolResult
  readonly call_id: string
  /** the tool was started and may have had an effect */
  readonly started: boolean
  /** milliseconds since the epoch */
  readonly started_at: number
  /** the error is the word of another server, so that an approval in it is not one of this ledger */
  readonly isForeign: boolean
  /** the operator stopped all calls: call again, which returns what the tool did after all, or runs it if that is harmless */
  readonly isStopped: boolean
}

/**
 * `id` is that of the step, its revision or its undo. `undo` is the id of the call to undo: its arguments come from the ledger. Secrets are put
 * into the arguments here and nowhere else: all other parts of a run see `[secret]`.
 */
export async function callStep(
  run: ActiveRun,
  step: Step,
  id: string,
  args: JsonObject,
  undo?: string,
): Promise<StepCallEnd> {
  const changed = changedSince(run, step)
  if (changed !== undefined)
    return { result: changed, call_id: '', started: false, started_at: Date.now(), isForeign: false, isStopped: false }
  // Its steps would fail otherwise, and it would be undone.
  await run.untilCallsAreAccepted()
  const { pipeline } = run.environment.fleet.server
  const caller: Caller = {
    ...run.caller,
    runContext: new StepContext(run, step, id),
    notify: (method: string, params: Params) => progressOf(run, id, method, params),
  }
  const filled = undo === undefined ? withSecretValues(args, run.secrets.get(step.id)) : {}
  const call = pipeline.prepare(caller, step.tool, filled, metaOf(run, step, id, undo))
  run.inFlight.set(id, call)
  // The run may have been stopped while this call was prepared.
  run.interruptIfHalted(call)
  const time = Date.now()
  run.journal.notify({ kind: 'started', time, step: id, tool: step.tool })
  try {
    const ended = await pipeline.complete(call)
    const outcome = ended instanceof Outcome ? ended : failure(toErrorDetail(ended, call.id))
    const result = withoutSecrets(call, outcome)
    const ms = Math.max(0, Date.now() - time)
    run.journal.notify({ kind: 'finished', time: time + ms, step: id, tool: step.tool, result, ms })
    const { repeatOf } = call.notes
    const started = call.started || repeatOf !== null
    return {
      result,
      call_id: repeatOf ?? call.id,
      started,
      started_at: time,
      isForeign: started && isForeign(call, ended),
      isStopped: isEndedByStop(call, outcome),
    }
  } finally {
    run.inFlight.delete(id)
  }
}

const isForeign = ({ tool }: Call, ended: CallEnd): boolean =>
  tool.origin === 'upstream' && !(ended instanceof AnswersWaiting)

/** As the ledger stores it: the same for the next process, and without secrets for other steps and the report. */
function withoutSecrets(call: Call, outcome: Outcome): ToolResult {
  const { input, output } = call.tool
  if (input.secrets.size === 0 && output.secrets.size === 0) return outcome.toResult()
  const { status, data, error, explanation } = JSON.parse(storableOutcome(call, outcome).text) as ToolResult
  return { status, data, error, explanation }
}

/** The plan was checked and approved with one definition of the tool. A changed definition is refused. */
function changedSince(run: ActiveRun, step: Step): ToolResult | undefined {
  const planned = run.state.tools[step.tool]
  const tool = planned && run.environment.fleet.server.registry.find(step.tool, planned.version)
  if (planned !== undefined && tool?.hash === planned.hash) return undefined
  const what = tool === undefined ? 'no longer exists' : 'has changed since the plan was made'
  const message = `${step.tool} ${planned?.version ?? ''} ${what}. Start a new run.`
  return failure(toErrorDetail(ToolError.of('UnavailableError', message, { outcome: 'changed' }), '')).toResult()
}

/** One object a step, and no functions of its own: a run of many steps makes many. */
class StepContext implements RunContext {
  readonly #run: ActiveRun
  readonly #planned: Step
  readonly #isKnown: boolean
  readonly step: string
  readonly key: string

  constructor(run: ActiveRun, step: Step, id: string) {
    this.#run = run
    this.#planned = step
    this.#isKnown = run.state.attempts.get(id)?.result != null
    this.step = id
    this.key = idempotencyKeyOf(run.id, id)
  }

  get run(): string {
    return this.#run.id
  }

  get leaseTerm(): number {
    return this.#run.journal.leaseTerm
  }

  covers(call: CoverableCall): string | undefined {
    return planCovers(this.#run, this.#planned, call)
  }

  /** An undo must not fail because the budget is spent, and a repeated call returns its stored result. */
  reserve(spend: Spend): undefined | string | Promise<undefined | string> {
    return isUndo(this.step) || this.#isKnown ? undefined : this.#run.budget.reserve(this.step, spend)
  }

  settle(spend: Spend): void | Promise<void> {
    return isUndo(this.step) ? undefined : this.#run.budget.settle(this.step, spend)
  }
}

function metaOf(run: ActiveRun, step: Step, id: string, undo: string | undefined): Params {
  const { budget, context } = run.settings
  return {
    [META.version]: run.state.tools[step.tool]?.version,
    [META.progressToken]: id,
    [META.context]: {
      run: run.id,
      step: id,
      agent: step.agent,
      goal: run.row.goal,
      ...(budget.money !== undefined && { budget: budget.money }),
      ...(context.locale !== undefined && { locale: context.locale }),
    },
    ...(undo !== undefined && { [META.undo]: undo }),
  }
}

function progressOf(run: ActiveRun, step: string, method: string, params: Params): void {
  if (method !== 'notifications/progress' || typeof params.progress !== 'number') return
  const { progress, total, message } = params
  run.journal.notify({
    kind: 'progress',
    time: Date.now(),
    step,
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  })
}
