/**
 * Optional properties with names that every object inherits, such as `constructor`. The libraries read the inherited member where the
 * property is missing, and reject it. So such a property must be required, or have another name.
 */
import { isObject, type JsonObject, pointer } from './json.ts'

export const isInheritedName = (name: string): boolean => name in Object.prototype

export const inheritedNameFault = (side: 'input' | 'output', path: readonly string[]): string =>
  `the ${side} schema has an optional property at ${pointer(path)}, and every object inherits a member of that name. Make it required, or rename it`

/** A fault for each of them in a JSON Schema. */
export function inheritedNameFaults(schema: unknown, side: 'input' | 'output', path: readonly string[] = []): string[] {
  if (!isObject(schema)) return []
  const { properties, required = [], ...rest } = schema as JsonObject & { required?: string[] }
  const members = Object.entries((properties ?? {}) as object).flatMap(([name, inner]) => [
    ...(isInheritedName(name) && !required.includes(name) ? [inheritedNameFault(side, [...path, name])] : []),
    ...inheritedNameFaults(inner, side, [...path, name]),
  ])
  const parts = PARTS.flatMap((keyword) => [rest[keyword]].flat())
  return [...members, ...parts.flatMap((inner) => inheritedNameFaults(inner, side, path))]
}

const PARTS = ['additionalProperties', 'allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']
