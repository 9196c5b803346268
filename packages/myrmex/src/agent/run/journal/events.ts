/**
 * The events of a run's journal. Each is written before the run acts on it. Start and end of a step are not events: they are in the
 * ledger's record of the step's idempotency key, and timeline.ts merges both.
 */
import type { EventRow, RunStatus } from '../../../ledger/runs.ts'
import type { ErrorDetail, ToolResult } from '../../../protocol/envelope.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Verdict } from '../../critic/verdict.ts'
import type { Problem } from '../../plan/check.ts'
import type { Budget, Plan, Question } from '../../plan/plan.ts'

export const PHASES = ['observe', 'think', 'execute', 'verify', 'learn'] as const
export type Phase = (typeof PHASES)[number]

/** The definition a step was planned with. */
export interface PlannedTool {
  readonly version: string
  readonly hash: string
  readonly destructive: boolean
  readonly undo: boolean
  /** a second call with the same key or arguments changes nothing further */
  readonly repeatable: boolean
}

export interface EventBodies {
  created: { goal: string; by: string; budget: Budget; approve: string }
  taken_over: { leader: string }
  phase: { phase: Phase }
  observed: { agents: string[]; tools: number; problems: string[] }
  planned: {
    plan: Plan
    by: string
    notes: string[]
    warnings: string[]
    cost: number
    levels: string[][]
    tools: Record<string, PlannedTool>
    /** the secrets of its arguments, encrypted; see planning/plan-secrets.ts */
    encrypted?: string
  }
  /** the plan failed the check */
  unfit: { problems: Problem[]; by: string }
  questions: { questions: Question[] }
  /** the names of all that is known now; values may be secret */
  answered: { names: string[]; by: string }
  /**
   * Approval was requested for the plan, for one step, or for more budget. `elsewhere`: a server named the approval. It is in that server's ledger, never in
   * this one, whatever its id: in that of `agent`, whose file is `ledger` if the fleet knows it.
   */
  asked: {
    approval: string
    about: 'plan' | 'step' | 'budget'
    reason: string
    steps: string[]
    elsewhere?: true
    agent?: string
    ledger?: string
  }
  decided: {
    approval: string
    about: 'plan' | 'step' | 'budget'
    status: 'approved' | 'denied' | 'expired'
    by: string
    note: string
  }
  retry: { attempt: number; after_ms: number; error: ErrorDetail; may_have_effect?: boolean }
  /** not final: the step is tried once more */
  verdict: { verdict: Verdict; final: boolean; by: string; notes: string[] }
  revised: { arguments: JsonObject; by: string; notes: string[] }
  /** a step failed and is not retried */
  failed: { error: ErrorDetail }
  waiting: { for: string[] }
  resumed: { by: string }
  stopping: { by: string; reason: string; in_flight: string[] }
  undo: { steps: string[]; stands: string[] }
  learned: { lessons: unknown[] }
  ended: { status: RunStatus }
}
export type EventKind = keyof EventBodies

export type RunEvent<K extends EventKind = EventKind> = {
  [Each in K]: {
    readonly seq: number
    readonly time: number
    readonly kind: Each
    readonly step: string | null
    readonly body: EventBodies[Each]
  }
}[K]

/** Sent to listeners while a run is executed: journal events, and calls as they happen. */
export type LiveEvent =
  | RunEvent
  | { readonly kind: 'started'; readonly time: number; readonly step: string; readonly tool: string }
  | {
      readonly kind: 'progress'
      readonly time: number
      readonly step: string
      readonly progress: number
      readonly total?: number
      readonly message?: string
    }
  | {
      readonly kind: 'finished'
      readonly time: number
      readonly step: string
      readonly tool: string
      readonly result: ToolResult
      readonly ms: number
    }

/** The unanswered questions of a run. */
export function openQuestions(events: readonly RunEvent[]): Question[] {
  if (events.some(({ kind }) => kind === 'planned')) return []
  return events.findLast((event) => event.kind === 'questions')?.body.questions ?? []
}

export const eventOf = ({ seq, time, kind, step, body }: EventRow): RunEvent =>
  ({ seq, time, kind, step, body: JSON.parse(body) }) as RunEvent
