/**
 * Reads a schema for comparison: its dialect and its references. A schema that the validator would reject, or that refers to
 * itself without end, is refused with location and reason.
 */

import { dialectOf, KNOWN_DIALECTS } from '../../protocol/ajv.ts'
import { messageOf } from '../../protocol/errors.ts'
import { isObject, type JsonObject, pointer, pointerSteps, valueAtPath } from '../../protocol/json.ts'
import { DRAFT_07, type SchemaObject, type SchemaScope } from '../json-schema/judge.ts'
import { DEFINITION_KEYWORDS, isSchema, keywordFault, subschemas, vocabularyOf } from '../json-schema/vocabulary.ts'

export type SchemaValue = JsonObject | boolean

export interface SchemaDocument extends SchemaScope {
  readonly root: SchemaValue
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

/** Works on a private copy, so that the schema is plain JSON. */
export function readSchema(schema: unknown): SchemaDocument | SchemaRefusal {
  try {
    checkSize(schema)
    return documentOf(copySchema(schema))
  } catch (error) {
    if (error instanceof SchemaRefusal) return error
    throw error
  }
}

/** Not recursive, so that cyclic values end here, too. */
function checkSize(schema: unknown): void {
  const left: [unknown, number][] = [[schema, 0]]
  for (let count = 0; left.length > 0; count++) {
    const [value, depth] = left.pop() as [unknown, number]
    if (depth > MAX_DEPTH)
      throw new SchemaRefusal('', `it is nested more than ${MAX_DEPTH} levels deep, or contains itself`)
    if (count > MAX_PARTS) throw new SchemaRefusal('', `it has more than ${MAX_PARTS} parts`)
    if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) left.push([item, depth + 1])
  }
}

function copySchema(schema: unknown): SchemaValue {
  let copy: unknown
  try {
    copy = JSON.parse(JSON.stringify(schema) ?? 'null')
  } catch (error) {
    throw new SchemaRefusal('', `it is not JSON: ${messageOf(error)}`)
  }
  if (!isSchema(copy)) throw new SchemaRefusal('', 'it is not a JSON Schema')
  return copy
}

function documentOf(root: SchemaValue): SchemaDocument {
  const dialect = dialectOf(isObject(root) ? root : {})
  if (!KNOWN_DIALECTS.includes(dialect)) throw new SchemaRefusal('/$schema', `dialect ${dialect} is not known`)
  const anchors = new Map<string, SchemaValue>()
  const base = isObject(root) && typeof root.$id === 'string' ? root.$id.replace(/#.*$/, '') : ''
  const patterns = new Set<string>()
  const resolve = (reference: string) => resolved(root, base, anchors, reference)
  const document: SchemaDocument = { root, draft07: dialect === DRAFT_07, patterns, resolve }
  for (const { schema } of everySchema(document)) {
    checkForm(schema, document)
    if (typeof schema.$anchor === 'string') anchors.set(schema.$anchor, schema as JsonObject)
    if (typeof schema.pattern === 'string') patterns.add(schema.pattern)
    if (isObject(schema.patternProperties)) for (const key of Object.keys(schema.patternProperties)) patterns.add(key)
  }
  checkEnds(document)
  return { ...document, unprovable: unreliablePart(document) }
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
  return isSchema(target) ? target : undefined
}

/** Malformed keywords and embedded documents end the comparison. */
function checkForm(schema: SchemaObject, { root, draft07 }: SchemaDocument): void {
  const refusal = (why: string, ...keyword: string[]) => new SchemaRefusal(pathOf(root, schema) + pointer(keyword), why)
  // References below it would be relative to it.
  if (schema !== root && typeof schema.$id === 'string') throw refusal('it holds a schema with an $id of its own')
  if (schema.$async === true) throw refusal('an asynchronous schema cannot be compared')
  if (schema.nullable !== undefined && schema.type === undefined) throw refusal('nullable needs a type beside it')
  const shapes = vocabularyOf(draft07)
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined
    const why = shape === undefined ? undefined : keywordFault(keyword, shape, value)
    if (why !== undefined) throw refusal(`the schema is not valid: ${why}`, keyword)
  }
}

/** Keywords whose schemas apply to the same value. */
const IN_PLACE = new Set('$ref allOf anyOf oneOf not if then else dependentSchemas dependencies'.split(' '))

/** A schema that refers back to itself without descending into the value makes the validator overflow. */
function checkEnds(document: SchemaDocument): void {
  const done = new Set<unknown>()
  const open = new Set<unknown>()
  const visit = (schema: unknown): void => {
    if (!isObject(schema) || done.has(schema)) return
    if (open.has(schema)) throw new SchemaRefusal(pathOf(document.root, schema), 'it refers to itself without end')
    open.add(schema)
    for (const [keyword, inner] of schemasFrom(schema, document)) if (IN_PLACE.has(keyword)) visit(inner)
    open.delete(schema)
    done.add(schema)
  }
  const every = new Set<unknown>([document.root])
  for (const schema of every) {
    visit(schema)
    for (const [, inner] of schemasFrom(schema, document)) every.add(inner)
  }
}

/** Within `not` and `if` the validator skips contains and uniqueItems if the array is shorter than its prefix. */
function unreliablePart(document: SchemaDocument): SchemaRefusal | undefined {
  for (const { schema, stopsAtFirst } of everySchema(document)) {
    const tuple = Array.isArray(schema.prefixItems) || Array.isArray(schema.items)
    if (stopsAtFirst && tuple && (schema.contains !== undefined || schema.uniqueItems === true)) {
      const why = 'contains and uniqueItems beside prefixItems, within not or if, are not judged reliably'
      return new SchemaRefusal(pathOf(document.root, schema), why)
    }
  }
  return undefined
}

/** The location of a schema in the document, as a JSON pointer. */
function pathOf(root: unknown, wanted: unknown): string {
  const left: [unknown, string][] = [[root, '']]
  for (const [value, where] of left) {
    if (value === wanted) return where
    if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) left.push([item, where + pointer([key])])
  }
  return ''
}

interface SchemaVisit<T = SchemaObject> {
  readonly schema: T
  /** within `not` or `if`, where the validator stops at the first fault */
  readonly stopsAtFirst: boolean
}

/** A schema that is reached both inside and outside of `not` or `if` is visited twice. */
function* everySchema(document: SchemaDocument): Generator<SchemaVisit> {
  const seen = { plain: new Set<unknown>(), hasty: new Set<unknown>() }
  const left: SchemaVisit<unknown>[] = [{ schema: document.root, stopsAtFirst: false }]
  for (let visit = left.pop(); visit !== undefined; visit = left.pop()) {
    const { schema, stopsAtFirst } = visit
    const known = stopsAtFirst ? seen.hasty : seen.plain
    if (!isObject(schema) || known.has(schema)) continue
    known.add(schema)
    yield { schema, stopsAtFirst }
    for (const shelf of DEFINITION_KEYWORDS)
      if (isObject(schema[shelf]))
        for (const inner of Object.values(schema[shelf])) left.push({ schema: inner, stopsAtFirst: false })
    for (const [keyword, inner] of schemasFrom(schema, document))
      left.push({ schema: inner, stopsAtFirst: stopsAtFirst || keyword === 'not' || keyword === 'if' })
  }
}

/** The subschemas of a schema and the target of its reference, each with its keyword. */
function* schemasFrom(schema: unknown, document: SchemaDocument): Generator<[keyword: string, schema: unknown]> {
  if (!isObject(schema)) return
  for (const [[keyword], inner] of subschemas(schema, document.draft07)) yield [keyword as string, inner]
  if (typeof schema.$ref === 'string') yield ['$ref', document.resolve(schema.$ref)]
}
