/** The report of a run, made from its state alone: sentences for people, data for programs. */
import * as z from 'zod'
import type { RunStatus } from '../../../ledger/runs.ts'
import { VerdictSchema } from '../../critic/verdict.ts'
import type { Step } from '../../plan/plan.ts'
import { isUndone, mayHaveChanged } from '../steps/undo.ts'
import { type Attempt, isDone, type RunState, resultOf, startedCalls } from './state.ts'

const StepReportSchema = z.object({
  id: z.string(),
  tool: z.string(),
  why: z.string(),
  /** unknown: the call started, and nobody knows whether it took effect */
  status: z.enum(['done', 'failed', 'undone', 'not_run', 'unknown']),
  ms: z.number().nullable(),
  attempts: z.number(),
  error: z.string().nullable(),
  verdict: VerdictSchema.nullable(),
  /** the explanation of its tool; missing in runs of earlier versions */
  explanation: z.string().nullable().optional(),
  data: z.unknown(),
})

export const ReportSchema = z.object({
  status: z.enum(['succeeded', 'failed', 'cancelled', 'refused']),
  summary: z.string(),
  steps: z.array(StepReportSchema),
  /** results that no other step used */
  made: z.array(z.object({ step: z.string(), tool: z.string(), data: z.unknown() })),
  spent: z.number(),
  calls: z.number(),
  /** changes that were not undone */
  stands: z.array(z.string()),
  notes: z.array(z.string()),
})
export type Report = z.infer<typeof ReportSchema>

export type FinalStatus = Exclude<RunStatus, 'running' | 'waiting'>

export function reportOf(state: RunState, status: FinalStatus, why: string, spent: number, calls: number): Report {
  const steps = (state.plan?.steps ?? []).map((step) => stepReport(state, step))
  const used = new Set((state.plan?.steps ?? []).flatMap(({ needs }) => needs))
  const made = steps.filter(({ id, status: end }) => end === 'done' && !used.has(id))
  return {
    status,
    summary: summaryOf(steps, status, why),
    steps,
    made: made.map(({ id, tool, data }) => ({ step: id, tool, data })),
    spent,
    calls,
    stands: standsOf(state, status),
    notes: state.notes,
  }
}

function stepReport(state: RunState, step: Step): Report['steps'][number] {
  const { id, tool, why } = step
  const attempt = state.attempts.get(id)
  const result = resultOf(state, id)
  // A process may have died between the call and its journal event. Then the record of the call has the error.
  const error = state.failed.get(id) ?? result?.error ?? undefined
  const verdict = state.verdicts.get(`${id}~2`) ?? state.verdicts.get(id)
  return {
    id,
    tool,
    why,
    status: statusOf(state, step),
    ms: attempt?.finished_at == null ? null : attempt.finished_at - attempt.started_at,
    attempts: attempt === undefined ? 0 : (state.retries.get(id) ?? 1),
    error: error === undefined ? null : `${error.error_type}: ${error.error_message}`,
    verdict: verdict?.verdict ?? null,
    explanation: result?.explanation ?? null,
    data: result?.data ?? null,
  }
}

function statusOf(state: RunState, step: Step): Report['steps'][number]['status'] {
  const { id } = step
  if (isUndone(state, id)) return 'undone'
  if (state.attempts.get(id)?.result === null) return 'unknown'
  if (state.failed.has(id)) return 'failed'
  if (isDone(state, step)) return 'done'
  return state.attempts.has(id) ? 'failed' : 'not_run'
}

function standsOf(state: RunState, status: FinalStatus): string[] {
  if (status === 'succeeded' || status === 'refused') return []
  const standing = startedCalls(state).filter((id) => mayHaveChanged(state, id) && !isUndone(state, id))
  return standing.map((id) => {
    const { tool, result } = state.attempts.get(id) as Attempt
    const what = `${id} (${tool})`
    if (result !== null && result.status !== 'failure') return what
    const how = result?.error?.error_type === 'ToolExecutionError' ? 'failed' : 'was cut off'
    return `${what} ${how} and may have taken effect`
  })
}

function summaryOf(steps: Report['steps'], status: FinalStatus, why: string): string {
  const count = (wanted: string): number => steps.filter((step) => step.status === wanted).length
  const parts = [`${count('done')} of ${steps.length} steps done`]
  if (count('undone') > 0) parts.push(`${count('undone')} undone`)
  if (count('failed') > 0) parts.push(`${count('failed')} failed`)
  if (count('unknown') > 0) parts.push(`${count('unknown')} of unknown outcome`)
  const sentence = `${{ succeeded: 'Done', failed: 'Failed', cancelled: 'Stopped', refused: 'Not begun' }[status]}: ${parts.join(', ')}.`
  return why === '' ? sentence : `${sentence} ${why}`
}
