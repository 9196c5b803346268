/**
 * Canonical JSON (RFC 8785): equal values give the same text, whatever the order of their keys and the form of their numbers.
 * Everything that is hashed, signed or compared uses this form. Any depth is written: JSON.parse has no limit of its own, so a
 * message may bring a value of a million levels.
 */

import { isProxy } from './builtin.ts'

/** Deeper values are written without recursion, which would exhaust the stack. */
export const MAX_RECURSION = 64

/** JSON.stringify already writes numbers and strings as the RFC wants them; only the order of keys is left to us. */
export function canonical(value: unknown): string {
  return isOrdered(value) ? JSON.stringify(value) : sorted(value)
}

/**
 * Most values have their keys in order, and then JSON.stringify is several times faster than `sorted`. This runs twice in every
 * recorded call, so it visits nothing unnecessarily. A value deeper than `levels` counts as not in order.
 */
export function isOrdered(value: unknown, levels = MAX_RECURSION): boolean {
  if (!isNested(value)) return true
  if (levels === 0) return false
  return Array.isArray(value) ? isOrderedList(value, levels - 1) : isOrderedObject(value, levels - 1)
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

function isOrderedList(list: readonly unknown[], levels: number): boolean {
  for (const item of list) if (isNested(item) && !isOrdered(item, levels)) return false
  return true
}

function isOrderedObject(value: object, levels: number): boolean {
  let last: string | undefined
  for (const key in value) {
    if (last !== undefined && key < last) return false
    const item = (value as Record<string, unknown>)[key]
    if (isNested(item) && !isOrdered(item, levels)) return false
    last = key
  }
  return !hasToJson(value)
}

const hasToJson = (value: object): boolean => typeof (value as { toJSON?: unknown }).toJSON === 'function'

/** The canonical text of a value whose keys may be in any order. Throws if JSON cannot hold it. */
export function sorted(value: unknown, levels = MAX_RECURSION): string {
  if (!isNested(value)) return JSON.stringify(value) ?? 'null'
  if (levels === 0) return sortedDeep(value)
  if (Array.isArray(value)) return `[${sortedItems(value, levels - 1)}]`
  if (hasToJson(value)) return sorted(JSON.parse(JSON.stringify(value)), levels)
  let text = ''
  for (const key of orderedKeys(value)) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined || typeof member === 'function') continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${sorted(member, levels - 1)}`
  }
  return `{${text}}`
}

/** Unlike `map`, this visits the holes of a list too. */
function sortedItems(list: readonly unknown[], levels: number): string {
  let text = ''
  for (const item of list) text += `${text === '' ? '' : ','}${sorted(item, levels)}`
  return text
}

/** Content blocks are `{type, text}`: for two keys nothing need be sorted. */
function orderedKeys(value: object): string[] {
  const keys = Object.keys(value)
  const [first, second] = keys
  if (keys.length !== 2 || first === undefined || second === undefined) return keys.sort()
  return first < second ? keys : [second, first]
}

/** An array or object that is being written: its keys, if it has any, and how far it is written. */
interface OpenValue {
  readonly value: object
  readonly keys: readonly string[] | undefined
  next: number
  isEmpty: boolean
}

/** The same as `sorted`, without recursion. */
function sortedDeep(root: unknown): string {
  let text = ''
  const stack: OpenValue[] = []
  const open = new Set<object>()
  const write = (given: unknown): void => {
    const value = isNested(given) && hasToJson(given) ? JSON.parse(JSON.stringify(given)) : given
    if (!isNested(value)) {
      text += JSON.stringify(value) ?? 'null'
      return
    }
    if (open.has(value)) throw new TypeError('A value that contains itself cannot be written as JSON.')
    open.add(value)
    const keys = Array.isArray(value) ? undefined : orderedKeys(value)
    text += keys === undefined ? '[' : '{'
    stack.push({ value, keys, next: 0, isEmpty: true })
  }
  write(root)
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { value, keys, next } = top
    if (next === (keys ?? (value as unknown[])).length) {
      text += keys === undefined ? ']' : '}'
      open.delete(value)
      stack.pop()
      continue
    }
    top.next++
    const key = keys?.[next]
    const member = (value as Record<string | number, unknown>)[key ?? next]
    if (key !== undefined && (member === undefined || typeof member === 'function')) continue
    text += `${top.isEmpty ? '' : ','}${key === undefined ? '' : `${JSON.stringify(key)}:`}`
    top.isEmpty = false
    write(member)
  }
  return text
}

/**
 * The value that the canonical text says: the same one if it is plain JSON. Values of this process, and -0, may differ from their text:
 * a person reads the text, and a tool would get something else.
 */
export const asCanonical = <T>(value: T): T => (isPlainJson(value) ? value : JSON.parse(canonical(value)))

/** Whether a value is exactly what its canonical text says. False for a value that may change while it is read. */
export function isPlainJson(value: unknown): boolean {
  const left: unknown[] = [value]
  const seen = new Set<object>()
  while (left.length > 0) {
    const item = left.pop()
    if (isNested(item)) {
      if (seen.has(item)) continue
      seen.add(item)
      if (!isPlain(item, left)) return false
    } else if (Object.is(item, -0) || !SIMPLE.has(typeof item)) return false
  }
  return true
}

const SIMPLE = new Set(['string', 'number', 'boolean', 'object'])

/** Adds what is in it to `left`. */
function isPlain(value: object, left: unknown[]): boolean {
  if (isProxy(value)) return false
  const prototype = Object.getPrototypeOf(value)
  const isList = Array.isArray(value)
  if (prototype !== (isList ? Array.prototype : Object.prototype) && (isList || prototype !== null)) return false
  const keys = Reflect.ownKeys(value)
  // A list has its length besides its items. Fewer keys: it has holes. More: it has members.
  if (isList && keys.length !== value.length + 1) return false
  for (const key of keys) {
    if (isList && key === 'length') continue
    const member = Object.getOwnPropertyDescriptor(value, key)
    if (typeof key === 'symbol' || member?.enumerable !== true || !('value' in member)) return false
    left.push(member.value)
  }
  return !hasToJson(value)
}

/** No string can be twice as long. A body of 16 MB, the most that HTTP accepts, always has a shorter text. */
const MAX_TEXT = 2 ** 28
/** The longest text of a number, with a comma. */
const LONGEST_NUMBER = 25
/** A character may be written as \uXXXX. */
const LONGEST_CHARACTER = 6

/**
 * Why canonical JSON cannot hold a value, as the end of a sentence; undefined if it can. JSON.parse reads 1e400 as Infinity, which
 * JSON writes as null, so two different values would have one text.
 */
export function whyUnwritable(value: unknown): string | undefined {
  const left: unknown[] = [value]
  let most = 0
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item === 'number' && !Number.isFinite(item)) return 'a number that is too large; send it as a text'
    if (typeof item === 'bigint') return 'a BigInt; send it as a text'
    most += LONGEST_NUMBER + (typeof item === 'string' ? item.length * LONGEST_CHARACTER : 0)
    if (isNested(item)) most += addChildren(item, left)
    // A value that contains itself ends here too.
    if (most > MAX_TEXT) return 'more than can be recorded; send less'
  }
  return undefined
}

/** Returns the most that its keys may take. */
function addChildren(value: object, left: unknown[]): number {
  let most = 0
  if (Array.isArray(value)) for (const item of value) left.push(item)
  else {
    for (const key in value) {
      most += key.length * LONGEST_CHARACTER
      left.push((value as Record<string, unknown>)[key])
    }
  }
  return most
}
