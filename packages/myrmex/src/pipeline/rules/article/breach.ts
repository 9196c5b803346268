/** A breach: the failure that names the article, its text, the value found and what is allowed. */

import type { Json, JsonObject } from '../../../protocol/json.ts'
import { clip, withFullStop } from '../../../protocol/text.ts'
import { failure, type Outcome } from '../../outcome.ts'

export interface Violation {
  /** as a sentence */
  readonly message: string
  /** the value found; null if it could not be determined */
  readonly value: Json
  readonly bound?: Json
}

export function breachFailure(
  tool: string,
  article: { readonly name: string; readonly text: string },
  found: Violation,
): Outcome {
  const error_details: JsonObject = {
    article: article.name,
    text: article.text,
    found: found.value,
    ...(found.bound !== undefined && { bound: found.bound }),
  }
  return failure({
    error_type: 'PermissionError',
    error_message: `${tool} was not run: it breaches the article “${article.name}” of the constitution: ${withFullStop(article.text)} ${found.message}`,
    error_details,
  })
}

const MAX_LENGTH = 100

/** A value as short JSON. */
export function formatValue(value: unknown): string {
  const text = value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value))
  return clip(text, MAX_LENGTH)
}
