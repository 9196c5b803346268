/**
 * What a run gives the calls of its steps: the key they run under once, the approval of the plan, and the budget. It hangs on
 * the caller object that the run makes, so nothing that comes over a wire can pretend to have it.
 */
import type { Tool } from '../tool/tool.ts'

export interface RunContext {
  readonly run: string
  readonly step: string
  /** the term in which the run is led here */
  readonly leaseTerm?: number
  /** the idempotency key of the step's own call; calls that its tool makes in turn have none */
  readonly key: string
  /** how many steps of the run are at work now */
  readonly concurrency?: number
  /** The id of the approval of the plan, where it covers a call of this tool, at this depth, by this step. */
  covers(tool: Tool, depth: number): string | undefined
  /** Takes what the call may cost out of the budget before it runs. A sentence where it does not fit, else undefined. */
  reserve(spend: Spend): undefined | string | Promise<undefined | string>
  /** The call has ended; `cost` is what it really spent, 0 where its tool was never begun. */
  settle(spend: Spend): void | Promise<void>
}

export interface Spend {
  /** the call's id */
  readonly call: string
  readonly tool: string
  /** 0 for the step's own call, more for those its tool makes */
  readonly depth: number
  readonly cost: number
}
