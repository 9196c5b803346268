/** The properties that the rest of a schema has already judged, as `unevaluatedProperties` asks, where that is known beforehand. */
import { isObject } from '../../protocol/json.ts'
import type { Document } from './document.ts'
import type { Outside } from './formula.ts'

type Schema = Readonly<Record<string, unknown>>

/** Undefined where it depends on the value. `schema` is looked at without its own unevaluatedProperties. */
export function evaluatedBy(schema: Schema, document: Document): Outside | 'all' | undefined {
  const names = new Set<string>()
  const patterns = new Set<string>()
  const seen = new Set<unknown>()
  const left: Schema[] = [schema]
  let everything = false
  for (const part of left) {
    if (seen.has(part)) continue
    seen.add(part)
    if (DEPENDING.some((keyword) => part[keyword] !== undefined)) return undefined
    if (part.additionalProperties !== undefined) everything = true
    if (part !== schema && part.unevaluatedProperties !== undefined) everything = true
    for (const name of Object.keys((part.properties as object | undefined) ?? {})) names.add(name)
    for (const pattern of Object.keys((part.patternProperties as object | undefined) ?? {})) patterns.add(pattern)
    for (const inner of (part.allOf as unknown[] | undefined) ?? []) if (isObject(inner)) left.push(inner)
    if (typeof part.$ref === 'string') {
      const target = document.resolve(part.$ref)
      if (target === undefined) return undefined
      if (isObject(target)) left.push(target)
    }
  }
  return everything ? 'all' : { names: [...names], patterns: [...patterns] }
}

const DEPENDING = ['anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies', '$dynamicRef', '$recursiveRef']
