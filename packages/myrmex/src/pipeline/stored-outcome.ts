/** Outcomes in the ledger: to JSON without secrets, and back. */
import type { ContentBlock } from '../protocol/content.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import type { JsonObject } from '../protocol/json.ts'
import { errorWithoutSecrets, mayHaveSecrets, secretFilter, TOO_MANY, unlessTooMany } from './audit/call-secrets.ts'
import type { Call } from './call.ts'
import { Outcome, refusal } from './outcome.ts'

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
    const lost = refusal('SerializationError', error_message)
    return { outcome: lost, text: JSON.stringify({ ...lost.toResult(), content: null }) }
  }
}

export function serialiseOutcome(call: Call, outcome: Outcome): string {
  const { content, forwarded } = outcome
  const kept: StoredOutcome = { ...outcome.toResult(), content, ...(forwarded !== null && { passed: forwarded }) }
  if (!mayHaveSecrets(call)) return JSON.stringify(kept)
  // Throws if it is no JSON. The filter would hide a cycle, and the caller gets the outcome as it is.
  const told = JSON.stringify(kept.error)
  return unlessTooMany(
    () => JSON.stringify(withoutSecrets(call, kept, told)),
    () => JSON.stringify(hidden(kept)),
  )
}

/** `told` is its error as JSON. */
function withoutSecrets(call: Call, kept: StoredOutcome, told: string): StoredOutcome {
  const secrets = secretFilter(call, kept.data)
  const shown = kept.data === null ? null : secrets.value(kept.data)
  // All of it is secret: only that there was data remains.
  const data = typeof shown === 'string' ? {} : shown
  const error = kept.error === null ? null : errorWithoutSecrets(kept.error, secrets)
  const explanation = kept.explanation === null ? null : secrets.text(kept.explanation)
  const isWhole = data === kept.data && explanation === kept.explanation && JSON.stringify(error) === told
  return {
    status: kept.status,
    data,
    error,
    explanation: isWhole && kept.content === null ? explanation : [explanation, NOT_KEPT].filter(Boolean).join(' '),
    // Content blocks may hold secrets; the data is rendered instead.
    content: null,
  }
}

/** Only how the call ended. */
const hidden = ({ status, data, error }: StoredOutcome): StoredOutcome => ({
  status,
  data: data === null ? null : {},
  error: error === null ? null : { error_type: error.error_type, error_message: TOO_MANY, error_details: null },
  explanation: NOT_KEPT,
  content: null,
})

export function parseOutcome(text: string): Outcome {
  const { status, data, error, explanation, content, passed = null } = JSON.parse(text) as StoredOutcome
  return new Outcome(status, data, error, explanation, content, passed)
}
