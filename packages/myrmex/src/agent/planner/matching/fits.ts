/** Whether a value, or a field of another tool's answer, can fill a need: asked of the same judges that check the plan. */
import { pointerSteps } from '../../../protocol/json.ts'
import { judge } from '../../../spec/json-schema/judge.ts'
import type { SchemaNode } from '../../../spec/schema-view.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import { type AnalysedSchema, analyseSchema } from '../../plan/check/alternatives.ts'
import { followPath, type ValueShape } from '../../plan/check/follow-path.ts'
import { fitOf } from '../../plan/check/schema-fit.ts'
import { WITH_REFERENCES } from '../../plan/reference.ts'
import type { Need, Offer } from '../types.ts'
import { JSON_ARRAY, JSON_NUMBER, JSON_STRING, jsonTypeOf, shapeOf } from './schema-shape.ts'

/** Schemas come as plain JSON; the type of a node that was taken out of one only forgot it. */
const reading = (root: SchemaNode): AnalysedSchema => analyseSchema(root as ToolView['input'])

export const valueFits = (need: Need, value: unknown): boolean =>
  (need.jsonTypes & jsonTypeOf(value)) !== 0 &&
  typeof judge(need.schema, value, reading(need.rootSchema).scope, WITH_REFERENCES) !== 'object'

/** The value in the form that the need takes: a number for the text of one, a list of one for one. Undefined where none fits. */
export function convertedToFit(
  need: Need,
  value: unknown,
): { readonly value: unknown; readonly how?: string } | undefined {
  if (value === undefined) return undefined
  if (valueFits(need, value)) return { value }
  for (const other of forms(need, value)) if (valueFits(need, other.value)) return other
  return undefined
}

function* forms(need: Need, value: unknown): Generator<{ readonly value: unknown; readonly how?: string }> {
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  if (isNumber && (need.jsonTypes & JSON_NUMBER) !== 0) yield { value: Number(value) }
  if (typeof value === 'number' && (need.jsonTypes & JSON_STRING) !== 0) yield { value: String(value) }
  if (!Array.isArray(value) && (need.jsonTypes & JSON_ARRAY) !== 0) {
    yield { value: [value] }
    if (typeof value === 'number') yield { value: [String(value)] }
  }
  if (Array.isArray(value) && value.length > 0) yield { value: value[0], how: `the first of ${value.length}` }
}

const places = new WeakMap<Offer, ValueShape | 'nowhere'>()

/** `wrapped`: as the only item of a list. */
export function offerFits(tool: ToolView, offer: Offer, need: Need, wrapped: boolean): boolean {
  if (!wrapped && isPlain(need.schema) && (offer.jsonTypes & ~need.jsonTypes) === 0) return true
  let place = places.get(offer)
  if (place === undefined) {
    const followed =
      tool.output === undefined ? undefined : followPath(analyseSchema(tool.output), pointerSteps(offer.pointer))
    place = followed?.found === true ? followed.place : 'nowhere'
    places.set(offer, place)
  }
  if (place === 'nowhere') return false
  const schema = wrapped ? (shapeOf(need.schema, need.rootSchema).items ?? {}) : need.schema
  return fitOf(place, reading(need.rootSchema), schema).fit !== 'never'
}

/** Keywords that say nothing of a value but its JSON type and what it means. */
const PLAIN = new Set(['type', 'type_id', 'title', 'description', 'default', 'examples', 'x-cost'])
const plain = new WeakMap<object, boolean>()

/** A text or a number without further conditions: what has the type fits, and nothing has to be looked up. */
function isPlain(schema: SchemaNode): boolean {
  let known = plain.get(schema)
  if (known === undefined) {
    const { type } = schema
    const isScalar = type === 'string' || type === 'number' || type === 'integer' || type === 'boolean'
    known = isScalar && Object.keys(schema).every((key) => PLAIN.has(key))
    plain.set(schema, known)
  }
  return known
}
