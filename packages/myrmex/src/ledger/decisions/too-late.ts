/** Of two people who decide about the same approval, the second learns who was first. */
import { ToolError } from '../../protocol/errors.ts'
import type { Approval } from './approvals.ts'

/** It is decided or has expired. The details say who decided, and when. */
export function tooLate(id: string, known: Approval | undefined): ToolError {
  const { status = 'gone', decided_by = null, decided_at = null } = known ?? {}
  const who = decided_at === null ? '' : `: ${decided_by} decided on ${new Date(decided_at).toISOString()}. It`
  return ToolError.of(
    'ValidationError',
    `Approval ${id} is ${status}${who === '' ? ' and' : who} can no longer be decided.`,
    {
      approval: id,
      status,
      decided_by,
      decided_at,
    },
  )
}
