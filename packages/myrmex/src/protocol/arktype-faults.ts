/**
 * The types in an ArkType schema that JSON has no form for, each with its location in the data. ArkType itself lists them as `{}`, which
 * promises callers that anything fits, while no value that they can send does.
 */
import { isObject, pointer } from './json.ts'

/** The part of an ArkType type that is used here. */
interface ArkType {
  readonly in: ArkType
  readonly out: ArkType
  toJsonSchema(options: { fallback: Record<string, (found: Found) => object> }): unknown
}

/** What JSON Schema cannot say, as ArkType reports it. `base`: the part of it that JSON Schema can say. */
interface Found {
  readonly code: string
  readonly base: object
  readonly domain?: unknown
  readonly proto?: { readonly name: string }
  readonly unit?: unknown
}

const CHOICES = new Set(['allOf', 'anyOf', 'oneOf'])
const MARK = 'x-not-json'
/** A result may have them: they are written out as texts. */
const WRITTEN_OUT = ['Date', 'URL']

export function arktypeFaults(source: object, side: 'input' | 'output'): string[] {
  const type = source as ArkType
  if (typeof type.toJsonSchema !== 'function') return []
  const marked = (found: Found): object => {
    const name = nameOf(found)
    return name === undefined || (side === 'output' && WRITTEN_OUT.includes(name)) ? found.base : { [MARK]: name }
  }
  const seen = (side === 'input' ? type.in : type.out).toJsonSchema({ fallback: { default: marked } })
  return [...marks(seen, [])].map(([name, path]) => {
    const advice = name === 'Date' ? "Callers send texts: use 'string.date.parse'" : 'Use a type that JSON has'
    return `the ${side} schema has ${name}, which JSON cannot hold, at ${pointer(path) || 'its root'}. ${advice}`
  })
}

/** Undefined for what some JSON fits. */
function nameOf({ code, domain, proto, unit }: Found): string | undefined {
  if (code === 'date') return 'Date'
  if (code === 'domain') return String(domain)
  if (code === 'proto') return proto?.name
  return code === 'unit' && typeof unit === 'bigint' ? 'bigint' : undefined
}

function* marks(schema: unknown, path: readonly string[]): Iterable<[name: string, path: readonly string[]]> {
  if (!isObject(schema)) return
  if (typeof schema[MARK] === 'string') yield [schema[MARK], path]
  for (const [inner, ...steps] of partsOf(schema)) yield* marks(inner, [...path, ...steps])
}

/** The schemas in a schema, each with the step to its value. */
function* partsOf({ properties, ...rest }: Record<string, unknown>): Iterable<[schema: unknown, ...step: string[]]> {
  for (const [name, inner] of Object.entries((properties ?? {}) as object)) yield [inner, name]
  for (const [keyword, value] of Object.entries(rest)) {
    const parts = Array.isArray(value) ? (value as unknown[]) : [value]
    for (const part of parts) yield CHOICES.has(keyword) ? [part] : [part, '*']
  }
}
