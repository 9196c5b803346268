/** JSON values, and how to find a value inside another. */

export type Json = string | number | boolean | null | JsonArray | JsonObject
export type JsonArray = Json[]
export type JsonObject = { [key: string]: Json | undefined }

/** A JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** undefined if the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Freezes a JSON value and everything in it, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}

/** A JSON Pointer (RFC 6901): every error names a location inside a value this way. */
export function pointer(path: readonly PropertyKey[]): string {
  let text = ''
  for (const key of path) text += `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return text
}

/** The inverse of `pointer`. */
export const pointerSteps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The target of a reference (`#/$defs/…`) within a schema; undefined if there is none or it is elsewhere. */
export function resolveRef(root: object, reference: unknown): unknown {
  if (reference === '#') return root
  return typeof reference === 'string' && reference.startsWith('#/')
    ? valueAtPath(root, pointerSteps(reference))
    : undefined
}

/** The name of a member that a copy made by assignment would lose: it sets the prototype instead. */
export const PROTO = '__proto__'

/** The path of the first member named `__proto__`; undefined if there is none. */
export const pathToProto = (value: unknown): PropertyKey[] | undefined => pathTo(value, (key) => key === PROTO)

/** The path of the first number that JSON cannot hold: parsing a text makes Infinity of 1e999. */
export const pathToInfinite = (value: unknown): PropertyKey[] | undefined =>
  pathTo(value, (_key, member) => typeof member === 'number' && !Number.isFinite(member))

/** The path of the first member of an object or array that is wanted. */
function pathTo(value: unknown, isWanted: (key: string, member: unknown) => boolean): PropertyKey[] | undefined {
  const seen = new Set<unknown>()
  const left: { readonly value: unknown; readonly path: PropertyKey[] }[] = [{ value, path: [] }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value: item, path } = next
    if (typeof item !== 'object' || item === null || seen.has(item)) continue
    seen.add(item)
    for (const [key, member] of Object.entries(item)) {
      const step = Array.isArray(item) ? Number(key) : key
      if (isWanted(key, member)) return [...path, step]
      if (typeof member === 'object') left.push({ value: member, path: [...path, step] })
    }
  }
  return undefined
}

/** The value at a path, or undefined if there is none. Own properties only. */
export function valueAtPath(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = (here as Record<PropertyKey, unknown>)[key]
  }
  return here
}
