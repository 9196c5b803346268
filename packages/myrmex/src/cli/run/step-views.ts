/** The progress of each step of a run, from the journal and from live events, and as lines in columns. */

import type { Step } from '../../agent/plan/plan.ts'
import type { LiveEvent } from '../../agent/run/journal/events.ts'
import { isDone, openApprovalOf, type RunState } from '../../agent/run/journal/state.ts'
import { planStepOf, revisionOf, undoOf } from '../../agent/run/steps/step-id.ts'
import { oneLine, paint } from '../../serve/terminal.ts'
import { errorText, formatDuration } from './event-text.ts'

type Style = Parameters<typeof paint>[0]

/** The mark of each status, and how it is painted. */
const MARKS = {
  todo: ['·', 'dim'],
  running: ['▸', 'cyan'],
  waiting: ['?', 'yellow'],
  retrying: ['↻', 'yellow'],
  done: ['✔', 'green'],
  failed: ['✘', 'red'],
  undoing: ['↶', 'yellow'],
  undone: ['↶', 'yellow'],
  unknown: ['!', 'yellow'],
} as const satisfies Record<string, readonly [mark: string, style: Style]>

type StepStatus = keyof typeof MARKS

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

  onEvent(event: LiveEvent): void {
    const { kind, step } = event
    if (step === null) return
    const origin = planStepOf(step)
    if (kind === 'started') this.#steps.set(origin, { since: event.time, id: step, note: '' })
    else if (kind === 'finished') {
      this.#steps.delete(origin)
      this.durations.set(step, event.ms)
    } else if (kind === 'progress') {
      const { progress, total, message = '' } = event
      const far = total !== undefined && total > 0 ? `${Math.floor((progress / total) * 100)} %` : String(progress)
      const known = this.#steps.get(origin)
      if (known !== undefined) known.note = message === '' ? far : `${far.padStart(5)}  ${message}`
    }
  }

  of(step: string): StepProgress | undefined {
    return this.#steps.get(step)
  }
}

/** `isExecuted`: a process is executing the run, so that a started step is running. */
export function stepViews(
  state: RunState,
  { here, isExecuted = false }: { here?: LocalProgress; isExecuted?: boolean },
): StepView[] {
  return (state.plan?.steps ?? []).map((step) => stepView(state, step, here, isExecuted))
}

function stepView(state: RunState, step: Step, here: LocalProgress | undefined, isExecuted: boolean): StepView {
  const { id, tool, needs } = step
  const working = here?.of(id)
  const attempts = state.retries.get(id) ?? 1
  const asked = openApprovalOf(state, id)
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
    return isExecuted
      ? view('running', '', Date.now() - attempt.started_at)
      : view('unknown', 'started, then interrupted')
  // A failed attempt that is retried had no effect.
  if (attempt?.result?.error != null) return view('failed', errorText(attempt.result.error), ms)
  if (attempts > 1) return view('retrying', `attempt ${attempts}`)
  return view('todo', needs.length === 0 ? '' : `after ${needs.join(', ')}`)
}

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

/** Whether the status is also written as a word, for screen readers and grep. */
const isWritten = (status: StepStatus): boolean => status !== 'todo' && status !== 'running' && status !== 'done'

/** A mark, the id, the tool, its duration and a note. */
export function stepLines(steps: readonly StepView[], spin?: string): string[] {
  const ids = Math.max(0, ...steps.map(({ id }) => id.length))
  const tools = Math.min(40, Math.max(0, ...steps.map(({ tool }) => tool.length)))
  const width = (process.stdout.columns || 100) - 1
  return steps.map((step) => {
    const [mark, style] = MARKS[step.status]
    const shown = step.status === 'running' && spin !== undefined ? spin : mark
    const time = step.ms === undefined ? '' : formatDuration(step.ms)
    const head = `  ${paint(style, shown)} ${step.id.padEnd(ids)}  ${oneLine(step.tool, 40).padEnd(tools)}  ${time.padStart(8)}`
    // The mark is one column wide, without its colour codes.
    const room = width - (2 + 1 + 1 + ids + 2 + tools + 2 + 8) - 2
    const note = room < 8 ? '' : oneLine(noteOf(step), room)
    const noteStyle: Style = step.status === 'failed' ? 'red' : step.status === 'waiting' ? 'yellow' : 'dim'
    return note === '' ? head.trimEnd() : `${head}  ${paint(noteStyle, note)}`
  })
}

function noteOf({ status, attempts, note }: StepView): string {
  const said = isWritten(status) ? status : ''
  const how = said !== '' && note !== '' ? `${said}: ${note}` : said || note
  const again = attempts > 1 && status !== 'retrying' ? `attempt ${attempts}` : ''
  return [again, how].filter((word) => word !== '').join(', ')
}
