/**
 * Secrets stay here when a model plans: what tools mark `x-secret` is shown as "[secret]", and put back only into arguments
 * that are secret under that very name. So no text of a stranger can send a secret anywhere else.
 */
import { isObject, type JsonObject, pointer } from '../../protocol/json.ts'
import { SECRET, type SecretNames, secretNames } from '../../protocol/secret.ts'
import type { ToolView } from '../fleet/tool-view.ts'
import type { Plan, PlanContext } from '../plan/plan.ts'

/** Names that any of the tools marks, and the semantic types of what they mark. */
export function secretNamesOf(tools: readonly ToolView[]): SecretNames {
  const names = new Set<string>()
  for (const { input, output } of tools) {
    for (const schema of [input, output ?? {}]) {
      for (const name of secretNames(schema)) names.add(name)
      for (const { name, typeId } of propertiesOf(schema))
        if (names.has(name) && typeId !== undefined) names.add(typeId)
    }
  }
  // One tool whose whole input is secret does not make secret what others know.
  names.delete('')
  return names
}

/** The plan with the secrets put in, and a problem for each place that must not have one. */
export function withSecrets(
  plan: Plan,
  context: PlanContext,
  tools: readonly ToolView[],
): { plan: Plan; problems: string[] } {
  const known = context.known ?? {}
  const problems: string[] = []
  const steps = plan.steps.map((step) => {
    const input = tools.find(({ name }) => name === step.tool)?.input ?? {}
    const filled: Record<string, unknown> = { ...step.arguments }
    const secrets = secretNames(input)
    for (const { name, typeId = name } of propertiesOf(input).filter((one) => secrets.has(one.name))) {
      const key = [typeId, name].find((one) => Object.hasOwn(known, one))
      if (filled[name] === SECRET && key !== undefined) filled[name] = known[key]
    }
    for (const [name, value] of Object.entries(step.arguments)) {
      if (!JSON.stringify(value)?.includes(SECRET) || filled[name] !== value) continue
      problems.push(`/steps ${step.id}${pointer([name])}: ${SECRET} may only stand for a known secret of that name`)
    }
    return { ...step, arguments: filled }
  })
  return { plan: { ...plan, steps }, problems }
}

const propertiesOf = ({ properties }: JsonObject): { name: string; typeId?: string }[] =>
  Object.entries(isObject(properties) ? properties : {}).map(([name, child]) =>
    isObject(child) && typeof child.type_id === 'string' ? { name, typeId: child.type_id } : { name },
  )
