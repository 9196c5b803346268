/** What a call through the host came to. */
import type { Response } from '../server/connection.ts'

export type HostAnswer =
  | { readonly sum: number; readonly pid: number }
  /** the server is down, or did not answer in time */
  | { readonly without: string; readonly retryAfterMs: number | undefined }
  /** errors that no caller should receive */
  | { readonly wrong: string }

/** A server that goes wrong may be reported in these ways, and in no other. */
const ABSENT = new Set(['UnavailableError', 'TimeoutError'])

export function hostAnswerOf(response: Response | undefined): HostAnswer {
  const result = response?.result
  if (result === undefined) return { wrong: JSON.stringify(response) ?? 'no answer at all' }
  if (result.isError === true) {
    const { error_type, error_details } = (result.structuredContent ?? {}) as {
      error_type?: string
      error_details?: { retry_after_ms?: number }
    }
    if (error_type === undefined || !ABSENT.has(error_type)) return { wrong: JSON.stringify(result) }
    return { without: error_type, retryAfterMs: error_details?.retry_after_ms }
  }
  const [block] = (result.content ?? []) as { text?: string }[]
  try {
    return JSON.parse(block?.text ?? '') as { sum: number; pid: number }
  } catch {
    return { wrong: JSON.stringify(result) }
  }
}
