/**
 * Converts values to JSON by the rules of the specification: dates as ISO 8601, URLs as strings, nothing lost silently. A value
 * that JSON cannot hold is a SerializationError that names its location.
 */
import { ToolError } from './errors.ts'
import { pointer } from './json.ts'

/** A deeper value counts as a mistake. The bound also keeps the recursion within the stack. */
const MAX_DEPTH = 500

/**
 * The same value if it is plain JSON already (the usual case, at the price of one walk), else a copy with dates and
 * URLs written out. Properties that are undefined count as absent, as they do for JSON.stringify.
 */
export function toJson(value: unknown): unknown {
  return walk(value, [], [])
}

function walk(value: unknown, path: PropertyKey[], above: object[]): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (!Number.isFinite(value)) throw refuse(path, `the number ${value}`)
      return value
    case 'object':
      return value === null ? null : walkObject(value, path, above)
    case 'undefined':
      throw refuse(path, 'undefined')
    default:
      throw refuse(path, `a ${typeof value}`)
  }
}

function walkObject(value: object, path: PropertyKey[], above: object[]): unknown {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw refuse(path, 'an invalid date')
    return value.toISOString()
  }
  if (value instanceof URL) return value.href
  if (above.includes(value)) throw refuse(path, 'a cycle')
  if (above.length >= MAX_DEPTH) throw refuse(path, `nesting deeper than ${MAX_DEPTH}`)
  above.push(value)
  const plain = Array.isArray(value) ? walkArray(value, path, above) : walkRecord(value, path, above)
  above.pop()
  return plain
}

function walkArray(value: unknown[], path: PropertyKey[], above: object[]): unknown[] {
  let copy: unknown[] | undefined
  for (let i = 0; i < value.length; i++) {
    path.push(i)
    const item = walk(value[i], path, above)
    path.pop()
    if (item !== value[i] && copy === undefined) copy = value.slice()
    if (copy !== undefined) copy[i] = item
  }
  return copy ?? value
}

function walkRecord(value: object, path: PropertyKey[], above: object[]): object {
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      throw refuse(path, `a ${value.constructor.name}`)
    }
    if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
      return walk((value as { toJSON(): unknown }).toJSON(), path, above) as object
    }
  }
  let copy: Record<string, unknown> | undefined
  const record = value as Record<string, unknown>
  for (const key in record) {
    const item = record[key]
    if (item === undefined || !Object.hasOwn(record, key)) continue
    // The common leaves are not worth a call.
    if (typeof item === 'string' || typeof item === 'boolean' || item === null) continue
    path.push(key)
    const plain = walk(item, path, above)
    path.pop()
    if (plain !== item) {
      copy ??= { ...record }
      // Assignment to a key named __proto__ would change the prototype instead.
      Object.defineProperty(copy, key, { value: plain, enumerable: true, writable: true, configurable: true })
    }
  }
  return copy ?? value
}

function refuse(path: PropertyKey[], what: string): ToolError {
  const place = path.length === 0 ? 'the value itself' : pointer(path)
  return ToolError.of('SerializationError', `JSON cannot hold ${what} (at ${place}). Convert it before returning it.`, {
    path: pointer(path),
    found: what,
  })
}
