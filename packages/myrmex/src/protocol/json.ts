/** The JSON values every message is made of, and the two questions asked of them everywhere. */

export type Json = string | number | boolean | null | JsonArray | JsonObject
export type JsonArray = Json[]
export type JsonObject = { [key: string]: Json | undefined }

/** An object as JSON knows it: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** RFC 6901: how a place inside a value is named in every error we give. */
export function pointer(path: readonly PropertyKey[]): string {
  let text = ''
  for (const key of path) text += `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return text
}

/** And back: the steps that a pointer names. */
export const pointerSteps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** What a reference (`#/$defs/…`) leads to within a schema; undefined where it leads nowhere or out of it. */
export function resolveRef(root: object, reference: unknown): unknown {
  if (reference === '#') return root
  return typeof reference === 'string' && reference.startsWith('#/')
    ? valueAtPath(root, pointerSteps(reference))
    : undefined
}

/** The value at a path, or undefined where the path leads nowhere. Own properties only. */
export function valueAtPath(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = (here as Record<PropertyKey, unknown>)[key]
  }
  return here
}
