/** What is said about a value that does not fit: where, which rule, and the value found, but never a secret. */

import { type Json, pointer, valueAtPath } from './json.ts'
import { isSecretPath, redact, SECRET, type SecretNames } from './secret.ts'
import { clip } from './text.ts'

/** What is wrong with one field: where, which rule it breaks, and the value found there. */
export interface Issue {
  path: string
  constraint: string
  message: string
  value: Json
}

export function describeIssue(
  path: readonly PropertyKey[],
  constraint: string,
  message: string,
  whole: unknown,
  secrets: SecretNames,
): Issue {
  const value = isSecretPath(path, secrets) ? SECRET : clipValue(redact(valueAtPath(whole, path), secrets))
  return { path: pointer(path), constraint, message, value }
}

const CLIPPED = 200

/** A value as it may stand in an error: never long, always JSON. */
function clipValue(value: unknown): Json {
  if (value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value as Json
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > CLIPPED ? `${clip(text, CLIPPED)} (${text.length} characters)` : (value as Json)
}
