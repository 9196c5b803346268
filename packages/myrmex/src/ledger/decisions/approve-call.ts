/** Approving a call, with what a person may do besides: change its arguments, and give its tool a standing grant. The CLI and the API call this. */
import { ToolError } from '../../protocol/errors.ts'
import { BUDGET_NAME, PLAN_NAME } from '../../tool/name.ts'
import type { Statement } from '../db.ts'
import type { Decider } from '../journal/decision.ts'
import type { Ledger } from '../ledger.ts'
import type { Approval, ShownCall } from './approvals.ts'
import { refuseInOpenMode } from './decide.ts'
import type { ArgumentEdit } from './edited-arguments.ts'
import { trackedTools } from './tracked-tools.ts'

/** A grant that is given together with the approval. */
export interface GrantWithApproval {
  /** undefined: until it is revoked */
  readonly until: number | undefined
  /** undefined: of everybody */
  readonly principal: string | undefined
  /** although the ledger is in open mode and the tool is of an upstream */
  readonly open: boolean
  /** completes "Or …" in the error without it */
  readonly how: string
}

export interface ApproveTerms {
  readonly note?: string | undefined
  /** what the person saw */
  readonly shown: ShownCall
  readonly edit?: ArgumentEdit | undefined
  readonly grant?: GrantWithApproval | undefined
}

/** One decision: all of it is written, or nothing. */
export async function approveCall(
  ledger: Ledger,
  approval: Approval,
  by: Decider,
  { note, shown, edit, grant }: ApproveTerms,
): Promise<Approval> {
  // Somebody may have been first, which `approve` says.
  const isOpen = approval.status === 'waiting'
  const statement = grant && isOpen ? await grantStatement(ledger, approval, by, grant) : undefined
  const approved = await ledger.approvals.approve(approval.id, by, note, shown, { edit, grant: statement })
  if (statement !== undefined) ledger.grants.forget()
  return approved
}

async function grantStatement(
  ledger: Ledger,
  approval: Approval,
  by: Decider,
  grant: GrantWithApproval,
): Promise<(approval: string, status: string) => Statement> {
  await refuseGrant(ledger, approval, grant)
  const { principal, until } = grant
  return ledger.grants.withApproval(approval, by, {
    ...(principal !== undefined && { principal }),
    ...(until !== undefined && { until }),
  })
}

/** Throws if the approved call can be given no grant on these terms. For a person who is to be asked afterwards. */
export async function refuseGrant(
  ledger: Ledger,
  { id, tool, hash }: Approval,
  { until, open, how }: GrantWithApproval,
): Promise<void> {
  if (until !== undefined && until <= Date.now())
    throw ToolError.of('ValidationError', `until is not in the future: ${new Date(until).toISOString()}.`)
  const seen = (await trackedTools(ledger, tool)).find(({ definition }) => definition.hash === hash)
  if (tool === PLAN_NAME || tool === BUDGET_NAME || seen === undefined)
    throw ToolError.of(
      'ValidationError',
      `Approval ${id} is for ${tool === PLAN_NAME ? 'a plan' : tool === BUDGET_NAME ? 'the budget of a run' : `a definition of ${tool} that this ledger does not track`}, which can have no standing grant.`,
    )
  if (!open) refuseInOpenMode(ledger, seen, how)
}
