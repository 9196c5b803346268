/**
 * How much may wait for approval: a caller can make up any number of requests, which are kept in the table and in the journal, and
 * whose lists are read whole. So each principal may have only so many waiting, and they may be only so long.
 */

import { ToolError } from '../../protocol/errors.ts'
import { PLAN_NAME } from '../../tool/name.ts'

const MAX_WAITING = 1000
/** Nobody reads more. */
const MAX_LENGTH = 1_000_000
/** of all requests of a principal that wait */
const MAX_WAITING_LENGTH = 8_000_000

/** How many requests of a principal wait, and how long they are together. */
export const OWN_WAITING = `SELECT count(*) AS waiting, coalesce(sum(length(args)), 0) AS length FROM approvals
  WHERE status = 'waiting' AND principal = ?`
/** Whether a request of the length in the parameter may wait too. */
export const MAY_WAIT = `own.waiting < ${MAX_WAITING} AND own.length + CAST(? AS BIGINT) <= ${MAX_WAITING_LENGTH}`

/** The length that counts. Throws if no person would read the request. */
export function countedLength(tool: string, args: string): number {
  // A plan is as long as its run is large, and not made by a caller.
  const length = tool === PLAN_NAME ? 0 : args.length
  if (length <= MAX_LENGTH) return length
  const message = `The arguments have ${length} characters. A person can approve at most ${MAX_LENGTH}.`
  throw ToolError.of('ValidationError', `${message} Send less, or ask the operator for a standing grant.`)
}

/** `waiting`: the length of what waits of the principal already; `length`: of the request that may not wait too. */
export function tooManyWaiting(principal: string, waiting: number, length: number): ToolError {
  const isLong = waiting + length > MAX_WAITING_LENGTH
  const what = isLong ? `Long calls of ${principal}` : `${MAX_WAITING} calls of ${principal}`
  return ToolError.of('ApiLimitExceeded', `${what} wait for approval already. Have them decided first.`, {
    limit: 'approvals',
    retry_after_ms: 60_000,
  })
}
