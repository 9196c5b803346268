/** Thrown by a ledger that cannot do its work: callers get an UnavailableError, the log gets the cause. */
import { ToolError } from '../protocol/errors.ts'

/** How long a caller should wait before it tries again. */
export const RETRY_AFTER_MS = 1000

export class LedgerError extends ToolError {
  constructor(what: string, cause?: unknown) {
    const message = `The ledger ${what}. Try again, or ask the operator.`
    super('UnavailableError', message, { retry_after_ms: RETRY_AFTER_MS }, { cause })
  }
}
