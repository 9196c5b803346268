/**
 * A process that died may have stored the result of a step without its audit record. The next process repeats such calls: the
 * idempotency key returns the stored result without running the tool, and the audit record is written.
 */
import type { Step } from '../../plan/plan.ts'
import type { ActiveRun } from '../active-run.ts'
import type { RunState } from '../journal/state.ts'
import { callStep } from './call-step.ts'
import { isUndo, planStepOf } from './step-id.ts'
import { argumentsOfCall } from './undo.ts'

export async function replayUnaudited(run: ActiveRun): Promise<void> {
  const { state } = run
  const steps = new Map(state.plan?.steps.map((step) => [step.id, step]))
  const asked = unproven(state).map(async (id) => {
    const step = steps.get(planStepOf(id)) as Step
    const of = id.replace(/\/undo$/, '')
    const undone = isUndo(id) ? (state.attempts.get(of)?.call_id ?? '') : undefined
    await callStep(run, step, id, argumentsOfCall(state, step, of), undone)
  })
  await Promise.all(asked)
}

/** Calls that ended and whose result no later call has used. */
function unproven(state: RunState): string[] {
  const { attempts, phase, plan, undoing } = state
  if (phase === 'learn') return []
  const ended = [...attempts].filter(([, { result }]) => result !== null).map(([id]) => id)
  // Undo calls run one after the other, after all steps.
  if (undoing !== undefined) return ended.filter(isUndo).slice(-1)
  if (phase === 'verify') return []
  const waitedFor = new Set(plan?.steps.flatMap(({ id, needs }) => (attempts.has(id) ? needs : [])))
  return ended.filter((id) => !waitedFor.has(planStepOf(id)))
}
