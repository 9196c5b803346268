/**
 * Gives distinguishable choices, and the elements of a tuple, their own locations. A location inside one has an extra step,
 * `/.pay/?=…/.card`. Without that step it is the plain location, which all choices share.
 */
import { canonical } from '../../protocol/canonical.ts'
import { isObject, pointer } from '../../protocol/json.ts'
import type { SchemaNode } from '../../tool/difference/schema-location.ts'

/** Without the step that says which choice. */
export const withoutChoice = (location: string): string => location.replace(/\/\?[^/]*/, '')

/** A value shows by itself which choice it is: so no two of them can be meant. */
export const isTagged = (location: string): boolean => location.includes('/?=')

const step = (sign: string, value: unknown): string => pointer([`?${sign}${canonical(value)}`])

export const elementStep = (index: number): string => step('', index)

/**
 * For each choice the step that leads into it. A property that has another constant in every one is the best sign; without,
 * the type and what is required must do, or the number of the choice where not even that tells it from the others.
 */
export function choiceSteps(choices: readonly SchemaNode[]): string[] {
  const constants = choices.filter(({ type }) => typeof type !== 'string' || type === 'object').map(constantsOf)
  const shared = [...(constants[0]?.keys() ?? [])].filter((name) => constants.every((all) => all.has(name)))
  const steps = choices.map((choice) => {
    const own = constantsOf(choice)
    if (shared.length > 0 && isObject(choice.properties))
      return step(
        '=',
        shared.map((name) => [name, own.get(name)]),
      )
    const { type, const: constant, required } = choice
    return step('', [type ?? null, constant ?? null, Array.isArray(required) ? required.toSorted() : []])
  })
  return steps.map((one, index) => (steps.filter((other) => other === one).length === 1 ? one : step('', index)))
}

/** Required properties of which only one value is allowed. */
function constantsOf({ properties, required }: SchemaNode): Map<string, unknown> {
  const constants = new Map<string, unknown>()
  for (const [name, child] of Object.entries(isObject(properties) ? properties : {})) {
    if (!isObject(child) || !Array.isArray(required) || !required.includes(name)) continue
    if (Object.hasOwn(child, 'const')) constants.set(name, child.const)
    else if (Array.isArray(child.enum) && child.enum.length === 1) constants.set(name, child.enum[0])
  }
  return constants
}
