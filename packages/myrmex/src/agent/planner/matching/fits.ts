/** Whether a value, or a field of another tool's result, can fill a need: decided by the judges that also check the plan. */
import { getOrMake } from '../../../protocol/get-or-make.ts'
import { judge } from '../../../schema/json-schema/judge.ts'
import { KIND, kindOf } from '../../../schema/json-schema/kinds.ts'
import type { SchemaNode } from '../../../spec/schema-view.ts'
import { followed } from '../../plan/check/reference-source.ts'
import { fitOf } from '../../plan/check/schema-fit.ts'
import { WITH_REFERENCES } from '../../plan/reference.ts'
import type { Need, Offer } from '../types.ts'
import { analysed, shapeOf } from './schema-shape.ts'

export const valueFits = (need: Need, value: unknown): boolean =>
  (need.jsonTypes & kindOf(value)) !== 0 &&
  typeof judge(need.schema, value, analysed(need.rootSchema).scope, WITH_REFERENCES) !== 'object'

interface ConvertedValue {
  readonly value: unknown
  /** which of several values was taken */
  readonly how?: string
}

/** The value in the form that the need takes: a number for the text of one, a list of one for one. Undefined if none fits. */
export const convertedToFit = (need: Need, value: unknown): ConvertedValue | undefined =>
  value === undefined ? undefined : [...forms(need, value)].find((form) => valueFits(need, form.value))

function* forms(need: Need, value: unknown): Generator<ConvertedValue> {
  yield { value }
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  if (isNumber && (need.jsonTypes & KIND.NUMBER) !== 0) yield { value: Number(value) }
  if (typeof value === 'number' && (need.jsonTypes & KIND.STRING) !== 0) yield { value: String(value) }
  if (!Array.isArray(value) && (need.jsonTypes & KIND.ARRAY) !== 0) {
    yield { value: [value] }
    if (typeof value === 'number') yield { value: [String(value)] }
  }
  if (Array.isArray(value) && value.length > 0) yield { value: value[0], how: `the first of ${value.length}` }
}

/** `wrapped`: as the only item of a list. */
export function offerFits(offer: Offer, need: Need, wrapped: boolean): boolean {
  if (!wrapped && isPlain(need.schema) && (offer.jsonTypes & ~need.jsonTypes) === 0) return true
  const { output } = offer.tool
  const source = output && followed(analysed(output), offer.pointer)
  if (source?.found !== true) return false
  const schema = wrapped ? (shapeOf(need.schema, need.rootSchema).items ?? {}) : need.schema
  return fitOf(source.place, analysed(need.rootSchema), schema).fit !== 'never'
}

/** Keywords that say nothing of a value but its JSON type and what it means. */
const PLAIN_KEYWORDS = new Set(['type', 'type_id', 'title', 'description', 'default', 'examples', 'x-cost'])
const SCALAR_TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean'])
const plain = new WeakMap<object, boolean>()

/** A text or a number without further conditions: every value of the type fits. */
const isPlain = (schema: SchemaNode): boolean =>
  getOrMake(
    plain,
    schema,
    () => SCALAR_TYPES.has(schema.type) && Object.keys(schema).every((key) => PLAIN_KEYWORDS.has(key)),
  )
