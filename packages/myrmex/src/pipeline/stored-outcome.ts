/** Outcomes in the ledger: to JSON without secrets, and back. */
import type { ContentBlock } from '../protocol/content.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import type { JsonObject } from '../protocol/json.ts'
import { redact, scrub } from '../protocol/secret.ts'
import { secretsOf } from './audit/call-secrets.ts'
import type { Call } from './call.ts'
import { failure, Outcome } from './outcome.ts'

type StoredOutcome = ToolResult & { content: ContentBlock[] | null; passed?: JsonObject | null }

const NOT_KEPT = 'Fields that are secret were not kept and are not shown again.'

/**
 * The outcome as it can be stored and returned. A tool may put something into an error that is not JSON: a repeated call must
 * still learn that the tool ran.
 */
export function storableOutcome(call: Call, outcome: Outcome): { outcome: Outcome; text: string } {
  try {
    return { outcome, text: serialiseOutcome(call, outcome) }
  } catch {
    const error_message = `${call.tool.name} ran, but its result cannot be written as JSON and is lost.`
    const lost = failure({ error_type: 'SerializationError', error_message })
    return { outcome: lost, text: JSON.stringify({ ...lost.toResult(), content: null }) }
  }
}

export function serialiseOutcome(call: Call, outcome: Outcome): string {
  const { input, output } = call.tool
  const { content, forwarded } = outcome
  const kept: StoredOutcome = { ...outcome.toResult(), content, ...(forwarded !== null && { passed: forwarded }) }
  if (input.secrets.size === 0 && output.secrets.size === 0) return JSON.stringify(kept)
  const { secrets, texts } = secretsOf(call, outcome.data)
  const data = redact(kept.data, secrets)
  const redacted = {
    status: kept.status,
    // All of it is secret: only that there was data remains.
    data: typeof data === 'string' ? {} : data,
    error: kept.error === null ? null : { ...kept.error, error_details: redact(kept.error.error_details, secrets) },
    explanation: kept.explanation === null ? NOT_KEPT : `${kept.explanation} ${NOT_KEPT}`,
    // Content blocks may hold secrets; the data is rendered instead.
    content: null,
  }
  return JSON.stringify(scrub(redacted, texts))
}

export function parseOutcome(text: string): Outcome {
  const { status, data, error, explanation, content, passed = null } = JSON.parse(text) as StoredOutcome
  return new Outcome(status, data, error, explanation, content, passed)
}
