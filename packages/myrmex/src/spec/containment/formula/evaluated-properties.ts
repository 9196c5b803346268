/** The properties that the rest of a schema has already judged, as `unevaluatedProperties` asks, where that is known beforehand. */
import { isObject } from '../../../protocol/json.ts'
import type { SchemaDocument } from '../schema-document.ts'
import type { OtherKeys } from './formula.ts'

type Schema = Readonly<Record<string, unknown>>

/** Undefined where it depends on the value. `schema` is looked at without its own unevaluatedProperties. */
export function evaluatedProperties(schema: Schema, document: SchemaDocument): OtherKeys | 'all' | undefined {
  const parts = partsOf(schema, document)
  if (parts === undefined) return undefined
  const isClosed = (part: Schema): boolean =>
    part.additionalProperties !== undefined || (part !== schema && part.unevaluatedProperties !== undefined)
  if (parts.some(isClosed)) return 'all'
  const keysOf = (keyword: string): string[] => [
    ...new Set(parts.flatMap((part) => Object.keys((part[keyword] as object | undefined) ?? {}))),
  ]
  return { names: keysOf('properties'), patterns: keysOf('patternProperties') }
}

const DEPENDING = ['anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies', '$dynamicRef', '$recursiveRef']

/** The schema and all that is put to the same value without condition. */
function partsOf(schema: Schema, document: SchemaDocument): Schema[] | undefined {
  const parts = new Set<Schema>([schema])
  for (const part of parts) {
    if (DEPENDING.some((keyword) => part[keyword] !== undefined)) return undefined
    const inner: unknown[] = [...((part.allOf as unknown[] | undefined) ?? [])]
    if (typeof part.$ref === 'string') {
      const target = document.resolve(part.$ref)
      if (target === undefined) return undefined
      inner.push(target)
    }
    for (const one of inner) if (isObject(one)) parts.add(one)
  }
  return [...parts]
}
