/** The properties that the rest of a schema evaluates, for `unevaluatedProperties`, if they are known without the value. */
import { isObject } from '../../protocol/json.ts'
import type { SchemaObject, SchemaScope } from './judge.ts'
import { matchesPattern } from './pattern.ts'

/** The keys that a schema names, one by one or by pattern. A rule for the other keys is about all the rest. */
export interface NamedKeys {
  readonly names: readonly string[]
  readonly patterns: readonly string[]
}

/** Whether a key is none of the named ones; undefined if a pattern cannot be tried. */
export function isOtherKey({ names, patterns }: NamedKeys, key: string): boolean | undefined {
  if (names.includes(key)) return false
  const matches = patterns.map((pattern) => matchesPattern(pattern, key))
  if (matches.includes(true)) return false
  return matches.includes(undefined) ? undefined : true
}

/** Undefined if it depends on the value. The schema's own `unevaluatedProperties` does not count. */
export function evaluatedProperties(schema: SchemaObject, scope: SchemaScope): NamedKeys | 'all' | undefined {
  const parts = unconditionalParts(schema, scope)
  if (parts === undefined) return undefined
  const isClosed = (part: SchemaObject): boolean =>
    part.additionalProperties !== undefined || (part !== schema && part.unevaluatedProperties !== undefined)
  if (parts.some(isClosed)) return 'all'
  const keysOf = (keyword: string): string[] => [
    ...new Set(parts.flatMap((part) => (isObject(part[keyword]) ? Object.keys(part[keyword]) : []))),
  ]
  return { names: keysOf('properties'), patterns: keysOf('patternProperties') }
}

const CONDITIONAL = ['anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies', '$dynamicRef', '$recursiveRef']

/** The schema and all schemas that apply to the same value without a condition. */
function unconditionalParts(schema: SchemaObject, scope: SchemaScope): SchemaObject[] | undefined {
  const parts = new Set<SchemaObject>([schema])
  for (const part of parts) {
    if (CONDITIONAL.some((keyword) => part[keyword] !== undefined)) return undefined
    const inner: unknown[] = Array.isArray(part.allOf) ? [...part.allOf] : []
    if (typeof part.$ref === 'string') {
      const target = scope.resolve(part.$ref)
      if (target === undefined) return undefined
      inner.push(target)
    }
    for (const one of inner) if (isObject(one)) parts.add(one)
  }
  return [...parts]
}
