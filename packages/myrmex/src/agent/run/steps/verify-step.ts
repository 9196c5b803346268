/**
 * Judges a step with criteria before other steps use its result. If it is not good enough, it runs once more with other arguments, if the
 * brain suggests some. A step that changed something is undone first, or not repeated if it has no undo.
 */
import type { ErrorDetail } from '../../../protocol/envelope.ts'
import { toErrorDetail } from '../../../protocol/errors.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Thought } from '../../brain/brain.ts'
import type { CritiqueRequest, Verdict } from '../../critic/verdict.ts'
import type { Step } from '../../plan/plan.ts'
import type { ActiveRun } from '../active-run.ts'
import type { PlannedTool } from '../journal/events.ts'
import { revisionOf } from './step-id.ts'
import { mayHaveChanged, undoCall } from './undo.ts'

export type StepEnd = 'done' | 'failed' | 'waiting' | 'stopped'

/** Returns an error if the result must not be used. `again` runs the step under another id. */
export async function verifyStep(
  run: ActiveRun,
  step: Step,
  args: JsonObject,
  again: (id: string, args: JsonObject) => Promise<StepEnd>,
): Promise<StepEnd | ErrorDetail> {
  const { state } = run
  if (!state.revised.has(step.id)) {
    const first = await firstVerdict(run, step, args)
    if (!state.revised.has(step.id)) return settled(step, first)
  }
  const { destructive } = state.tools[step.tool] as PlannedTool
  const error = destructive && mayHaveChanged(state, step.id) ? await undoCall(run, step, step.id) : undefined
  if (error !== undefined) return run.halt === undefined ? error : 'stopped'
  const id = revisionOf(step.id)
  const better = state.revised.get(step.id) as JsonObject
  if (state.attempts.get(id)?.result == null) {
    const tried = await again(id, better)
    if (tried !== 'done') return tried
  }
  const { value, by, notes } = await verdictOn(run, step, id, better)
  await run.journal.write('verdict', { verdict: value, final: true, by, notes: [...notes] }, { step: id })
  return settled(step, value)
}

/** Judges, and decides whether there is a second try. */
async function firstVerdict(run: ActiveRun, step: Step, args: JsonObject): Promise<Verdict> {
  const known = run.state.verdicts.get(step.id)
  const { value, by, notes } =
    known === undefined ? await verdictOn(run, step, step.id, args) : { value: known.verdict, by: '', notes: [] }
  const better = value.verdict === 'pass' ? undefined : await betterArguments(run, step, args, value)
  const said = [...notes, ...(better?.notes ?? [])]
  const final = better === undefined || better.value === null
  if (known === undefined)
    await run.journal.write('verdict', { verdict: value, final, by, notes: said }, { step: step.id })
  if (better != null && better.value !== null) {
    const revised = { arguments: better.value, by: better.by, notes: [...better.notes] }
    await run.journal.write('revised', revised, { step: step.id })
  }
  return value
}

/** Judged by the step's agent or, if that fails, by the brain of this process. */
async function verdictOn(run: ActiveRun, step: Step, id: string, args: JsonObject): Promise<Thought<Verdict>> {
  const request: CritiqueRequest = {
    task: `${step.why} (for: ${run.row.goal})`,
    output: run.state.attempts.get(id)?.result?.data,
    criteria: step.criteria ?? [],
    facts: args,
  }
  const agent = run.environment.fleet.agents.find(({ name }) => name === step.agent)
  if (agent === undefined) return run.environment.brain.critique(request, run.signal)
  try {
    return { value: await agent.critique(request, run.signal), by: agent.name, notes: [] }
  } catch (thrown) {
    run.signal.throwIfAborted()
    const { error_message } = toErrorDetail(thrown, run.id)
    const { value, by, notes } = await run.environment.brain.critique(request, run.signal)
    return { value, by, notes: [`${agent.name} could not judge (${error_message}), so ${by} did.`, ...notes] }
  }
}

async function betterArguments(
  run: ActiveRun,
  step: Step,
  args: JsonObject,
  verdict: Verdict,
): Promise<Thought<JsonObject | null>> {
  const planned = run.state.tools[step.tool] as PlannedTool
  if (planned.destructive && !planned.undo) {
    const note = `${step.id} changed something that cannot be undone, so it is not repeated.`
    return { value: null, by: 'rules', notes: [note] }
  }
  const tool = run.environment.fleet.views().find(({ name }) => name === step.tool)
  if (tool === undefined) return { value: null, by: 'rules', notes: [] }
  const data = run.state.attempts.get(step.id)?.result?.data
  return run.environment.brain.revise({ goal: run.row.goal, step, tool, arguments: args, data, verdict }, run.signal)
}

function settled(step: Step, verdict: Verdict): 'done' | ErrorDetail {
  if (verdict.verdict !== 'fail') return 'done'
  return {
    error_type: 'ToolExecutionError',
    error_message: `The result of ${step.id} does not meet its criteria: ${verdict.summary}`,
    error_details: { step: step.id, score: verdict.score },
  }
}
