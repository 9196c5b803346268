/**
 * What a run gives the calls of its steps: the idempotency key, the approval of the plan, and the budget. It is on the caller
 * object that the run creates, so that no message from outside can forge it.
 */
import type { Tool } from '../tool/tool.ts'

export interface RunContext {
  readonly run: string
  readonly step: string
  /** the term of this process's lease on the run */
  readonly leaseTerm?: number
  /** the idempotency key of the step's own call; calls that its tool makes in turn have none */
  readonly key: string
  /** The id of the approval of the plan, where it covers this very call. */
  covers(call: CoverableCall): string | undefined
  /** Reserves what the call may cost. Returns a sentence if it does not fit, else undefined. */
  reserve(spend: Spend): undefined | string | Promise<undefined | string>
  /** The call has ended; `cost` is what it spent, 0 if its tool did not start. */
  settle(spend: Spend): void | Promise<void>
}

/** The subject of the approval of a plan. */
export interface CoverableCall {
  readonly tool: Tool
  readonly args: unknown
  /** 0 for the step's own call, more for those its tool makes */
  readonly depth: number
  /** the recorded call that it undoes */
  readonly undone: { readonly run: string | null; readonly step: string | null } | undefined
}

export interface Spend {
  /** the call's id */
  readonly call: string
  readonly tool: string
  /** 0 for the step's own call, more for those its tool makes */
  readonly depth: number
  readonly cost: number
}
