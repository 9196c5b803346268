/**
 * A run whose budget is used up pauses and asks for more, instead of failing. The request is an approval of its own: it says how much of what
 * the run has, what it needs, and how much more it asks for, which the person may change. Approving it is a decision like any other: in the
 * journal, signed in a locked ledger, used once, by this run. Steps in flight finish, and no other starts meanwhile.
 */
import type { Approval, ExactCall } from '../../ledger/decisions/approvals.ts'
import type { BudgetLimit } from '../../ledger/decisions/budget-requests.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { canonical } from '../../protocol/canonical.ts'
import { ToolError } from '../../protocol/errors.ts'
import { sha256 } from '../../tool/hash.ts'
import { BUDGET_NAME } from '../../tool/name.ts'
import type { Budget, Step } from '../plan/plan.ts'
import type { ActiveRun } from './active-run.ts'
import { type ApprovalRequest, openApprovals, type RunState } from './journal/state.ts'

export type Raises = Readonly<Record<BudgetLimit, number>>
export const NO_RAISES: Raises = Object.freeze({ money: 0, calls: 0, time_ms: 0 })

/** What a run lacks. */
export interface Shortfall {
  readonly what: BudgetLimit
  readonly limit: number
  readonly spent: number
  /** how much more it asks for */
  readonly raise: number
}

/** What a person reads. */
interface ShownShortfall extends Shortfall {
  readonly run: string
  readonly goal: string
  readonly step: string | null
  readonly tool: string | null
}

export const openBudgetRequest = (state: RunState): ApprovalRequest | undefined =>
  openApprovals(state).find(({ about }) => about === 'budget')

export const mayAskForBudget = ({ settings }: ActiveRun): boolean => settings.approve !== 'never'

/** Once for all steps that lack the same. `step`: undefined for the time of the run. */
export async function requestBudget(run: ActiveRun, shortfall: Shortfall, step: Step | undefined): Promise<void> {
  if (openBudgetRequest(run.state) !== undefined) return
  const shown: ShownShortfall = {
    run: run.id,
    goal: run.row.goal,
    step: step?.id ?? null,
    tool: step?.tool ?? null,
    ...shortfall,
  }
  const args = canonical(shown)
  const hash = sha256(args)
  // An earlier refusal was another request: the run asks once each time that it lacks something.
  const asked = run.state.approvalRequests.filter(({ about }) => about === 'budget').length
  const call: ExactCall = {
    tool: BUDGET_NAME,
    version: '1.0.0',
    hash,
    args_hash: sha256(canonical({ run: run.id, asked, hash })),
    principal: run.settings.principal.id,
  }
  const reason = `run ${run.id} needs more budget: ${shortageText(shortfall)}`
  const { id: approval } = await run.ledger.approvals.request(call, args, reason, undefined, true)
  await run.journal.write('asked', { approval, about: 'budget', reason, steps: step === undefined ? [] : [step.id] })
}

const round = (amount: number): number => Math.round(amount * 100) / 100

function shortageText({ what, limit, spent, raise }: Shortfall): string {
  if (what === 'time_ms') return `its ${limit / 1000} seconds are over, and it asks for ${raise / 1000} more`
  if (what === 'calls') return `its ${limit} calls are made, and it asks for ${raise} more`
  return `${round(spent)} of ${round(limit)} in money are spent, and it asks for ${round(raise)} more`
}

/** Records the decision about a request for more budget. Refused: the step that lacks it has failed, or the time is over. */
export async function recordBudgetDecision(run: ActiveRun, asked: ApprovalRequest): Promise<void> {
  const { approval, steps, reason } = asked
  const step = steps[0] ?? null
  const found = await run.ledger.approvals.find(approval)
  if (found === undefined || found.status === 'waiting') return
  const by = found.decided_by ?? ''
  const note = found.note ?? ''
  const decided = (status: 'approved' | 'denied' | 'expired'): Promise<void> =>
    run.journal.write('decided', { approval, about: 'budget', status, by, note }, { step })
  if (found.status === 'denied') {
    await decided('denied')
    const error_message = `Approval ${approval} (${reason}) was denied by ${by}${note && `: ${note}`}.`
    if (step === null) run.stop('time', ToolError.of('TimeoutError', error_message))
    else
      await run.journal.write(
        'failed',
        { error: { error_type: 'PermissionError', error_message, error_details: { approval } } },
        { step },
      )
    return
  }
  if (found.status === 'expired') return decided('expired')
  const used = (await run.ledger.approvals.useThis(approval, run.id)) ?? (await run.ledger.approvals.find(approval))
  if (used === undefined) return
  const raises = raiseOf(run.ledger, run.id, used)
  if (raises === undefined) return
  run.budget.raise(raises)
  await decided('approved')
}

/** All that people have given the run, by the approvals themselves: the events of a run are not signed. */
export async function grantedRaises(ledger: Ledger, run: string, state: RunState): Promise<Raises> {
  let sum = NO_RAISES
  for (const { approval, about, status } of state.approvalRequests) {
    if (about !== 'budget' || status !== 'approved') continue
    const found = await ledger.approvals.find(approval)
    sum = added(sum, (found && raiseOf(ledger, run, found)) ?? NO_RAISES)
  }
  return sum
}

/** The budget of the run with all that people have added to it. */
export async function raisedBudget(ledger: Ledger, run: string, state: RunState, budget: Budget): Promise<Budget> {
  const raises = await grantedRaises(ledger, run, state)
  const raised = Object.entries(raises).filter(([, amount]) => amount > 0)
  return {
    ...budget,
    ...Object.fromEntries(raised.map(([what, more]) => [what, (budget[what as BudgetLimit] ?? 0) + more])),
  }
}

/** Undefined: it is not an approval that this run has used, or nobody signed it. */
function raiseOf({ lock }: Ledger, run: string, approval: Approval): Raises | undefined {
  const { tool, status, used_by, args, edited_args } = approval
  if (tool !== BUDGET_NAME || status !== 'used' || used_by !== run || !lock.accepts('approvals', approval))
    return undefined
  const asked = JSON.parse(args) as ShownShortfall
  const { raise } = JSON.parse(edited_args ?? args) as ShownShortfall
  return asked.run === run ? { ...NO_RAISES, [asked.what]: raise } : undefined
}

export const added = (one: Raises, other: Raises): Raises => ({
  money: one.money + other.money,
  calls: one.calls + other.calls,
  time_ms: one.time_ms + other.time_ms,
})

/** Whether a person has refused to give the run more time. */
export const isTimeRefused = ({ approvalRequests }: RunState): boolean =>
  approvalRequests.some(({ about, status, steps }) => about === 'budget' && status === 'denied' && steps.length === 0)
