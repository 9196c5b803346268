/** What was denied a short time ago, for the person who decides about the next call: a caller may vary a call until somebody approves it by mistake. */
import type { Ledger } from '../ledger.ts'
import type { ExactCall } from './approval.ts'

/** How many calls of the same tool by the same caller were denied in the last `ms` milliseconds. */
export async function recentDenials({ db }: Ledger, { tool, principal }: ExactCall, ms: number): Promise<number> {
  const [row] = await db.query<{ denied: number }>(
    `SELECT count(*) AS denied FROM approvals WHERE tool = ? AND principal = ? AND status = 'denied' AND decided_at > ${db.now} - ?`,
    [tool, principal, ms],
  )
  return Number(row?.denied ?? 0)
}
