/** What is wrong with an agent of a fleet, or with one of its tools. The others are not concerned. */
import { problem as hostProblem } from '../../host/proxy/problem.ts'

export interface FleetProblem {
  readonly agent: string
  /** as the agent lists it, where only this one tool is left out */
  readonly tool?: string
  readonly error_type: string
  readonly message: string
}

export function problem(agent: string, thrown: unknown, tool?: string): FleetProblem {
  const { error_type, message } = hostProblem(agent, thrown, tool)
  return { agent, ...(tool !== undefined && { tool }), error_type, message }
}
