/** How far each step of a run is, from the journal and from what is heard while it is led. */

import type { Step } from '../../agent/plan/plan.ts'
import type { Happening } from '../../agent/run/events.ts'
import { type Asked, isDone, type RunState } from '../../agent/run/state.ts'
import { originOf, revisionOf, undoOf } from '../../agent/run/step-id.ts'
import { errorIn } from './words.ts'

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
  /** why it waits or failed, or how far it is */
  readonly note: string
}

interface AtWork {
  readonly since: number
  readonly id: string
  note: string
}

/** What is at work in this process, by the step of the plan. */
export class AtWorkHere {
  readonly #steps = new Map<string, AtWork>()
  /** how long calls took that ended here, by their own id */
  readonly took = new Map<string, number>()

  heard(happening: Happening): void {
    const { kind, step } = happening
    if (step === null) return
    const origin = originOf(step)
    if (kind === 'started') this.#steps.set(origin, { since: happening.time, id: step, note: '' })
    else if (kind === 'finished') {
      this.#steps.delete(origin)
      this.took.set(step, happening.ms)
    } else if (kind === 'progress') {
      const { progress, total, message = '' } = happening
      const far = total !== undefined && total > 0 ? `${Math.floor((progress / total) * 100)} %` : String(progress)
      const known = this.#steps.get(origin)
      if (known !== undefined) known.note = message === '' ? far : `${far.padStart(5)}  ${message}`
    }
  }

  of(step: string): AtWork | undefined {
    return this.#steps.get(step)
  }
}

/** `isLed`: somebody is at it, here or elsewhere, so that what was begun is at work. */
export function stepViews(
  state: RunState,
  { here, isLed = false }: { here?: AtWorkHere; isLed?: boolean },
): StepView[] {
  return (state.plan?.steps ?? []).map((step) => viewOfStep(state, step, here, isLed))
}

function viewOfStep(state: RunState, step: Step, here: AtWorkHere | undefined, isLed: boolean): StepView {
  const { id, tool, needs } = step
  const working = here?.of(id)
  const attempts = state.retries.get(id) ?? 1
  const asked = waitingFor(state, id)
  const view = (status: StepStatus, note: string, ms?: number): StepView => ({ id, tool, status, ms, attempts, note })
  if (working !== undefined)
    return view(working.id === undoOf(id) ? 'undoing' : 'running', working.note, Date.now() - working.since)
  const ms = timeOf(state, id, here)
  const undone = state.attempts.get(undoOf(id))?.result
  if (undone != null && undone.status !== 'failure') return view('undone', '', ms)
  const error = state.failed.get(id)
  if (error !== undefined) return view('failed', errorIn(error), ms)
  if (asked !== undefined) return view('waiting', `approval ${asked.approval}: ${asked.reason}`)
  if (isDone(state, step)) return view('done', judged(state, id), ms)
  const attempt = state.attempts.get(id)
  if (attempt?.result === null)
    return isLed ? view('running', '', Date.now() - attempt.started_at) : view('unknown', 'begun, and cut off')
  // One that is tried again has left nothing behind.
  if (attempt?.result?.error != null) return view('failed', errorIn(attempt.result.error), ms)
  if (attempts > 1) return view('retrying', `attempt ${attempts}`)
  return view('todo', needs.length === 0 ? '' : `after ${needs.join(', ')}`)
}

const waitingFor = (state: RunState, id: string): Asked | undefined =>
  state.asked.find(({ status, about, steps }) => status === 'waiting' && about === 'step' && steps.includes(id))

function timeOf(state: RunState, id: string, here: AtWorkHere | undefined): number | undefined {
  for (const each of [revisionOf(id), id]) {
    const known = here?.took.get(each)
    if (known !== undefined) return known
    const attempt = state.attempts.get(each)
    if (attempt?.finished_at != null) return attempt.finished_at - attempt.started_at
  }
  return undefined
}

function judged(state: RunState, id: string): string {
  const verdict = state.verdicts.get(revisionOf(id)) ?? state.verdicts.get(id)
  if (verdict === undefined) return ''
  const again = state.revised.has(id) ? ', after a second try' : ''
  return `judged ${verdict.verdict.verdict} (${Math.round(verdict.verdict.score * 100)} %)${again}`
}
