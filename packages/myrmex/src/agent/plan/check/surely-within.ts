/** Whether every value of one alternative obviously fits another. Only "yes" is meaningful. */
import { isObject } from '../../../protocol/json.ts'
import type { SchemaObject } from '../../../spec/json-schema/judge.ts'
import { KIND, sameJson } from '../../../spec/json-schema/kinds.ts'
import type { Alternative } from './alternatives.ts'

export function surelyWithin(one: Alternative, other: Alternative): boolean {
  if ((one.kinds & ~other.kinds) !== 0) return false
  if (other.values !== undefined) return within(one.values, other.values)
  if (other.parts.every((part) => one.parts.some((own) => sameJson(own, part) && !refers(part)))) return true
  // The content of arrays and objects is left to containment.
  if ((one.kinds & (KIND.ARRAY | KIND.OBJECT)) !== 0) return other.parts.every((part) => constraints(part).length === 0)
  return other.parts.every((part) =>
    constraints(part).every(([keyword, asked]) => one.parts.some((own) => holds(own, keyword, asked))),
  )
}

/** The same reference may lead to something else in another schema. */
const refers = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Object.hasOwn(value, '$ref') || Object.values(value).some(refers))

const within = (some: readonly unknown[] | undefined, others: readonly unknown[]): boolean =>
  some?.every((value) => others.some((other) => sameJson(value, other))) === true

/** Keywords that reject nothing, or that were already compared. */
const SILENT = new Set(
  'type enum const $ref allOf anyOf $defs definitions title description default examples deprecated readOnly writeOnly $comment $schema $id type_id'.split(
    ' ',
  ),
)

function constraints(part: SchemaObject): [string, unknown][] {
  return Object.entries(part).filter(([keyword]) => !SILENT.has(keyword) && !keyword.startsWith('x-'))
}

function holds(own: SchemaObject, keyword: string, asked: unknown): boolean {
  const said = own[keyword]
  if (said === undefined || isObject(said)) return false
  if (typeof said !== 'number' || typeof asked !== 'number') return sameJson(said, asked)
  if (keyword.startsWith('min') || keyword === 'exclusiveMinimum') return said >= asked
  if (keyword.startsWith('max') || keyword === 'exclusiveMaximum') return said <= asked
  return said === asked
}
