/**
 * Whether the values of an output schema can fit an input schema: never, surely or perhaps. "Never" is certain: types, listed
 * values, bounds or semantic types exclude each other. There are two exceptions: null for null if both schemas also allow other
 * values, and the empty array for arrays of different items.
 */
import { getOrMake } from '../../../protocol/get-or-make.ts'
import { isObject } from '../../../protocol/json.ts'
import { withArticle } from '../../../protocol/text.ts'
import { judge, type SchemaObject } from '../../../schema/json-schema/judge.ts'
import { KIND, kindsInWords, sameJson } from '../../../schema/json-schema/kinds.ts'
import { clipText, showValue } from '../../../schema/json-schema/show-value.ts'
import { type Alternative, type AnalysedSchema, requiredNames } from './alternatives.ts'
import { itemSchema, kindsOf, memberOf, propertySchemas, shapeOfAll, type ValueShape } from './follow-path.ts'

export type Fit =
  | { readonly fit: 'surely' | 'perhaps' }
  /** `why` follows the name of the value in a message */
  | { readonly fit: 'never'; readonly why: string }

const PERHAPS: Fit = { fit: 'perhaps' }
const SURELY: Fit = { fit: 'surely' }

/** Differences in deeper levels are left to the pipeline. */
const MAX_DEPTH = 5
/** Alternatives times alternatives, at every level. */
const MAX_PAIRS = 2_000

export function fit(source: ValueShape, target: ValueShape): Fit {
  return compared(source, target, 0, { pairs: 0 })
}

interface Work {
  pairs: number
}

function compared(source: ValueShape, target: ValueShape, depth: number, work: Work): Fit {
  if (depth > MAX_DEPTH) return PERHAPS
  const beyondNull = kindsOf(source) & ~KIND.NULL && kindsOf(target) & ~KIND.NULL ? ~KIND.NULL : KIND.ALL
  let why: string | undefined
  let possible = false
  for (const one of source.alternatives) {
    for (const other of target.alternatives) {
      if (++work.pairs > MAX_PAIRS) return PERHAPS
      const reason = excluded(one, other, beyondNull, { source, target, depth, work })
      if (reason === undefined) possible = true
      else if (why === undefined || reason.weight > 0) why = reason.why
    }
  }
  if (!possible) return { fit: 'never', why: why ?? 'is something that no value can be' }
  const surely = source.alternatives.every((one) => target.alternatives.some((other) => surelyWithin(one, other)))
  return surely ? SURELY : PERHAPS
}

interface Pair {
  readonly source: ValueShape
  readonly target: ValueShape
  readonly depth: number
  readonly work: Work
}

/** The last reason of weight 1 is reported: different types are true of most pairs and say least. */
interface Reason {
  readonly why: string
  readonly weight: 0 | 1
}

const because = (why: string): Reason => ({ why, weight: 1 })

function excluded(one: Alternative, other: Alternative, mask: number, pair: Pair): Reason | undefined {
  const common = one.kinds & other.kinds & mask
  if (common === 0) {
    const all = (place: ValueShape): string => kindsInWords(kindsOf(place))
    return { why: `is ${all(pair.source)} where ${all(pair.target)} is taken`, weight: 0 }
  }
  return (
    otherMeaning(one, other) ??
    otherValues(one, other, pair) ??
    otherNumbers(one, other, common) ??
    (common === KIND.ARRAY ? otherItems(one, other, pair) : undefined) ??
    (common === KIND.OBJECT ? otherFields(one, other, pair) : undefined)
  )
}

function otherMeaning(one: Alternative, other: Alternative): Reason | undefined {
  if (one.ids.length === 0 || other.ids.length === 0 || one.ids.some((id) => other.ids.includes(id))) return undefined
  return because(
    `is ${withArticle(one.ids.map(clipText).join(', '))} where ${withArticle(other.ids.map(clipText).join(', '))} is taken`,
  )
}

const MAX_VALUES = 50
/** for each of them */
const MAX_STEPS = 200

function otherValues(one: Alternative, other: Alternative, { source, target }: Pair): Reason | undefined {
  if (one.values !== undefined && noneFits(one.values, other, target.schema))
    return because(`is ${values(one.values)}, and none of that is taken`)
  if (other.values !== undefined && noneFits(other.values, one, source.schema))
    return because(`is never ${values(other.values)}, and nothing else is taken`)
  return undefined
}

const noneFits = (given: readonly unknown[], { parts }: Alternative, schema: AnalysedSchema): boolean =>
  given.length <= MAX_VALUES &&
  given.every((value) =>
    parts.some((part) => typeof judge(part, value, schema.scope, { budget: { left: MAX_STEPS } }) === 'object'),
  )

const values = (given: readonly unknown[]): string =>
  given.length > 6 ? `one of ${given.length} values` : given.map(showValue).join(' or ')

function otherNumbers(one: Alternative, other: Alternative, common: number): Reason | undefined {
  if ((common & ~KIND.NUMBER) !== 0) return undefined
  const [a, b] = [rangeOf(one.parts), rangeOf(other.parts)]
  if (a.low > b.high) return because(`is at least ${a.low} where at most ${b.high} is taken`)
  return a.high < b.low ? because(`is at most ${a.high} where at least ${b.low} is taken`) : undefined
}

function rangeOf(parts: readonly SchemaObject[]): { low: number; high: number } {
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } of parts) {
    for (const bound of [minimum, exclusiveMinimum]) if (typeof bound === 'number') low = Math.max(low, bound)
    for (const bound of [maximum, exclusiveMaximum]) if (typeof bound === 'number') high = Math.min(high, bound)
  }
  return { low, high }
}

function otherItems(one: Alternative, other: Alternative, pair: Pair): Reason | undefined {
  const place = (reading: AnalysedSchema, parts: readonly SchemaObject[]): ValueShape =>
    shapeOfAll(
      reading,
      parts.map((part) => itemSchema(part, 0)),
    )
  const items = compared(
    place(pair.source.schema, one.parts),
    place(pair.target.schema, other.parts),
    pair.depth + 1,
    pair.work,
  )
  return items.fit === 'never' ? because(`is a list, of which each item ${items.why}`) : undefined
}

function otherFields(one: Alternative, other: Alternative, pair: Pair): Reason | undefined {
  for (const name of requiredNames(other.parts)) {
    const member = memberOf(one.parts, name, '')
    if (member === undefined) return because(`has no ${clipText(name)}, which is required`)
    const asked = shapeOfAll(
      pair.target.schema,
      other.parts.flatMap((part) => propertySchemas(part, name)),
    )
    const field = compared(shapeOfAll(pair.source.schema, member.schemas), asked, pair.depth + 1, pair.work)
    if (field.fit === 'never') return because(`has ${withArticle(clipText(name))} that ${field.why}`)
  }
  for (const name of requiredNames(one.parts)) {
    const refuses = (part: SchemaObject): boolean =>
      part.additionalProperties === false && propertySchemas(part, name).length === 0
    if (other.parts.some(refuses)) return because(`has ${withArticle(clipText(name))}, which is not taken`)
  }
  return undefined
}

/** Shapes are cached with their schema, so a result stays valid as long as both live. */
const cache = new WeakMap<ValueShape, WeakMap<object, Fit>>()

/** Compares the shape of a value with a part of the input schema. */
export function fitOf(source: ValueShape, input: AnalysedSchema, schema: unknown): Fit {
  if (!isObject(schema)) return schema === false ? { fit: 'never', why: 'must not be there' } : SURELY
  const fits = getOrMake(cache, source, () => new WeakMap<object, Fit>())
  return getOrMake(fits, schema, () => fit(source, { schema: input, alternatives: input.alternativesOf(schema) }))
}

function surelyWithin(one: Alternative, other: Alternative): boolean {
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
  (
    'type enum const $ref allOf anyOf $defs definitions title description default examples deprecated readOnly ' +
    'writeOnly $comment $schema $id type_id'
  ).split(' '),
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
