/**
 * Whether a change of one keyword alone accepts fewer values or more. It only helps to name a change: containment decides what
 * the change means for the whole schema.
 */
import { isObject } from '../../protocol/json.ts'
import type { Difference } from '../../tool/difference/difference.ts'
import { WHOLE_SCHEMA } from '../../tool/difference/schema-differences.ts'

/** unclear: both, or the keyword alone does not show it */
export type Direction = 'narrowed' | 'widened' | 'unclear'
/** The aspect of a value that the keyword restricts. */
export type Aspect = 'type' | 'bound' | 'form' | 'enum' | 'choice' | 'others' | 'property' | 'schema'

type Judge = (difference: Difference) => Direction

export function directionOf(difference: Difference, keyword: string): { aspect: Aspect; direction: Direction } {
  const known = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined
  if (known !== undefined) return { aspect: known[0], direction: known[1](difference) }
  if (difference.kind === 'required') return { aspect: 'property', direction: 'narrowed' }
  if (difference.kind === 'optional') return { aspect: 'property', direction: 'widened' }
  return { aspect: 'schema', direction: 'unclear' }
}

/** A rule more lets fewer in. */
const ofRule: Judge = ({ kind }) => {
  if (kind === 'removed') return 'widened'
  return kind === 'order' ? 'unclear' : 'narrowed'
}

/** One form against another: no keyword says which of them lets more in. */
const ofForm: Judge = (difference) => (difference.kind === 'changed' ? 'unclear' : ofRule(difference))

const ofBound =
  (upper: 1 | -1): Judge =>
  ({ before, after }) => {
    if (before === undefined) return 'narrowed'
    if (after === undefined) return 'widened'
    if (typeof before !== 'number' || typeof after !== 'number') return 'unclear'
    return (after - before) * upper < 0 ? 'narrowed' : 'widened'
  }

const ofUnique: Judge = ({ before, after }) => (after === true ? 'narrowed' : before === true ? 'widened' : 'unclear')

const ofMultiple: Judge = ({ before, after }) => {
  if (before === undefined) return 'narrowed'
  if (after === undefined) return 'widened'
  return typeof before === 'number' && typeof after === 'number' && before % after === 0 ? 'widened' : 'narrowed'
}

/** If single members are compared, new ones allow more; a list that is new as a whole excludes others. */
const ofMembers: Judge = ({ kind, isMembersOnly }) => {
  if (kind === 'added') return isMembersOnly ? 'widened' : 'narrowed'
  if (kind === 'removed') return isMembersOnly ? 'narrowed' : 'widened'
  return 'unclear'
}

/** From what is let in as a rest: anything, what a schema allows, nothing. */
const ofOpenness: Judge = ({ before, after }) => {
  const [a, b] = [opennessOf(before), opennessOf(after)]
  return a === undefined || b === undefined || a === b ? 'unclear' : b < a ? 'narrowed' : 'widened'
}

function opennessOf(value: unknown): number | undefined {
  if (value === undefined || value === true) return 2
  if (value === false) return 0
  if (!isObject(value)) return undefined
  return Object.keys(value).length === 0 ? 2 : 1
}

const ofTypes: Judge = ({ before, after }) => {
  const [a, b] = [typesOf(before), typesOf(after)]
  if (a === undefined || b === undefined) return 'unclear'
  const lost = [...a].some((type) => !b.has(type))
  const won = [...b].some((type) => !a.has(type))
  return lost && won ? 'unclear' : lost ? 'narrowed' : won ? 'widened' : 'unclear'
}

const TYPES = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object']

/** A number is an integer or a fraction, so that the sets of types compare as the values do. */
function typesOf(value: unknown): Set<string> | undefined {
  if (value === undefined) return new Set(TYPES)
  const list = Array.isArray(value) ? value : [value]
  if (!list.every((type) => typeof type === 'string')) return undefined
  return new Set(list.flatMap((type) => (type === 'number' ? ['integer', 'fraction'] : [type])))
}

const keywords = (names: string, aspect: Aspect, judge: Judge): [string, readonly [Aspect, Judge]][] =>
  names.split(' ').map((name) => [name, [aspect, judge]])

const KEYWORDS: Readonly<Record<string, readonly [Aspect, Judge]>> = Object.fromEntries([
  ...keywords('type', 'type', ofTypes),
  ...keywords('maximum exclusiveMaximum maxLength maxItems maxProperties maxContains', 'bound', ofBound(1)),
  ...keywords('minimum exclusiveMinimum minLength minItems minProperties', 'bound', ofBound(-1)),
  ...keywords('multipleOf', 'bound', ofMultiple),
  ...keywords('uniqueItems', 'bound', ofUnique),
  ...keywords('pattern format', 'form', ofForm),
  ...keywords('enum const', 'enum', ofMembers),
  ...keywords('anyOf oneOf', 'choice', ofMembers),
  ...keywords('additionalProperties unevaluatedProperties', 'others', ofOpenness),
  ...keywords('items additionalItems unevaluatedItems', 'schema', ofOpenness),
  ...keywords(WHOLE_SCHEMA, 'schema', ofOpenness),
  ...keywords('allOf', 'schema', ofRule),
])
