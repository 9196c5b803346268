/**
 * Reads a schema for comparison: its dialect and its references. A schema that the validator would reject, or that refers to
 * itself without end, is refused with location and reason.
 */
import { isObject, type JsonObject, pointer, pointerSteps, valueAtPath } from '../../protocol/json.ts'
import { DEFINITION_KEYWORDS, isSchema, keywordFault, subschemas, vocabularyOf } from '../json-schema/vocabulary.ts'

export type SchemaValue = JsonObject | boolean

export interface SchemaDocument {
  readonly root: SchemaValue
  readonly draft07: boolean
  /** every pattern in the schema, for strings and for keys */
  readonly patterns: ReadonlySet<string>
  /** why nothing can be proved about it, although it is valid */
  readonly unprovable?: SchemaRefusal | undefined
  /** the schema that a `$ref` names; undefined if it is outside of the document */
  resolve(reference: string): SchemaValue | undefined
}

/** Why a schema cannot be compared. A class, since a schema may have keywords of any name. */
export class SchemaRefusal {
  readonly where: string
  readonly why: string

  constructor(where: string, why: string) {
    this.where = where
    this.why = why
  }
}

/** More than people write, and few enough for time and stack. */
const MAX_DEPTH = 300
const MAX_PARTS = 30_000

const DIALECT_2020 = 'https://json-schema.org/draft/2020-12/schema'
const DIALECT_07 = 'http://json-schema.org/draft-07/schema'

/** A private copy of the schema as plain JSON, or the reason why there is none. */
export function copySchema(schema: unknown): SchemaValue | SchemaRefusal {
  const refusal = measured(schema)
  if (refusal !== undefined) return refusal
  try {
    const copy: unknown = JSON.parse(JSON.stringify(schema) ?? 'null')
    return isSchema(copy) ? (copy as SchemaValue) : new SchemaRefusal('', 'it is not a JSON Schema')
  } catch (error) {
    return new SchemaRefusal('', `it is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Not recursive, so that cyclic values end here, too. */
function measured(schema: unknown): SchemaRefusal | undefined {
  const left: [unknown, number][] = [[schema, 0]]
  for (let count = 0; left.length > 0; count++) {
    const [value, depth] = left.pop() as [unknown, number]
    if (depth > MAX_DEPTH)
      return new SchemaRefusal('', `it is nested more than ${MAX_DEPTH} levels deep, or contains itself`)
    if (count > MAX_PARTS) return new SchemaRefusal('', `it has more than ${MAX_PARTS} parts`)
    if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) left.push([item, depth + 1])
  }
  return undefined
}

export function readSchema(root: SchemaValue): SchemaDocument | SchemaRefusal {
  const dialect = isObject(root) && typeof root.$schema === 'string' ? root.$schema.replace(/#$/, '') : DIALECT_2020
  if (dialect !== DIALECT_2020 && dialect !== DIALECT_07) {
    return new SchemaRefusal('/$schema', `dialect ${dialect} is not known`)
  }
  const draft07 = dialect === DIALECT_07
  const anchors = new Map<string, SchemaValue>()
  const base = isObject(root) && typeof root.$id === 'string' ? root.$id.replace(/#.*$/, '') : ''
  const patterns = new Set<string>()
  const resolve = (reference: string) => resolved(root, base, anchors, reference)
  const document: SchemaDocument = { root, draft07, patterns, resolve }
  const refusal = surveyed(document, anchors, patterns) ?? endless(document)
  if (refusal !== undefined) return refusal
  return { ...document, unprovable: unreliable(document) }
}

function resolved(
  root: SchemaValue,
  base: string,
  anchors: ReadonlyMap<string, SchemaValue>,
  reference: string,
): SchemaValue | undefined {
  const [place = '', fragment = ''] = reference.split(/#(.*)/s)
  if (place !== '' && place !== base) return undefined
  if (fragment !== '' && !fragment.startsWith('/')) return anchors.get(fragment)
  let path: string
  try {
    path = decodeURIComponent(fragment)
  } catch {
    return undefined
  }
  const target = valueAtPath(root, pointerSteps(path))
  return isSchema(target) ? (target as SchemaValue) : undefined
}

/** Visits every subschema. Malformed keywords and embedded documents end the comparison. */
function surveyed(
  document: SchemaDocument,
  anchors: Map<string, SchemaValue>,
  patterns: Set<string>,
): SchemaRefusal | undefined {
  for (const visit of everySchema(document)) {
    const { schema } = visit
    const refusal = illFormed(visit, vocabularyOf(document.draft07))
    if (refusal !== undefined) return refusal
    if (typeof schema.$anchor === 'string') anchors.set(schema.$anchor, schema as JsonObject)
    if (typeof schema.pattern === 'string') patterns.add(schema.pattern)
    if (isObject(schema.patternProperties)) for (const key of Object.keys(schema.patternProperties)) patterns.add(key)
  }
  return undefined
}

/** Within `not` and `if` the validator skips contains and uniqueItems if the array is shorter than its prefix. */
function unreliable(document: SchemaDocument): SchemaRefusal | undefined {
  for (const { schema, where, stopsAtFirst } of everySchema(document)) {
    const tuple = Array.isArray(schema.prefixItems) || Array.isArray(schema.items)
    if (stopsAtFirst && tuple && (schema.contains !== undefined || schema.uniqueItems === true)) {
      return new SchemaRefusal(
        where,
        'contains and uniqueItems beside prefixItems, within not or if, are not judged reliably',
      )
    }
  }
  return undefined
}

function illFormed({ schema, where }: SchemaVisit, shapes: ReturnType<typeof vocabularyOf>): SchemaRefusal | undefined {
  // References below it would be relative to it.
  if (where !== '' && typeof schema.$id === 'string')
    return new SchemaRefusal(where, 'it holds a schema with an $id of its own')
  if (schema.$async === true) return new SchemaRefusal(where, 'an asynchronous schema cannot be compared')
  if (schema.nullable !== undefined && schema.type === undefined)
    return new SchemaRefusal(where, 'nullable needs a type beside it')
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined
    const why = shape === undefined ? undefined : keywordFault(keyword, shape, value)
    if (why !== undefined) return new SchemaRefusal(where + pointer([keyword]), `the schema is not valid: ${why}`)
  }
  return undefined
}

/** Keywords whose schemas apply to the same value. */
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'])

/** A schema that refers back to itself without descending into the value. The validator overflows on it. */
function endless(document: SchemaDocument): SchemaRefusal | undefined {
  const done = new Set<unknown>()
  const open = new Set<unknown>()
  const visit = (schema: unknown): SchemaRefusal | undefined => {
    if (!isObject(schema) || done.has(schema)) return undefined
    if (open.has(schema)) return new SchemaRefusal(pathOf(document.root, schema), 'it refers to itself without end')
    open.add(schema)
    for (const next of inPlace(schema, document)) {
      const refusal = visit(next)
      if (refusal !== undefined) return refusal
    }
    open.delete(schema)
    done.add(schema)
    return undefined
  }
  const every = new Set<unknown>([document.root])
  for (const schema of every) {
    const refusal = visit(schema)
    if (refusal !== undefined) return refusal
    if (!isObject(schema)) continue
    for (const [, value] of subschemas(schema, document.draft07)) every.add(value)
    const target = typeof schema.$ref === 'string' ? document.resolve(schema.$ref) : undefined
    if (target !== undefined) every.add(target)
  }
  return undefined
}

function* inPlace(schema: Readonly<Record<string, unknown>>, document: SchemaDocument): Generator<unknown> {
  for (const [[keyword], value] of subschemas(schema, document.draft07))
    if (IN_PLACE.has(keyword as string)) yield value
  if (typeof schema.$ref === 'string') yield document.resolve(schema.$ref)
}

function pathOf(root: unknown, wanted: unknown): string {
  const left: [unknown, string][] = [[root, '']]
  for (const [value, where] of left) {
    if (value === wanted) return where
    if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) left.push([item, where + pointer([key])])
  }
  return ''
}

interface SchemaVisit {
  readonly schema: Readonly<Record<string, unknown>>
  /** JSON pointer */
  readonly where: string
  /** within `not` or `if`, where the validator stops at the first fault */
  readonly stopsAtFirst: boolean
}

type Next = Omit<SchemaVisit, 'schema'> & { readonly schema: unknown }

/** A schema that is reached both inside and outside of `not` or `if` is visited twice. */
function* everySchema(document: SchemaDocument): Generator<SchemaVisit> {
  const seen = { plain: new Set<unknown>(), hasty: new Set<unknown>() }
  const left: Next[] = [{ schema: document.root, where: '', stopsAtFirst: false }]
  for (let visit = left.pop(); visit !== undefined; visit = left.pop()) {
    const { schema, where, stopsAtFirst } = visit
    const known = stopsAtFirst ? seen.hasty : seen.plain
    if (!isObject(schema) || known.has(schema)) continue
    known.add(schema)
    yield { schema, where, stopsAtFirst }
    left.push(...next({ schema, where, stopsAtFirst }, document))
  }
}

function* next({ schema, where, stopsAtFirst }: SchemaVisit, document: SchemaDocument): Generator<Next> {
  for (const [steps, value] of subschemas(schema, document.draft07)) {
    yield {
      schema: value,
      where: where + pointer(steps),
      stopsAtFirst: stopsAtFirst || steps[0] === 'not' || steps[0] === 'if',
    }
  }
  for (const shelf of DEFINITION_KEYWORDS) {
    const shelved = schema[shelf]
    for (const [name, value] of Object.entries(isObject(shelved) ? shelved : {})) {
      yield { schema: value, where: where + pointer([shelf, name]), stopsAtFirst: false }
    }
  }
  if (typeof schema.$ref === 'string') {
    yield { schema: document.resolve(schema.$ref), where: schema.$ref.replace(/^[^#]*#?/, ''), stopsAtFirst }
  }
}
