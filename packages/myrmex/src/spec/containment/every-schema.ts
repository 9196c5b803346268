/** Visits every schema of a document: subschemas, targets of references, and definitions. */
import { isObject, pointer } from '../../protocol/json.ts'
import { DEFINITION_KEYWORDS, subschemas } from '../json-schema/vocabulary.ts'
import type { SchemaDocument } from './schema-document.ts'

export interface SchemaVisit {
  readonly schema: Readonly<Record<string, unknown>>
  /** JSON pointer */
  readonly where: string
  /** within `not` or `if`, where the validator stops at the first fault */
  readonly stopsAtFirst: boolean
}

type Next = Omit<SchemaVisit, 'schema'> & { readonly schema: unknown }

/** A schema that is reached both inside and outside of `not` or `if` is visited twice. */
export function* everySchema(document: SchemaDocument): Generator<SchemaVisit> {
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
