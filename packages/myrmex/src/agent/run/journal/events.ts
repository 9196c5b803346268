/**
 * The journal's words. Every change of a run is one of these lines, written before it is acted on; that a step began and how it
 * ended is in the ledger's record of its key, and `timeline` puts both together.
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
  /** running it again under the same key, or with the same arguments, changes nothing further */
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
  }
  /** the plan fails the check, and nothing is run */
  unfit: { problems: Problem[]; by: string }
  questions: { questions: Question[] }
  answered: { known: JsonObject; by: string }
  /** a human is asked: about the plan, or about one step */
  asked: { approval: string; about: 'plan' | 'step'; reason: string; steps: string[] }
  decided: {
    approval: string
    about: 'plan' | 'step'
    status: 'approved' | 'denied' | 'expired'
    by: string
    note: string
  }
  retry: { attempt: number; after_ms: number; error: ErrorDetail }
  /** final: it stands; otherwise the step is tried once more */
  verdict: { verdict: Verdict; final: boolean; by: string; notes: string[] }
  revised: { arguments: JsonObject; by: string; notes: string[] }
  /** a step has failed for good */
  failed: { error: ErrorDetail }
  waiting: { for: string[] }
  resumed: { by: string }
  stopping: { by: string; reason: string; in_flight: string[] }
  undo: { steps: string[]; stands: string[] }
  learned: { lessons: unknown[] }
  ended: { status: RunStatus }
}
export type EventKind = keyof EventBodies

/** Told apart by their kind. */
export type RunEvent<K extends EventKind = EventKind> = {
  [Each in K]: {
    readonly seq: number
    readonly time: number
    readonly kind: Each
    readonly step: string | null
    readonly body: EventBodies[Each]
  }
}[K]

/** What a listener hears besides the journal while a run is led here. */
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

export const eventOf = ({ seq, time, kind, step, body }: EventRow): RunEvent =>
  ({ seq, time, kind, step, body: JSON.parse(body) }) as RunEvent
