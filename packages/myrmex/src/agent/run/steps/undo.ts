/**
 * Undoes a failed run: calls of tools that declare `undo`, the last first, each once and through the pipeline. The report lists the
 * changes that remain.
 */
import type { ErrorDetail } from '../../../protocol/envelope.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Step } from '../../plan/plan.ts'
import { resolveReferences } from '../../plan/reference.ts'
import type { ActiveRun } from '../active-run.ts'
import type { PlannedTool } from '../journal/events.ts'
import { type RunState, resultOf, startedCalls } from '../journal/state.ts'
import { callStep } from './call-step.ts'
import { MAY_HAVE_EFFECT, retryAfter } from './retry.ts'
import { idempotencyKeyOf, isRevision, planStepOf, undoOf } from './step-id.ts'

export async function undoAll(run: ActiveRun): Promise<void> {
  const { state } = run
  if (state.undoing === undefined) {
    const changes = startedCalls(state).filter((id) => mayHaveChanged(state, id) && !isUndone(state, id))
    const steps = changes.filter((id) => canUndo(state, id)).reverse()
    await run.journal.write('undo', { steps, stands: changes.filter((id) => !steps.includes(id)) })
  }
  for (const id of state.undoing ?? []) {
    if (run.halt !== undefined) return
    const step = state.plan?.steps.find((one) => one.id === planStepOf(id))
    if (step === undefined || isUndone(state, id) || state.failed.has(undoOf(id))) continue
    const error = await undoCall(run, step, id)
    if (error !== undefined && run.halt === undefined)
      await run.journal.write('failed', { error }, { step: undoOf(id) })
  }
}

/** Undoes the call `id` of a step. Returns undefined if it is undone, now or before. */
export async function undoCall(run: ActiveRun, step: Step, id: string): Promise<ErrorDetail | undefined> {
  const { state, settings } = run
  if (isUndone(state, id)) return undefined
  const undo = undoOf(id)
  const of = state.attempts.get(id)?.call_id ?? ''
  for (let attempt = 1; ; attempt++) {
    const end = await callStep(run, step, undo, {}, of)
    if (end.result.status !== 'failure') {
      const now = Date.now()
      const { call_id, result } = end
      state.attempts.set(undo, { tool: step.tool, call_id, started_at: now, finished_at: now, result })
      await run.budget.release(id)
      return undefined
    }
    if (end.isStopped && run.halt === undefined) continue
    const after_ms = retryAfter(end, state.tools[step.tool] as PlannedTool, attempt, settings.attempts)
    if (after_ms === undefined || run.halt !== undefined) return end.result.error as ErrorDetail
    await run.ledger.idempotency.forget(
      { run: run.id, principal: settings.principal.id, tool: step.tool, key: idempotencyKeyOf(run.id, undo) },
      end.call_id,
    )
    if (!(await run.pause(after_ms))) return end.result.error as ErrorDetail
  }
}

/** The arguments of the original call: the revised ones, or the references resolved as before. */
export function argumentsOfCall(state: RunState, step: Step, id: string): JsonObject {
  if (isRevision(id)) return state.revised.get(step.id) as JsonObject
  const resolved = resolveReferences(step.arguments as JsonObject, (from) => resultOf(state, from)?.data)
  return resolved.ok ? resolved.value : (step.arguments as JsonObject)
}

const toolOf = (state: RunState, id: string): PlannedTool | undefined => state.tools[state.attempts.get(id)?.tool ?? '']

/** The call changed something, or may have: the effect of an interrupted call is unknown. */
export const mayHaveChanged = (state: RunState, id: string): boolean => {
  const result = state.attempts.get(id)?.result
  if (toolOf(state, id)?.destructive !== true) return false
  if (result?.status === 'no_change_needed') return false
  return result == null || result.status !== 'failure' || MAY_HAVE_EFFECT.has(result.error?.error_type ?? '')
}

const canUndo = (state: RunState, id: string): boolean => {
  const status = state.attempts.get(id)?.result?.status
  return toolOf(state, id)?.undo === true && (status === 'success' || status === 'partial_success')
}

export const isUndone = (state: RunState, id: string): boolean => {
  const status = state.attempts.get(undoOf(id))?.result?.status
  return status !== undefined && status !== 'failure'
}
