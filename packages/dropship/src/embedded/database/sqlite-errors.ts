/** SQLite's primary result codes as errors that tell the owner of the file what to do. */
import { ToolError } from 'myrmex'

export const SQLITE_BUSY = 5

const REASONS: Readonly<Record<number, string>> = {
  [SQLITE_BUSY]: 'another process has been writing to it for over five seconds',
  8: 'it is read-only; this user must be allowed to write to it and to its folder',
  10: 'the disk reported an error',
  11: 'it is damaged; restore it from a copy, or make a new one',
  13: 'the disk is full',
  14: 'it cannot be opened; this user must be allowed to read and write it and its folder',
  26: 'it is not an SQLite file',
}

export const sqliteCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff

/** `what` names the failure, such as `The shop at shop.db cannot be created`. Errors that are not SQLite's are returned unchanged. */
export function describeSqliteError(
  error: unknown,
  what: string,
  details: { file?: string; retry_after_ms?: number },
): unknown {
  const reason = REASONS[sqliteCode(error)]
  return reason === undefined
    ? error
    : new ToolError('UnavailableError', `${what}: ${reason}.`, details, { cause: error })
}
