/**
 * Verify: a step with criteria is judged before anything builds on its result. What is not good enough is tried once more with
 * other arguments, if the brain knows some; a step that changed something is taken back first, or stays as it is.
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
import { undoCall } from './undo.ts'

type StepEnd = 'done' | 'failed' | 'waiting' | 'stopped'

/** An error where the result is not to be used. `again` carries the step out under another id. */
export async function verifyStep(
  led: ActiveRun,
  step: Step,
  args: JsonObject,
  again: (id: string, args: JsonObject) => Promise<StepEnd>,
): Promise<StepEnd | ErrorDetail> {
  const { state } = led
  if (!state.revised.has(step.id)) {
    const first = await firstVerdict(led, step, args)
    if (!state.revised.has(step.id)) return settled(step, first)
  }
  const undone = await takenBackFirst(led, step, args)
  if (undone !== undefined) return undone
  const id = revisionOf(step.id)
  const better = state.revised.get(step.id) as JsonObject
  if (state.attempts.get(id)?.result == null) {
    const tried = await again(id, better)
    if (tried !== 'done') return tried
  }
  const { value, by, notes } = await verdictOn(led, step, id, better)
  await led.journal.write('verdict', { verdict: value, final: true, by, notes: [...notes] }, { step: id })
  return settled(step, value)
}

/** Judges, and decides in the same breath whether there is a second try. */
async function firstVerdict(led: ActiveRun, step: Step, args: JsonObject): Promise<Verdict> {
  const known = led.state.verdicts.get(step.id)
  const { value, by, notes } =
    known === undefined ? await verdictOn(led, step, step.id, args) : { value: known.verdict, by: '', notes: [] }
  const better = value.verdict === 'pass' ? undefined : await betterArguments(led, step, args, value)
  const said = [...notes, ...(better?.notes ?? [])]
  const final = better === undefined || better.value === null
  if (known === undefined)
    await led.journal.write('verdict', { verdict: value, final, by, notes: said }, { step: step.id })
  if (better != null && better.value !== null) {
    const revised = { arguments: better.value, by: better.by, notes: [...better.notes] }
    await led.journal.write('revised', revised, { step: step.id })
  }
  return value
}

/** By the agent whose step it is; where that cannot be had, by the brain of whoever leads. */
async function verdictOn(led: ActiveRun, step: Step, id: string, args: JsonObject): Promise<Thought<Verdict>> {
  const request: CritiqueRequest = {
    task: `${step.why} (for: ${led.row.goal})`,
    output: led.state.attempts.get(id)?.result?.data,
    criteria: step.criteria ?? [],
    facts: args,
  }
  const agent = led.office.fleet.agents.find(({ name }) => name === step.agent)
  if (agent === undefined) return led.office.brain.critique(request, led.signal)
  try {
    return { value: await agent.critique(request, led.signal), by: agent.name, notes: [] }
  } catch (thrown) {
    led.signal.throwIfAborted()
    const { error_message } = toErrorDetail(thrown, led.id)
    const { value, by, notes } = await led.office.brain.critique(request, led.signal)
    return { value, by, notes: [`${agent.name} could not judge (${error_message}), so ${by} did.`, ...notes] }
  }
}

async function betterArguments(
  led: ActiveRun,
  step: Step,
  args: JsonObject,
  verdict: Verdict,
): Promise<Thought<JsonObject | null>> {
  const planned = led.state.tools[step.tool] as PlannedTool
  if (planned.destructive && !planned.undo) {
    const note = `${step.id} changed something that cannot be undone, so it is not tried again.`
    return { value: null, by: 'rules', notes: [note] }
  }
  const tool = led.office.fleet.views().find(({ name }) => name === step.tool)
  if (tool === undefined) return { value: null, by: 'rules', notes: [] }
  const data = led.state.attempts.get(step.id)?.result?.data
  return led.office.brain.revise({ goal: led.row.goal, step, tool, arguments: args, data, verdict }, led.signal)
}

async function takenBackFirst(
  led: ActiveRun,
  step: Step,
  args: JsonObject,
): Promise<StepEnd | ErrorDetail | undefined> {
  if (!(led.state.tools[step.tool] as PlannedTool).destructive) return undefined
  const error = await undoCall(led, step, step.id, args)
  if (error === undefined) return undefined
  return led.halt === undefined ? error : 'stopped'
}

function settled(step: Step, verdict: Verdict): 'done' | ErrorDetail {
  if (verdict.verdict !== 'fail') return 'done'
  return {
    error_type: 'ToolExecutionError',
    error_message: `The result of ${step.id} does not meet what was asked of it: ${verdict.summary}`,
    error_details: { step: step.id, score: verdict.score },
  }
}
