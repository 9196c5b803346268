/**
 * Describes a value that breaks a schema: location, rule and value, but never a secret. At most 20 issues are described, each in
 * bounded time and space, whatever the value is.
 */

import { formsText } from './alternatives.ts'
import { type ConstraintParams, constraintText } from './constraint.ts'
import { isObject, type Json, pointer, valueAtPath } from './json.ts'
import { markedPath, redact, SECRET, type SecretNames } from './secret.ts'
import { clip, withArticle } from './text.ts'

/** Read after the location: `/platform: must be one of facebook, google; got "myspace"`. */
export interface Issue {
  /** JSON Pointer */
  path: string
  /** what the schema demands, in a sentence: `must be one of facebook, google` */
  constraint: string
  /** the same with the value, or in the words of the schema's author */
  message: string
  value: Json
}

/** An issue before it is put into words and its value is looked up. */
export interface FoundIssue {
  readonly path: readonly PropertyKey[]
  /** of JSON Schema; `custom`: only `message` says what is demanded */
  readonly keyword: string
  readonly params: ConstraintParams
  /** in the words of the schema's author */
  readonly message?: string
}

/** Enough to correct a call by. Validators stop there, or are kept from finding many more. */
export const MAX_ISSUES = 20

const CLIPPED = 200
/** Constraints and messages may contain whole lists of values and patterns. */
const CLIPPED_TEXT = 1000
/** Of a value within a message. */
const CLIPPED_IN_TEXT = 80

export function describeIssue(found: FoundIssue, whole: unknown, secrets: SecretNames): Issue {
  const { path, message } = found
  const constraint = constraintOf(found, secrets)
  const marked = secrets.size === 0 ? undefined : markedPath(path, secrets)
  if (marked !== undefined && secrets.showsNames !== true)
    return secretIssue(marked, constraint, message, valueAtPath(whole, marked))
  const value = UNSHOWN.has(found.keyword) ? undefined : valueAtPath(whole, path)
  const isSecret = marked !== undefined || isMisplaced(value, constraint, secrets)
  const shown = isSecret ? SECRET : clipValue(value, secrets)
  return {
    path: clip(pointer(path), CLIPPED_TEXT),
    constraint,
    // A secret may be under another name: where there are any, no value is part of a text.
    message: clip(message ?? (secrets.size > 0 ? constraint : withValue(constraint, value, shown)), CLIPPED_TEXT),
    value: shown,
  }
}

/** The member is missing, or should be: its value says nothing. */
const UNSHOWN = new Set(['required', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'])

function constraintOf(found: FoundIssue, secrets: SecretNames): string {
  const { keyword, params, message } = found
  const text = keyword === 'anyOf' ? formsText(found, secrets.size === 0) : constraintText(keyword, params)
  return clip(keyword === 'custom' && message !== undefined ? message : text, CLIPPED_TEXT)
}

/** Names the marked field, and nothing that is within it: names and indexes there are secret too. */
function secretIssue(
  marked: readonly PropertyKey[],
  constraint: string,
  message: string | undefined,
  value: unknown,
): Issue {
  const isNested = typeof value === 'object' && value !== null
  return {
    path: clip(pointer(marked), CLIPPED_TEXT),
    constraint: isNested ? constraintText('') : constraint,
    message: isNested ? 'does not fit its schema, and is a secret' : clip(message ?? constraint, CLIPPED_TEXT),
    value: SECRET,
  }
}

/** A text, or a list of texts, where an object with a secret in it may be wanted: it may be that secret. */
const isMisplaced = (value: unknown, constraint: string, secrets: SecretNames): boolean =>
  secrets.size > 0 &&
  secrets.showsNames !== true &&
  !isObject(value) &&
  /\b(object|array|form|forms|schema)\b/i.test(constraint)

function withValue(constraint: string, value: unknown, shown: Json): string {
  if (value === undefined) return constraint
  if (Array.isArray(value)) return `${constraint}; got an array`
  if (isObject(value)) return `${constraint}; got an object`
  return `${constraint}; got ${clip(JSON.stringify(shown), CLIPPED_IN_TEXT)}`
}

/** All issues in one text, with the values. */
export const issueTexts = (issues: readonly Issue[]): string => listed(issues, ({ message }) => message)

/** The same without the values: for data that is not the reader's own. */
export const constraintTexts = (issues: readonly Issue[]): string => listed(issues, ({ constraint }) => constraint)

function listed(issues: readonly Issue[], textOf: (issue: Issue) => string): string {
  const text = issues.map((issue) => `${issue.path || '/'}: ${textOf(issue)}`).join('; ')
  return issues.length < MAX_ISSUES ? text : `${text}; at most ${MAX_ISSUES} are listed`
}

/** A value for an error: short, and always JSON. */
function clipValue(value: unknown, secrets: SecretNames): Json {
  if (value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value as Json
  if (typeof value === 'object' && hasMoreValuesThan(value, CLIPPED)) return sizeOf(value)
  const clean = redact(value, secrets)
  const text = typeof clean === 'string' ? clean : jsonText(clean)
  if (text === undefined) return `(${withArticle(typeof value)} that JSON cannot represent)`
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
