/** `myrmex approvals approve|deny ID…`: one decision per approval. One that fails does not stop the others. */
import type { ShownPlan } from '../../agent/run/plan-cover.ts'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import type { SecretTerminal } from '../../serve/secret-terminal.ts'
import { fail, paint, print } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'
import { planCalls } from '../run/pending.ts'
import { planOf } from './plan-approval.ts'
import { describeCall, describePlan, findApproval } from './show.ts'

export async function decideApprovals(
  what: 'approve' | 'deny',
  ids: readonly string[],
  options: LedgerFlags & { note?: string },
  open?: () => Promise<SecretTerminal>,
): Promise<void> {
  await withLedger(options, 'decide', async (ledger) => {
    const { approvals } = ledger
    const { note } = options
    const tell = async (decided: Approval): Promise<void> => print(decisionText(decided, await planOf(ledger, decided)))
    if (what === 'deny') return decideEach(ids, async (id) => tell(await approvals.deny(id, cliOperator(), note)))
    const shown: Approval[] = []
    await decideEach(ids, async (id) => {
      const approval = await findApproval(ledger, id)
      shown.push(approval)
      await showBefore(ledger, approval)
    })
    if (shown.length === 0) return
    const by = await cliDecider(ledger, 'to sign this decision', open)
    await decideEach(shown, async (one) => tell(await approvals.approve(one.id, by, note, one)))
  })
}

/** Before the passphrase is asked for: it signs what is on the screen, and nothing that took its place meanwhile. A plan is always shown. */
async function showBefore(ledger: Ledger, approval: Approval): Promise<void> {
  const plan = await planOf(ledger, approval)
  if (plan !== undefined) print([`${approval.id}: ${describePlan(approval, plan)}`, ...planCalls(approval)].join('\n'))
  else if (ledger.lock.isLocked) print(`${approval.id}: ${describeCall(approval)}`)
}

async function decideEach<T>(all: readonly T[], decide: (one: T) => Promise<void>): Promise<void> {
  for (const one of new Set(all)) {
    try {
      await decide(one)
    } catch (error) {
      // Other approvals can still be decided, but a ledger that fails will fail again.
      if (!(error instanceof ToolError) || error.error_type !== 'ValidationError') throw error
      process.exitCode = fail(error).exitCode
    }
  }
}

function decisionText(approval: Approval, plan: ShownPlan | undefined): string {
  const { id, status, expires_at } = approval
  const yes = status === 'approved'
  const terms = yes ? `; valid once, until ${localTime(expires_at)}` : ''
  const what = plan === undefined ? describeCall(approval) : describePlan(approval, plan)
  return `${paint(yes ? 'green' : 'red', status)}  ${id}: ${what}${terms}`
}
