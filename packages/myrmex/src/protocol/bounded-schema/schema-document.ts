/**
 * The schemas of one document and what its references mean: JSON Pointers, anchors, and ids inside the document. Nothing outside of
 * it is ever read. Every schema is visited once, so the time is linear in the size of the document.
 */
import { ToolError } from '../errors.ts'
import { isObject, type JsonObject, pointerSteps, valueAtPath } from '../json.ts'
import { MAX_SCHEMAS } from './limits.ts'

/** Keywords whose value is one schema, a list of schemas, or a schema for each name. */
const ONE = new Set(
  'additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
)
const LIST = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'])
const MAP = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'])

/** For references without a base of their own. */
const ROOT_BASE = 'schema:/root'

export const badSchema = (why: string): ToolError => ToolError.of('RegistrationError', why)

export class SchemaDocument {
  readonly root: JsonObject
  /** the base of each schema's references */
  readonly #bases = new Map<object, string>()
  /** by absolute URI, with a fragment for anchors */
  readonly #targets = new Map<string, unknown>()

  constructor(root: JsonObject) {
    this.root = root
    this.#targets.set(ROOT_BASE, root)
    const left: [unknown, string][] = [[root, ROOT_BASE]]
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [schema, outer] = next
      if (!isObject(schema) || this.#bases.has(schema)) continue
      if (this.#bases.size >= MAX_SCHEMAS) throw badSchema(`has more than ${MAX_SCHEMAS} schemas`)
      const base = this.#enter(schema, outer)
      for (const child of childSchemas(schema)) left.push([child, base])
    }
  }

  /** The target of a reference in this schema. */
  resolve(schema: object, reference: string): unknown {
    const base = this.#bases.get(schema) ?? ROOT_BASE
    const [uri = '', fragment = ''] = splitUri(absolute(reference, base))
    const resource = this.#targets.get(uri)
    const target = fragment === '' || fragment.startsWith('/') ? atPointer(resource, fragment) : undefined
    const found = target ?? this.#targets.get(`${uri}#${fragment}`)
    if (typeof found === 'boolean' || isObject(found)) return found
    throw badSchema(`has a reference to ${JSON.stringify(reference.slice(0, 200))}, which is not in it`)
  }

  /** Registers the names of a schema and returns the base of what is in it. */
  #enter(schema: Record<string, unknown>, outer: string): string {
    const { $id, $anchor, $dynamicAnchor } = schema
    let base = outer
    if (typeof $id === 'string' && !$id.startsWith('#')) {
      base = splitUri(absolute($id, outer))[0] ?? outer
      this.#targets.set(base, schema)
    }
    this.#bases.set(schema, base)
    for (const anchor of [
      $anchor,
      $dynamicAnchor,
      typeof $id === 'string' && $id.startsWith('#') ? $id.slice(1) : undefined,
    ])
      if (typeof anchor === 'string') this.#targets.set(`${base}#${anchor}`, schema)
    return base
  }
}

function* childSchemas(schema: Record<string, unknown>): Generator<unknown> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (LIST.has(keyword) && Array.isArray(value)) yield* value
    else if (ONE.has(keyword)) yield value
    else if (MAP.has(keyword) && isObject(value)) yield* Object.values(value)
  }
}

function absolute(reference: string, base: string): string {
  try {
    return new URL(reference, base).href
  } catch {
    throw badSchema(`has a reference or id that is not a URI: ${JSON.stringify(reference.slice(0, 200))}`)
  }
}

function splitUri(uri: string): [string, string] {
  const cut = uri.indexOf('#')
  return cut === -1 ? [uri, ''] : [uri.slice(0, cut), uri.slice(cut + 1)]
}

function atPointer(resource: unknown, fragment: string): unknown {
  try {
    return valueAtPath(resource, pointerSteps(decodeURIComponent(fragment)))
  } catch {
    // Not a valid percent-encoding.
    return undefined
  }
}
