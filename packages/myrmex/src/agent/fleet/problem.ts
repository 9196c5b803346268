/** What is wrong with an agent of a fleet, or with one of its tools. The others are not concerned. */
import { toErrorDetail } from '../../protocol/errors.ts'

export interface FleetProblem {
  readonly agent: string
  /** as the agent lists it, where only this one tool is left out */
  readonly tool?: string
  readonly error_type: string
  readonly message: string
}

export function problem(agent: string, thrown: unknown, tool?: string): FleetProblem {
  const { error_type, error_message } = toErrorDetail(thrown, agent)
  // Here the operator reads, and not a caller: what somebody's file threw while it loaded is what is asked for.
  const own = error_type === 'ToolExecutionError' && thrown instanceof Error
  return { agent, ...(tool !== undefined && { tool }), error_type, message: own ? thrown.message : error_message }
}
