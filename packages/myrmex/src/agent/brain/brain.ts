/**
 * The brain of an agent makes plans, judges results, revises arguments and writes texts. The rules need no model and no network. With a
 * language model (model-brain.ts) the rules answer if the model fails, and the notes say so.
 */
import type { JsonObject } from '../../protocol/json.ts'
import type { CritiqueRequest, Verdict } from '../critic/verdict.ts'
import type { ToolStatistics, ToolView } from '../fleet/tool-view.ts'
import type { Plan, PlanContext, Step } from '../plan/plan.ts'

export interface PlanRequest {
  readonly goal: string
  readonly context: PlanContext
  readonly tools: readonly ToolView[]
  /** by canonical tool name */
  readonly learned?: ReadonlyMap<string, ToolStatistics>
}

/** A result was not good enough: with which other arguments would the same step do better? */
export interface ReviseRequest {
  readonly goal: string
  readonly step: Step
  readonly tool: ToolView
  /** as the step was called, references resolved */
  readonly arguments: JsonObject
  readonly data: unknown
  readonly verdict: Verdict
}

export interface WriteRequest {
  readonly task: string
  /** the data the text must keep to */
  readonly facts?: unknown
  readonly tone?: string
  readonly longest_words?: number
}

export interface Thought<T> {
  readonly value: T
  /** `rules`, or `provider:model` */
  readonly by: string
  /** what somebody should know about how it came about, such as that the rules took over */
  readonly notes: readonly string[]
}

export interface Brain {
  readonly name: string
  plan(request: PlanRequest, signal?: AbortSignal): Promise<Thought<Plan>>
  critique(request: CritiqueRequest, signal?: AbortSignal): Promise<Thought<Verdict>>
  /** null: nothing that this brain could change would help */
  revise(request: ReviseRequest, signal?: AbortSignal): Promise<Thought<JsonObject | null>>
  /** null: this brain cannot write, so the caller uses its own text */
  write(request: WriteRequest, signal?: AbortSignal): Promise<Thought<string | null>>
}
