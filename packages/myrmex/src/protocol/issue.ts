/** What is said about a value that does not fit: where, which rule, and the value found, but never a secret. */
import { at, isObject, type Json, type JsonObject, pointer } from './json.ts'

/** What is wrong with one field: where, which rule it breaks, and the value found there. */
export interface Issue {
  path: string
  constraint: string
  message: string
  value: Json
}

/** Names of the fields marked `x-secret`. By name, wherever it stands: rather one field too many than one too few. */
export type SecretNames = ReadonlySet<string>

export function describe(
  path: readonly PropertyKey[],
  constraint: string,
  message: string,
  whole: unknown,
  secrets: SecretNames,
): Issue {
  const hidden = secrets.has(EVERYTHING) || path.some((step) => secrets.has(String(step)))
  const value = hidden ? SECRET : clip(redact(at(whole, path), secrets))
  return { path: pointer(path), constraint, message, value }
}

const SECRET = '[secret]'
/** Stands for a schema that is secret as a whole. */
const EVERYTHING = ''
const CLIPPED = 200

/** A value as it may stand in an error: never long, always JSON. */
function clip(value: unknown): Json {
  if (value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value as Json
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > CLIPPED ? `${text.slice(0, CLIPPED)}… (${text.length} characters)` : (value as Json)
}

/** The value without what is secret in it: an issue with an object shows the object, and that may hold a secret. */
function redact(value: unknown, secrets: SecretNames): unknown {
  if (secrets.size === 0 || typeof value !== 'object' || value === null) return value
  return JSON.parse(JSON.stringify(value, (key, item) => (secrets.has(key) && key !== EVERYTHING ? SECRET : item)))
}

export function secretNames(schema: JsonObject): SecretNames {
  const names = new Set<string>()
  const visit = (node: unknown, name: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const item of node) visit(item, name)
      return
    }
    const { properties, $ref, ...rest } = node as Record<string, unknown>
    if (isMarked(node) || isMarked(referred(schema, $ref))) names.add(name)
    if (isObject(properties)) for (const [key, child] of Object.entries(properties)) visit(child, key)
    for (const child of Object.values(rest)) visit(child, name)
  }
  // Most schemas have none.
  if (JSON.stringify(schema).includes('"x-secret"')) visit(schema, EVERYTHING)
  return names
}

const isMarked = (node: unknown): boolean => isObject(node) && node['x-secret'] === true

/** What a reference within the schema leads to. */
function referred(schema: JsonObject, reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  const steps = reference.slice(2).split('/')
  return at(
    schema,
    steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
  )
}
