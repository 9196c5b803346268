/** The state of a run, computed from its journal alone. So every process that reads the journal has the same state. */
import type { StepRow } from '../../../ledger/idempotency.ts'
import type { ErrorDetail, ToolResult } from '../../../protocol/envelope.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Verdict } from '../../critic/verdict.ts'
import type { Plan, Step } from '../../plan/plan.ts'
import { isUndo, planStepOf, revisionOf } from '../steps/step-id.ts'
import type { EventBodies, Phase, PlannedTool, RunEvent } from './events.ts'

/** How far the call of a step, of its revision or of its undoing got. */
export interface Attempt extends Omit<StepRow, 'step' | 'outcome'> {
  readonly result: ToolResult | null
}

export interface ApprovalRequest extends Readonly<EventBodies['asked']> {
  status: 'waiting' | EventBodies['decided']['status']
  /** who decided, and what they said */
  decidedBy?: string
}

export class RunState {
  phase: Phase | undefined
  plan: Plan | undefined
  tools: Readonly<Record<string, PlannedTool>> = {}
  levels: readonly (readonly string[])[] = []
  /** the secrets of the plan's arguments, encrypted */
  encryptedSecrets: string | undefined
  /** the planner asked questions that are not answered in the journal */
  hasQuestions = false
  /** questions of the planner were answered */
  hasAnswers = false
  /** the first problems of a plan that failed the check */
  problem: string | undefined
  /** the approval of the plan that was given */
  planApproval: string | undefined
  readonly approvalRequests: ApprovalRequest[] = []
  /** by step id; those of undoings and revisions have ids of their own (step-id.ts) */
  readonly attempts = new Map<string, Attempt>()
  readonly retries = new Map<string, number>()
  /** steps of which an attempt failed that may have taken effect */
  readonly uncertain = new Set<string>()
  readonly verdicts = new Map<string, { readonly verdict: Verdict; readonly final: boolean }>()
  /** arguments of the second try, by the step that was revised */
  readonly revised = new Map<string, JsonObject>()
  readonly failed = new Map<string, ErrorDetail>()
  stopping: { by: string; reason: string } | undefined
  /** calls to undo, the last first; undefined if the run is not being undone */
  undoing: readonly string[] | undefined
  learned = false
  notes: string[] = []
  /** time spent waiting for people only */
  waited_ms = 0
  waitingSince: number | undefined
  seq = 0
}

export function stateOf(events: readonly RunEvent[], steps: readonly StepRow[]): RunState {
  const state = new RunState()
  for (const event of events) applyEvent(state, event)
  for (const { step, outcome, ...attempt } of steps)
    state.attempts.set(step, { ...attempt, result: outcome === null ? null : (JSON.parse(outcome) as ToolResult) })
  return state
}

/** What the run waits for, as far as the journal says. */
export const openApprovals = ({ approvalRequests }: RunState): ApprovalRequest[] =>
  approvalRequests.filter(({ status }) => status === 'waiting')

/** The open approval of one step. */
export const openApprovalOf = (state: RunState, step: string): ApprovalRequest | undefined =>
  openApprovals(state).find(({ about, steps }) => about === 'step' && steps.includes(step))

/** The executing process applies each event that it writes, so there is one interpretation of the journal. */
export function applyEvent(state: RunState, event: RunEvent): void {
  state.seq = event.seq
  const step = event.step ?? ''
  if (event.kind === 'phase') state.phase = event.body.phase
  else if (event.kind === 'planned') {
    state.plan = event.body.plan
    state.tools = event.body.tools
    state.levels = event.body.levels
    state.encryptedSecrets = event.body.encrypted
    state.notes.push(...event.body.notes)
  } else if (event.kind === 'observed') state.notes.push(...event.body.problems)
  else if (event.kind === 'questions') state.hasQuestions = true
  else if (event.kind === 'answered') {
    state.hasQuestions = false
    state.hasAnswers = true
  } else if (event.kind === 'unfit') state.problem = problemText(event.body.problems)
  else if (event.kind === 'asked') state.approvalRequests.push({ ...event.body, status: 'waiting' })
  else if (event.kind === 'decided') decide(state, event)
  else if (event.kind === 'retry') retried(state, step, event.body)
  else if (event.kind === 'verdict') state.verdicts.set(step, event.body)
  else if (event.kind === 'revised') state.revised.set(step, event.body.arguments)
  else if (event.kind === 'failed') state.failed.set(step, event.body.error)
  else if (event.kind === 'stopping') state.stopping = event.body
  else if (event.kind === 'undo') state.undoing = event.body.steps
  else if (event.kind === 'learned') state.learned = true
  else waits(state, event)
}

/** Enough to correct the plan. `runs show` has all of them. */
const MAX_PROBLEMS = 10

function problemText(problems: EventBodies['unfit']['problems']): string {
  const shown = problems.slice(0, MAX_PROBLEMS).map(({ message }) => message)
  const more = problems.length - shown.length
  if (more > 0) shown.push(`${more} more`)
  return shown.map((one, at) => (at < shown.length - 1 && !/[.?!]$/.test(one) ? `${one}.` : one)).join(' ')
}

function retried(state: RunState, step: string, { attempt, may_have_effect }: EventBodies['retry']): void {
  state.retries.set(step, attempt)
  if (may_have_effect === true) state.uncertain.add(step)
}

function decide(state: RunState, { body }: RunEvent<'decided'>): void {
  const asked = state.approvalRequests.find((one) => one.approval === body.approval && one.elsewhere !== true)
  if (asked !== undefined) {
    asked.status = body.status
    asked.decidedBy = body.note === '' ? body.by : `${body.by}: ${body.note}`
  }
  if (body.about === 'plan' && body.status === 'approved') state.planApproval = body.approval
}

function waits(state: RunState, event: RunEvent): void {
  if (event.kind === 'waiting') state.waitingSince ??= event.time
  else if (event.kind === 'resumed' && state.waitingSince !== undefined) {
    state.waited_ms += event.time - state.waitingSince
    state.waitingSince = undefined
  }
}

/** The result that other steps refer to: that of the revision, if there is one. */
export const resultOf = (state: RunState, step: string): ToolResult | null =>
  state.attempts.get(lastCallOf(state, step))?.result ?? null

const lastCallOf = ({ revised }: RunState, step: string): string => (revised.has(step) ? revisionOf(step) : step)

/** Succeeded and, if it has criteria, judged. */
export function isDone(state: RunState, step: Step): boolean {
  const result = resultOf(state, step.id)
  if (result === null || result.status === 'failure' || state.failed.has(step.id)) return false
  if ((step.criteria ?? []).length === 0) return true
  return state.verdicts.get(lastCallOf(state, step.id))?.final === true
}

/**
 * Calls of the plan's steps that had an effect or may have had one, in the order in which they started. A step always comes after the
 * steps it needs, even if both started in the same millisecond or on machines whose clocks differ.
 */
export function startedCalls(state: RunState): string[] {
  const { plan, levels, attempts } = state
  const steps = new Map(plan?.steps.map((step) => [step.id, step]))
  const depths = new Map(levels.flatMap((ids, depth) => ids.map((id) => [id, depth] as const)))
  const times = new Map<string, number>()
  for (const id of levels.flat()) {
    const needs = steps.get(id)?.needs ?? []
    times.set(id, Math.max(attempts.get(id)?.started_at ?? 0, ...needs.map((need) => times.get(need) ?? 0)))
  }
  const calls = [...attempts].flatMap(([id, { started_at }]) => {
    const of = planStepOf(id)
    return isUndo(id) ? [] : [{ id, time: Math.max(started_at, times.get(of) ?? 0), depth: depths.get(of) ?? 0 }]
  })
  return calls.sort((a, b) => a.time - b.time || a.depth - b.depth).map(({ id }) => id)
}
