/**
 * A leader that died may have kept what came of a step and not yet its line in the audit. Where nothing in the ledger proves
 * that the answer had left, whoever takes over asks for it again: the key runs nothing, and the audit has its line.
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
    const data = isUndo(id) ? (state.attempts.get(of)?.result?.data ?? {}) : undefined
    await callStep(run, step, id, argumentsOfCall(state, step, of), data)
  })
  await Promise.all(asked)
}

/** Calls that have ended, and after which nothing was begun that had to wait for their answer. */
function unproven(state: RunState): string[] {
  const { attempts, phase, plan, undoing } = state
  if (phase === 'learn') return []
  const ended = [...attempts].filter(([, { result }]) => result !== null).map(([id]) => id)
  // Things are taken back one after the other, and only when no step is at work any more.
  if (undoing !== undefined) return ended.filter(isUndo).slice(-1)
  if (phase === 'verify') return []
  const waitedFor = new Set(plan?.steps.flatMap(({ id, needs }) => (attempts.has(id) ? needs : [])))
  return ended.filter((id) => !waitedFor.has(planStepOf(id)))
}
