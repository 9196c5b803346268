/** One agent of a fleet, with the same interface wherever it runs, and the problems of agents. */
import { type HostProblem, toHostProblem } from '../../host/servers/host-problem.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { CritiqueRequest, Verdict } from '../critic/verdict.ts'
import type { Plan, PlanContext } from '../plan/plan.ts'

export interface FleetAgent {
  readonly name: string
  readonly where: 'in-process' | 'child' | 'url'
  /** its author wrote a plan function; other agents plan from the schemas of their tools, as the fleet's leader does */
  readonly hasOwnPlan: boolean
  /** the file of its own ledger, if this fleet started it and knows the file */
  readonly ledger?: string | undefined
  /** A valid plan with its own tools. Throws ToolError if there is none. */
  plan(goal: string, context: PlanContext, signal?: AbortSignal): Promise<Plan>
  critique(request: CritiqueRequest, signal?: AbortSignal): Promise<Verdict>
  /** Which of these calls its own gates would refuse, if it runs elsewhere and can tell. */
  refusals?(calls: readonly PlannedCall[], signal?: AbortSignal): Promise<readonly CallRefusal[]>
}

export interface PlannedCall {
  /** canonical */
  readonly tool: string
  /** undefined: not all of them are known before the plan runs */
  readonly arguments: JsonObject | undefined
}

export interface CallRefusal {
  /** of the call in the list */
  readonly index: number
  readonly message: string
  /** it is not refused: the agent would ask a person in its own ledger */
  readonly asks?: true
}

/** What only the fleet itself uses. */
export interface FleetMember extends FleetAgent {
  /** Lists its tools again. */
  refresh(): Promise<readonly FleetProblem[]>
  /** as of the last refresh */
  readonly problems: readonly FleetProblem[]
}

/** A problem of one agent or of one of its tools. The other agents are not affected. */
export interface FleetProblem {
  readonly agent: string
  /** the one tool that is left out, as the agent lists it */
  readonly tool?: string
  readonly error_type: string
  readonly message: string
}

export const fleetProblem = (agent: string, thrown: unknown): FleetProblem =>
  fromHostProblem(toHostProblem(agent, thrown))

export const fromHostProblem = ({ server, item, error_type, message }: HostProblem): FleetProblem => ({
  agent: server,
  ...(item !== undefined && { tool: item }),
  error_type,
  message,
})
