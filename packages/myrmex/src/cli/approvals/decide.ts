/** `myrmex approvals approve|deny ID…`: one decision per approval. One that fails does not stop the others. */
import type { ShownPlan } from '../../agent/run/plan-cover.ts'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { cliDecider, type NamedDecider } from '../../serve/cli-decider.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { fail, paint, print } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'
import { planCalls } from '../run/pending.ts'
import { planOf } from './plan-approval.ts'
import { describeCall, describePlan } from './show.ts'

export async function decideApprovals(
  what: 'approve' | 'deny',
  ids: readonly string[],
  options: LedgerFlags & { note?: string },
): Promise<void> {
  await withLedger(options, 'decide', async (ledger) => {
    const { approvals } = ledger
    const by = what === 'deny' ? cliOperator() : await approver(ledger, ids)
    for (const id of new Set(ids)) {
      try {
        const decided = await approvals[what](id, by, options.note)
        print(decisionText(decided, await planOf(ledger, decided)))
      } catch (error) {
        // Other approvals can still be decided, but a ledger that fails will fail again.
        if (!(error instanceof ToolError) || error.error_type !== 'ValidationError') throw error
        process.exitCode = fail(error).exitCode
      }
    }
  })
}

/** What is approved is shown before the passphrase is asked for: it signs what is on the screen. A plan is always shown. */
async function approver(ledger: Ledger, ids: readonly string[]): Promise<NamedDecider> {
  for (const id of new Set(ids)) {
    const approval = await ledger.approvals.find(id)
    if (approval === undefined) continue
    const plan = await planOf(ledger, approval)
    if (plan !== undefined) print([`${id}: ${describePlan(approval, plan)}`, ...planCalls(approval)].join('\n'))
    else if (ledger.lock.isLocked) print(`${id}: ${describeCall(approval)}`)
  }
  return cliDecider(ledger)
}

function decisionText(approval: Approval, plan: ShownPlan | undefined): string {
  const { id, status, expires_at } = approval
  const yes = status === 'approved'
  const terms = yes ? `; valid once, until ${localTime(expires_at)}` : ''
  const what = plan === undefined ? describeCall(approval) : describePlan(approval, plan)
  return `${paint(yes ? 'green' : 'red', status)}  ${id}: ${what}${terms}`
}
