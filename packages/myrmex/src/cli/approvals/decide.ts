/** `myrmex approvals approve|deny ID…`: one decision per approval. One that fails does not stop the others. */
import type { Approval } from '../../ledger/decisions/approvals.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import { ToolError } from '../../protocol/errors.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { fail, paint, print } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'
import { describeCall } from './show.ts'

export async function decideApprovals(
  what: 'approve' | 'deny',
  ids: readonly string[],
  options: LedgerFlags & { note?: string },
): Promise<void> {
  const by = cliOperator()
  await withLedger(options, 'decide', async ({ approvals }) => {
    for (const id of new Set(ids)) {
      try {
        print(decisionText(await approvals[what](id, by, options.note)))
      } catch (error) {
        // Other approvals can still be decided, but a ledger that fails will fail again.
        if (!(error instanceof ToolError) || error.error_type !== 'ValidationError') throw error
        process.exitCode = fail(error).exitCode
      }
    }
  })
}

function decisionText(approval: Approval): string {
  const { id, status, expires_at } = approval
  const yes = status === 'approved'
  const terms = yes ? `; valid once, until ${localTime(expires_at)}` : ''
  return `${paint(yes ? 'green' : 'red', status)}  ${id}: ${describeCall(approval)}${terms}`
}
