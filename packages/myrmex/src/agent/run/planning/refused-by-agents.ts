/**
 * Agents elsewhere have gates of their own. A step that one of them would refuse is a problem of the plan, before anything runs, and not a
 * failure in the middle of the run. An agent that does not answer in time is not waited for: its step fails as before.
 */
import { pointer } from '../../../protocol/json.ts'
import { SECRET } from '../../../protocol/secret.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { FleetAgent, PlannedCall } from '../../fleet/fleet-agent.ts'
import type { PlanCheck, Problem } from '../../plan/check.ts'
import type { Plan, Step } from '../../plan/plan.ts'
import { findReferences } from '../../plan/reference.ts'

export async function checkWithAgents(fleet: Fleet, checked: PlanCheck, signal?: AbortSignal): Promise<PlanCheck> {
  if (!checked.ok) return checked
  const found = await foundByAgents(fleet, checked.plan, signal)
  const problems = found.filter(isRefusal)
  if (problems.length > 0) return { ok: false, problems }
  return found.length === 0 ? checked : { ...checked, warnings: [...checked.warnings, ...found] }
}

const isRefusal = ({ code }: Problem): boolean => code === 'refused-by-agent'

export const refusedByAgents = async (fleet: Fleet, plan: Plan, signal?: AbortSignal): Promise<Problem[]> =>
  (await foundByAgents(fleet, plan, signal)).filter(isRefusal)

async function foundByAgents({ agents }: Fleet, plan: Plan, signal: AbortSignal | undefined): Promise<Problem[]> {
  const found = await Promise.all(agents.map((agent) => foundBy(agent, plan, signal)))
  return found.flat()
}

async function foundBy(agent: FleetAgent, { steps }: Plan, signal: AbortSignal | undefined): Promise<Problem[]> {
  const own = steps.flatMap((step, index) => (step.agent === agent.name ? [{ step, index }] : []))
  if (own.length === 0 || agent.refusals === undefined) return []
  const refusals = await agent
    .refusals(
      own.map(({ step }) => plannedCall(step)),
      signal,
    )
    .catch(() => {
      signal?.throwIfAborted()
      return []
    })
  return refusals.flatMap(({ index: at, message, asks }): Problem[] => {
    const found = own[at]
    if (found === undefined) return []
    const { step, index } = found
    const place = { step: step.id, path: pointer(['steps', index, 'tool']) }
    return asks === true
      ? [
          {
            code: 'asked-by-agent',
            ...place,
            message: `${agent.name} asks for its own approval of ${step.id}: ${message}`,
          },
        ]
      : [{ code: 'refused-by-agent', ...place, message: `${agent.name} would refuse ${step.tool}: ${message}` }]
  })
}

/** Arguments that have values of earlier steps or secrets are not known here. */
function plannedCall({ tool, arguments: args }: Step): PlannedCall {
  const isKnown = findReferences(args).next().done === true && !JSON.stringify(args).includes(SECRET)
  return { tool, arguments: isKnown ? (args as PlannedCall['arguments']) : undefined }
}
