/**
 * Canonical JSON (RFC 8785): equal values give the same text, whatever the order of their keys and the form of their numbers.
 * Everything that is hashed, signed or compared uses this form.
 */

/** JSON.stringify already writes numbers and strings as the RFC wants them; only the order of keys is left to us. */
export function canonical(value: unknown): string {
  return isOrdered(value) ? JSON.stringify(value) : write(value)
}

/**
 * Most values have their keys in order, and then JSON.stringify is several times faster than `write`. This runs twice in every
 * recorded call, so it visits nothing unnecessarily.
 */
export function isOrdered(value: unknown): boolean {
  return !isNested(value) || (Array.isArray(value) ? isOrderedList(value) : isOrderedObject(value))
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

function isOrderedList(list: readonly unknown[]): boolean {
  for (const item of list) if (isNested(item) && !isOrdered(item)) return false
  return true
}

function isOrderedObject(value: object): boolean {
  let last: string | undefined
  for (const key in value) {
    if (last !== undefined && key < last) return false
    const item = (value as Record<string, unknown>)[key]
    if (isNested(item) && !isOrdered(item)) return false
    last = key
  }
  return typeof (value as { toJSON?: unknown }).toJSON !== 'function'
}

function write(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return write(JSON.parse(JSON.stringify(value)))
  let text = ''
  for (const key of orderedKeys(value)) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined || typeof member === 'function') continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${write(member)}`
  }
  return `{${text}}`
}

/** Content blocks are `{type, text}`: for two keys nothing need be sorted. */
function orderedKeys(value: object): string[] {
  const keys = Object.keys(value)
  const [first, second] = keys
  if (keys.length !== 2 || first === undefined || second === undefined) return keys.sort()
  return first < second ? keys : [second, first]
}
