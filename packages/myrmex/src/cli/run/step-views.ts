/** The progress of each step of a run, from the journal and from live events. */

import type { Step } from '../../agent/plan/plan.ts'
import type { LiveEvent } from '../../agent/run/journal/events.ts'
import { type ApprovalRequest, isDone, type RunState } from '../../agent/run/journal/state.ts'
import { planStepOf, revisionOf, undoOf } from '../../agent/run/steps/step-id.ts'
import { errorText } from './event-text.ts'

export type StepStatus =
  | 'todo'
  | 'running'
  | 'waiting'
  | 'retrying'
  | 'done'
  | 'failed'
  | 'undoing'
  | 'undone'
  | 'unknown'

export interface StepView {
  readonly id: string
  readonly tool: string
  readonly status: StepStatus
  readonly ms: number | undefined
  readonly attempts: number
  /** why it waits or failed, or its progress */
  readonly note: string
}

interface StepProgress {
  readonly since: number
  readonly id: string
  note: string
}

/** The steps that this process is executing. */
export class LocalProgress {
  readonly #steps = new Map<string, StepProgress>()
  /** durations of the calls that ended here, by step id */
  readonly durations = new Map<string, number>()

  onEvent(happening: LiveEvent): void {
    const { kind, step } = happening
    if (step === null) return
    const origin = planStepOf(step)
    if (kind === 'started') this.#steps.set(origin, { since: happening.time, id: step, note: '' })
    else if (kind === 'finished') {
      this.#steps.delete(origin)
      this.durations.set(step, happening.ms)
    } else if (kind === 'progress') {
      const { progress, total, message = '' } = happening
      const far = total !== undefined && total > 0 ? `${Math.floor((progress / total) * 100)} %` : String(progress)
      const known = this.#steps.get(origin)
      if (known !== undefined) known.note = message === '' ? far : `${far.padStart(5)}  ${message}`
    }
  }

  of(step: string): StepProgress | undefined {
    return this.#steps.get(step)
  }
}

/** `isLed`: a process is executing the run, so that a started step is running. */
export function stepViews(
  state: RunState,
  { here, isLed = false }: { here?: LocalProgress; isLed?: boolean },
): StepView[] {
  return (state.plan?.steps ?? []).map((step) => stepView(state, step, here, isLed))
}

function stepView(state: RunState, step: Step, here: LocalProgress | undefined, isLed: boolean): StepView {
  const { id, tool, needs } = step
  const working = here?.of(id)
  const attempts = state.retries.get(id) ?? 1
  const asked = waitingFor(state, id)
  const view = (status: StepStatus, note: string, ms?: number): StepView => ({ id, tool, status, ms, attempts, note })
  if (working !== undefined)
    return view(working.id === undoOf(id) ? 'undoing' : 'running', working.note, Date.now() - working.since)
  const ms = durationOf(state, id, here)
  const undone = state.attempts.get(undoOf(id))?.result
  if (undone != null && undone.status !== 'failure') return view('undone', '', ms)
  const error = state.failed.get(id)
  if (error !== undefined) return view('failed', errorText(error), ms)
  if (asked !== undefined) return view('waiting', `approval ${asked.approval}: ${asked.reason}`)
  if (isDone(state, step)) return view('done', verdictNote(state, id), ms)
  const attempt = state.attempts.get(id)
  if (attempt?.result === null)
    return isLed ? view('running', '', Date.now() - attempt.started_at) : view('unknown', 'started, then interrupted')
  // A failed attempt that is retried had no effect.
  if (attempt?.result?.error != null) return view('failed', errorText(attempt.result.error), ms)
  if (attempts > 1) return view('retrying', `attempt ${attempts}`)
  return view('todo', needs.length === 0 ? '' : `after ${needs.join(', ')}`)
}

const waitingFor = (state: RunState, id: string): ApprovalRequest | undefined =>
  state.approvalRequests.find(
    ({ status, about, steps }) => status === 'waiting' && about === 'step' && steps.includes(id),
  )

function durationOf(state: RunState, id: string, here: LocalProgress | undefined): number | undefined {
  for (const each of [revisionOf(id), id]) {
    const known = here?.durations.get(each)
    if (known !== undefined) return known
    const attempt = state.attempts.get(each)
    if (attempt?.finished_at != null) return attempt.finished_at - attempt.started_at
  }
  return undefined
}

function verdictNote(state: RunState, id: string): string {
  const verdict = state.verdicts.get(revisionOf(id)) ?? state.verdicts.get(id)
  if (verdict === undefined) return ''
  const again = state.revised.has(id) ? ', after a second attempt' : ''
  return `judged ${verdict.verdict.verdict} (${Math.round(verdict.verdict.score * 100)} %)${again}`
}
