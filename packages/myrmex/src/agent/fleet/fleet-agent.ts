/** One agent of a fleet, asked in the same way wherever it runs. */
import type { CritiqueRequest, Verdict } from '../critic/verdict.ts'
import type { Plan, PlanContext } from '../plan/plan.ts'
import type { FleetProblem } from './problem.ts'

export interface FleetAgent {
  readonly name: string
  readonly where: 'in-process' | 'child' | 'url'
  /** its author wrote a plan; any other plans from the schemas of its tools, as whoever leads the fleet can do too */
  readonly hasOwnPlan: boolean
  /** A plan over its own tools that holds. Throws ToolError where there is none. */
  plan(goal: string, context: PlanContext, signal?: AbortSignal): Promise<Plan>
  critique(request: CritiqueRequest, signal?: AbortSignal): Promise<Verdict>
}

/** What the fleet itself does with it. */
export interface FleetMember extends FleetAgent {
  /** Looks at what it offers now, and puts that in the place of what it offered before. */
  refresh(): Promise<readonly FleetProblem[]>
  /** as of the last look */
  readonly problems: readonly FleetProblem[]
}
