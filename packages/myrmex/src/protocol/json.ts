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

/** The value at a path, or undefined if there is none. Own properties only. */
export function valueAtPath(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = (here as Record<PropertyKey, unknown>)[key]
  }
  return here
}
