/**
 * An approval as the person sees it who decides about it: the whole call or plan, and below it, directly above the question, what it is
 * once more. The arguments may fill any number of screens, so that only the end is certain to be seen.
 */
import type { ShownPlan } from '../../agent/run/plan-cover.ts'
import { approvalVersion } from '../../ledger/decisions/approval-view.ts'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import { plural } from '../../protocol/text.ts'
import { foreignJson, foreignJsonLine, foreignProse } from '../../serve/foreign-text.ts'
import { oneLine, paint, wrap } from '../../serve/terminal.ts'
import { nameWithVersion } from '../../tool/server-version.ts'
import { planCalls } from '../run/plan-text.ts'

/** `shop.refund 1.0.0 for local`, or the plan of a run. */
export const approvalSubject = (approval: Approval, plan: ShownPlan | undefined): string =>
  `${plan === undefined ? approvalTool(approval) : `the plan of run ${oneLine(plan.run, 60)}`} for ${oneLine(approval.principal, 60)}`

/** `shop.refund 1.0.0` */
export const approvalTool = (approval: Approval): string =>
  nameWithVersion(oneLine(approval.tool, 130), oneLine(approvalVersion(approval), 40))

/** Everything that is approved, as lines of the screen. */
export const approvalScreen = (approval: Approval, plan: ShownPlan | undefined): string[] =>
  [
    `${paint('bold', approval.id)}: ${wrap(approvalSubject(approval, plan), approval.id.length + 2).trimStart()}`,
    `${paint('dim', 'why')}  ${wrap(oneLine(approval.reason), 5).trimStart()}`,
    ...contentLines(approval, plan),
    ...summaryLines(approval, plan),
  ].flatMap((text) => text.split('\n'))

/** The arguments of a call, or the goal and the steps of a plan. */
export const contentLines = (approval: Approval, plan: ShownPlan | undefined): string[] =>
  plan === undefined
    ? [
        paint('dim', 'arguments'),
        ...foreignJson(JSON.parse(approval.args)),
        ...(approval.edited_args === null
          ? []
          : [paint('dim', 'changed by the operator to'), ...foreignJson(JSON.parse(approval.edited_args))]),
      ]
    : [paint('dim', 'goal'), ...foreignProse(plan.goal), paint('dim', 'steps'), ...planCalls(approval)]

/** What is decided, once more. */
export function summaryLines(approval: Approval, plan: ShownPlan | undefined): string[] {
  const { id, args, args_hash } = approval
  const length = plan === undefined ? `${plural(args.length, 'character')} of arguments` : planLength(plan, args)
  return [
    '',
    wrap(`Approval ${id}: ${approvalSubject(approval, plan)}`, 4).trimStart(),
    `  ${length}, hash ${hashText(args_hash)}`,
  ]
}

const planLength = ({ steps }: ShownPlan, args: string): string =>
  `${plural(steps.length, 'step')} that ${steps.length === 1 ? 'changes' : 'change'} something, ${plural(args.length, 'character')}`

const hashText = (hash: string): string => oneLine(hash, 100).slice(0, 16)

const MAX_LISTED = 300

/** The arguments in a list: on one line, and if it is cut, how long they are and what shows them. */
export const shortArguments = ({ id, args }: Approval): string[] =>
  foreignJsonLine(args, MAX_LISTED, `(${plural(args.length, 'character')}; npx myrmex approvals show ${id})`)
