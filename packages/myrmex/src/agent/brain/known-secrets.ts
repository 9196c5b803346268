/**
 * Secrets stay here when a model plans: what tools mark `x-secret` is shown as "[secret]", and put back only into arguments
 * that are secret under that very name. So no text of a stranger can send a secret anywhere else.
 */
import { pointer } from '../../protocol/json.ts'
import { SECRET, type SecretNames, secretNames } from '../../protocol/secret.ts'
import type { Tool } from '../../tool/tool.ts'
import { type ToolView, toolViewOf } from '../fleet/tool-view.ts'
import type { Plan, PlanContext } from '../plan/plan.ts'
import { namesOfNeed } from '../planner/matching/available-values.ts'
import { needsOf } from '../planner/matching/needs.ts'
import { normalizedName } from '../planner/names.ts'
import type { Need } from '../planner/types.ts'

/** Every name under which a planner takes a known value for something that one of the tools marks. */
export function secretNamesOf(tools: readonly ToolView[]): SecretNames {
  const names = new Set<string>()
  for (const tool of tools) {
    const marked = [...secretNames(tool.input), ...secretNames(tool.output ?? {})]
    for (const name of marked) names.add(normalizedName(name))
    for (const need of secretNeeds(tool)) for (const name of namesOfNeed(need)) names.add(name)
  }
  // One tool whose whole input is secret does not make secret what others know.
  names.delete('')
  return { size: names.size, has: (name) => names.has(normalizedName(name)) }
}

/** The same for the tools of one agent. */
export const ownSecretNames = ({
  name,
  tools,
}: {
  readonly name: string
  readonly tools: readonly Tool[]
}): SecretNames => secretNamesOf(tools.map((tool) => toolViewOf(tool, name)))

/** The inputs that are secret, or part of something that is. */
function secretNeeds(tool: ToolView): Need[] {
  const secrets = secretNames(tool.input)
  if (secrets.size === 0) return []
  const withParts = (need: Need): Need[] => [need, ...need.parts.flatMap(withParts)]
  return needsOf(tool)
    .flatMap(withParts)
    .filter(({ path }) => path.some((step) => secrets.has(step)))
}

export interface SecretProblem {
  readonly step: string
  /** within the arguments of the step */
  readonly path: string
  readonly message: string
  /** the tool marks the argument as secret, and its value is not known */
  readonly isMissing: boolean
}

/** The plan with the secrets put in, and a problem for each place that must not have one. */
export function withSecrets(
  plan: Plan,
  context: PlanContext,
  tools: readonly ToolView[],
): { plan: Plan; problems: SecretProblem[] } {
  const known = context.known ?? {}
  const problems: SecretProblem[] = []
  const steps = plan.steps.map((step) => {
    const tool = tools.find(({ name }) => name === step.tool)
    const filled: Record<string, unknown> = { ...step.arguments }
    const secret = new Map(tool && secretNeeds(tool).map((need) => [pointer(need.path), need]))
    for (const [name, value] of Object.entries(step.arguments)) {
      if (!JSON.stringify(value)?.includes(SECRET)) continue
      const need = secret.get(pointer([name]))
      const key = need && value === SECRET ? knownKey(need, known) : undefined
      if (key !== undefined) filled[name] = known[key]
      else {
        const message = `${SECRET} may only stand for a known secret of that name`
        problems.push({ step: step.id, path: pointer([name]), message, isMissing: need !== undefined })
      }
    }
    return { ...step, arguments: filled }
  })
  return { plan: { ...plan, steps }, problems }
}

/** Under its semantic type first, then under its own name, then under a name that means the same. */
function knownKey(need: Need, known: Record<string, unknown>): string | undefined {
  const exact = [need.typeId, need.property].find((name) => name !== undefined && Object.hasOwn(known, name))
  const names = new Set(namesOfNeed(need))
  return exact ?? Object.keys(known).find((key) => names.has(normalizedName(key)))
}
