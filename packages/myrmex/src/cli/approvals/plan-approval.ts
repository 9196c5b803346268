/** Approvals of plans, for the person who decides: the steps as `myrmex run` shows them, and not as one line of JSON. */
import type { ShownPlan } from '../../agent/run/plan-cover.ts'
import { describedEffect } from '../../ledger/decisions/approval-view.ts'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { isObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { oneLine, wrap } from '../../serve/terminal.ts'
import { PLAN_NAME } from '../../tool/name.ts'

const MEMBERS = 'goal,run,sources,steps'

/** The plan that is to be approved; undefined if the approval is for a call. A tool of that name is a call: its definition is known. */
export async function planOf(ledger: Ledger, approval: Approval): Promise<ShownPlan | undefined> {
  if (approval.tool !== PLAN_NAME || (await describedEffect(ledger, approval)) !== undefined) return undefined
  const plan: unknown = JSON.parse(approval.args)
  // Nothing that is approved may stay unseen.
  return isObject(plan) && Object.keys(plan).sort().join() === MEMBERS ? (plan as unknown as ShownPlan) : undefined
}

/** For a list: the goal, and the names of the steps. */
export function planSummary({ goal, steps }: ShownPlan): string[] {
  const names = steps.map(({ id, tool }) => `${oneLine(id, 60)} (${oneLine(tool, 130)})`).join(', ')
  return [
    wrap(`goal: ${oneLine(goal, 300)}`, 4),
    wrap(`${plural(steps.length, 'step')} that ${steps.length === 1 ? 'changes' : 'change'} something: ${names}`, 4),
  ]
}
