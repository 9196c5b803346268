/** Secrets: fields whose schema says `x-secret`. They are never echoed in an error, written to a store or printed. */
import { isObject, type JsonObject, resolveRef } from './json.ts'

/** Names of the fields marked `x-secret`. By name, wherever it occurs: one field too many is the safe side. */
export type SecretNames = ReadonlySet<string>

export const SECRET = '[secret]'
/** The name of a schema that is secret as a whole. */
const EVERYTHING = ''

export const isSecretPath = (path: readonly PropertyKey[], secrets: SecretNames): boolean =>
  secrets.has(EVERYTHING) || path.some((step) => secrets.has(String(step)))

/** The value without its secrets. */
export function redact(value: unknown, secrets: SecretNames): unknown {
  if (secrets.size === 0) return value
  if (secrets.has(EVERYTHING)) return SECRET
  if (typeof value !== 'object' || value === null) return value
  return JSON.parse(JSON.stringify(value, (key, item) => (secrets.has(key) ? SECRET : item)))
}

/** Shorter texts occur everywhere by chance. */
const MIN_LENGTH = 4

/** The texts that `redact` would remove, to find them elsewhere. */
export function secretTexts(value: unknown, secrets: SecretNames): string[] {
  const texts: string[] = []
  const visit = (item: unknown, hidden: boolean): void => {
    if (typeof item === 'object' && item !== null) {
      for (const [key, child] of Object.entries(item)) visit(child, hidden || secrets.has(key))
    } else if (hidden && (typeof item === 'string' || typeof item === 'number') && String(item).length >= MIN_LENGTH) {
      texts.push(String(item))
    }
  }
  if (secrets.size > 0) visit(value, secrets.has(EVERYTHING))
  return texts
}

/** A JSON value without these texts, wherever they occur: a tool may have put a secret into a message. */
export function scrub<T>(value: T, texts: readonly string[]): T {
  if (texts.length === 0) return value
  const clean = (text: string): string => texts.reduce((left, secret) => left.replaceAll(secret, SECRET), text)
  const visit = (item: unknown): unknown => {
    if (typeof item === 'string') return clean(item)
    if (typeof item === 'number') return texts.includes(String(item)) ? SECRET : item
    if (typeof item !== 'object' || item === null) return item
    if (Array.isArray(item)) return item.map(visit)
    return Object.fromEntries(Object.entries(item).map(([name, child]) => [clean(name), visit(child)]))
  }
  return visit(value) as T
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
    if (isMarked(node) || isMarked(resolveRef(schema, $ref))) names.add(name)
    if (isObject(properties)) for (const [key, child] of Object.entries(properties)) visit(child, key)
    for (const child of Object.values(rest)) visit(child, name)
  }
  // Most schemas have none.
  if (JSON.stringify(schema).includes('"x-secret"')) visit(schema, EVERYTHING)
  return names
}

const isMarked = (node: unknown): boolean => isObject(node) && node['x-secret'] === true
