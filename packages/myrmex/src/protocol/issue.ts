/** Describes a value that breaks a schema: location, rule and value, but never a secret. */

import { type Json, pointer, valueAtPath } from './json.ts'
import { isSecretPath, redact, SECRET, type SecretNames } from './secret.ts'
import { clip } from './text.ts'

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

/** All issues in one text. */
export const issueTexts = (issues: readonly Issue[]): string =>
  issues.map(({ path, message }) => `${path || '/'}: ${message}`).join('; ')

const CLIPPED = 200

/** A value for an error: short, and always JSON. */
function clipValue(value: unknown): Json {
  if (value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value as Json
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > CLIPPED ? `${clip(text, CLIPPED)} (${text.length} characters)` : (value as Json)
}
