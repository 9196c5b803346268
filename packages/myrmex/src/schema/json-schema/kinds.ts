/** The kinds of JSON values as bits, so that the intersection of two sets of kinds is one operation. */
import { isObject } from '../../protocol/json.ts'

const NULL = 1
const BOOLEAN = 2
const INTEGER = 4
/** a number that is not an integer */
const FRACTION = 8
const STRING = 16
const ARRAY = 32
const OBJECT = 64
const NUMBER = INTEGER | FRACTION
const ALL = 127

export const KIND = { NULL, BOOLEAN, INTEGER, FRACTION, NUMBER, STRING, ARRAY, OBJECT, ALL } as const

const BY_NAME: Readonly<Record<string, number>> = {
  null: NULL,
  boolean: BOOLEAN,
  integer: INTEGER,
  number: NUMBER,
  string: STRING,
  array: ARRAY,
  object: OBJECT,
}

export function kindOf(value: unknown): number {
  if (value === null) return NULL
  if (Array.isArray(value)) return ARRAY
  if (typeof value === 'number') return Number.isInteger(value) ? INTEGER : FRACTION
  return BY_NAME[typeof value] ?? 0
}

/** The kinds that the keyword `type` of a schema allows. */
export function kindsOfType(schema: Readonly<Record<string, unknown>>): number {
  const { type, nullable } = schema
  if (type === undefined) return ALL
  let kinds = nullable === true ? NULL : 0
  for (const name of Array.isArray(type) ? type : [type]) kinds |= kindNamed(name)
  return kinds
}

// An unknown type name allows everything: a malformed schema is reported elsewhere.
const kindNamed = (name: unknown): number =>
  typeof name === 'string' && Object.hasOwn(BY_NAME, name) ? (BY_NAME[name] as number) : ALL

export function kindsInWords(kinds: number): string {
  if (kinds === ALL) return 'anything'
  const words = Object.keys(BY_NAME).filter((name) => {
    const bits = BY_NAME[name] as number
    if (name === 'integer') return (kinds & NUMBER) === INTEGER
    return (kinds & bits) === bits || (name === 'number' && (kinds & FRACTION) !== 0)
  })
  return words.join(' or ') || 'nothing'
}

/** Whether two JSON values are equal. The order of keys does not matter. */
export function sameJson(one: unknown, two: unknown): boolean {
  if (one === two) return true
  if (Array.isArray(one)) {
    return Array.isArray(two) && one.length === two.length && one.every((item, index) => sameJson(item, two[index]))
  }
  if (!isObject(one) || !isObject(two)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(two).length &&
    names.every((name) => Object.hasOwn(two, name) && sameJson(one[name], two[name]))
  )
}
