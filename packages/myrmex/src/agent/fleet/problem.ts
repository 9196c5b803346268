/** What is wrong with an agent of a fleet, or with one of its tools. The others are not concerned. */
import { toHostProblem as hostProblem } from '../../host/servers/host-problem.ts'

export interface FleetProblem {
  readonly agent: string
  /** as the agent lists it, where only this one tool is left out */
  readonly tool?: string
  readonly error_type: string
  readonly message: string
}

export function fleetProblem(agent: string, thrown: unknown, tool?: string): FleetProblem {
  const { error_type, message } = hostProblem(agent, thrown, tool)
  return { agent, ...(tool !== undefined && { tool }), error_type, message }
}
