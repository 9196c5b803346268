/**
 * Describes a value that breaks a schema: location, rule and value, but never a secret. At most 20 issues are described, each in
 * bounded time and space, whatever the value is.
 */

import { isObject, type Json, pointer, valueAtPath } from './json.ts'
import { markedPath, redact, SECRET, type SecretNames } from './secret.ts'
import { clip } from './text.ts'

export interface Issue {
  path: string
  constraint: string
  message: string
  value: Json
}

/** Enough to correct a call by. Validators stop there, or are kept from finding many more. */
export const MAX_ISSUES = 20

const CLIPPED = 200
/** Constraints and messages may contain whole lists of values and patterns. */
const CLIPPED_TEXT = 1000

export function describeIssue(
  path: readonly PropertyKey[],
  constraint: string,
  message: string,
  whole: unknown,
  secrets: SecretNames,
): Issue {
  const marked = secrets.size === 0 ? undefined : markedPath(path, secrets)
  if (marked !== undefined && secrets.showsNames !== true)
    return secretIssue(marked, constraint, message, valueAtPath(whole, marked))
  const found = valueAtPath(whole, path)
  const isSecret = marked !== undefined || isMisplaced(found, constraint, secrets)
  const value = isSecret ? SECRET : clipValue(found, secrets)
  return {
    path: clip(pointer(path), CLIPPED_TEXT),
    constraint: clip(constraint, CLIPPED_TEXT),
    message: clip(message, CLIPPED_TEXT),
    value,
  }
}

/** Names the marked field and the broken keyword, and nothing that is within the field: names and indexes there are secret too. */
function secretIssue(marked: readonly PropertyKey[], constraint: string, message: string, value: unknown): Issue {
  return {
    path: clip(pointer(marked), CLIPPED_TEXT),
    constraint: /^\w*/.exec(constraint)?.[0] || 'schema',
    message:
      typeof value === 'object' && value !== null
        ? 'does not fit its schema, and is a secret'
        : clip(message, CLIPPED_TEXT),
    value: SECRET,
  }
}

/** A text, or a list of texts, where an object with a secret in it may be wanted: it may be that secret. */
const isMisplaced = (value: unknown, constraint: string, secrets: SecretNames): boolean =>
  secrets.size > 0 && !isObject(value) && /\b(object|array)\b/.test(constraint)

/** All issues in one text. */
export const issueTexts = (issues: readonly Issue[]): string => {
  const text = issues.map(({ path, message }) => `${path || '/'}: ${message}`).join('; ')
  return issues.length < MAX_ISSUES ? text : `${text}; at most ${MAX_ISSUES} are listed`
}

/** A value for an error: short, and always JSON. */
function clipValue(value: unknown, secrets: SecretNames): Json {
  if (value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value as Json
  if (typeof value === 'object' && hasMoreValuesThan(value, CLIPPED)) return sizeOf(value)
  const clean = redact(value, secrets)
  const text = typeof clean === 'string' ? clean : jsonText(clean)
  if (text === undefined)
    return `(${typeof value === 'object' ? 'an object' : `a ${typeof value}`} that JSON cannot represent)`
  return text.length > CLIPPED ? `${clip(text, CLIPPED)} (${text.length} characters)` : (clean as Json)
}

/** Returns undefined for a bigint, a function, a symbol, and an object with one of them or with a toJSON that throws. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const sizeOf = (value: object): string =>
  Array.isArray(value) ? `(an array of ${value.length} items)` : '(an object with many members)'

/** Whether a value has more than this many values in it. It looks at no more of them than that. */
export function hasMoreValuesThan(value: unknown, limit: number): boolean {
  const left: object[] = []
  if (typeof value === 'object' && value !== null) left.push(value)
  let count = 0
  while (left.length > 0 && count <= limit) count += addMembers(left.pop() as object, left, limit - count)
  return count > limit
}

/** Returns how many members there are, at most one more than `enough`, and adds those that have members themselves. */
function addMembers(value: object, left: object[], enough: number): number {
  if (Array.isArray(value)) {
    if (value.length > enough) return enough + 1
    for (const item of value) if (typeof item === 'object' && item !== null) left.push(item)
    return value.length
  }
  let count = 0
  for (const key in value) {
    if (++count > enough) break
    const item = (value as Record<string, unknown>)[key]
    if (typeof item === 'object' && item !== null) left.push(item)
  }
  return count
}
