/** `myrmex approvals approve|deny ID…`: one decision a request; one that cannot be made does not stop the others. */
import type { Approval } from '../../ledger/approvals.ts'
import { whoDecides } from '../../ledger/who.ts'
import { ToolError } from '../../protocol/errors.ts'
import { localTime } from '../audit/show.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { fail, paint, print } from '../terminal.ts'
import { callInWords } from './look.ts'

export async function decide(
  what: 'approve' | 'deny',
  ids: readonly string[],
  options: LedgerChoice & { note?: string },
): Promise<void> {
  const by = whoDecides()
  await withLedger(
    options,
    async ({ approvals }) => {
      for (const id of new Set(ids)) {
        try {
          print(told(await approvals[what](id, by, options.note)))
        } catch (error) {
          // Another request may well be decided; a ledger that fails will fail again.
          if (!(error instanceof ToolError) || error.error_type !== 'ValidationError') throw error
          process.exitCode = fail(error).exitCode
        }
      }
    },
    { existing: true },
  )
}

function told(approval: Approval): string {
  const { id, status, expires_at } = approval
  const yes = status === 'approved'
  const terms = yes ? `; once, until ${localTime(expires_at)}` : ''
  return `${paint(yes ? 'green' : 'red', status)}  ${id}: ${callInWords(approval)}${terms}`
}
