/** `myrmex approvals list|show`: calls that wait for approval, in short or in full. */

import type { ShownPlan } from '../../agent/run/plan-cover.ts'
import { approvalJson, describedEffect } from '../../ledger/decisions/approval-view.ts'
import type { Approval, ApprovalStatus } from '../../ledger/decisions/approvals.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { foldLines, jsonLine, oneLine, paint, print, say, wrap } from '../../serve/terminal.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import { localTime } from '../audit/format.ts'
import { planCalls } from '../run/pending.ts'
import { formatSpan } from '../time-span.ts'
import { planOf, planSummary } from './plan-approval.ts'

interface LookOptions extends LedgerFlags {
  json?: boolean
}

const MAX_LISTED = 1000

export async function listApprovals(options: LookOptions & { all?: boolean }): Promise<void> {
  const listed = await withLedger(options, 'read-only', async (ledger) => {
    const newestFirst = await ledger.approvals.list(options.all ? undefined : 'waiting', MAX_LISTED)
    return Promise.all(
      newestFirst.reverse().map(async (approval) => ({ approval, plan: await planOf(ledger, approval) })),
    )
  })
  const found = listed.map(({ approval }) => approval)
  if (options.json) print(readableJson(found.map(approvalJson)))
  else if (found.length === 0) print(options.all ? 'no approvals' : 'nothing waits for approval')
  else print(listed.map(({ approval, plan }) => shortText(approval, plan)).join('\n\n'))
  if (found.length === MAX_LISTED) say(`showing the newest ${MAX_LISTED}; there are more`)
  if (!options.json && found.some(({ status }) => status === 'waiting')) {
    if (listed.some(({ plan }) => plan !== undefined)) say('to see all of a plan: npx myrmex approvals show ID')
    say('to decide: npx myrmex approvals approve ID, or npx myrmex approvals deny ID')
  }
}

export async function showApprovals(ids: readonly string[], options: LookOptions): Promise<void> {
  const found = await withLedger(options, 'read-only', async (ledger) =>
    Promise.all(ids.map(async (id) => fullText(ledger, await findApproval(ledger, id)))),
  )
  if (options.json) print(readableJson(found.map(({ approval }) => approvalJson(approval))))
  else print(found.map(({ text }) => text).join('\n\n'))
}

export async function findApproval({ approvals }: Ledger, id: string): Promise<Approval> {
  const approval = await approvals.find(id)
  if (approval !== undefined) return approval
  throw ToolError.of(
    'ValidationError',
    `There is no approval ${oneLine(id, 60)}. npx myrmex approvals list shows the waiting ones.`,
  )
}

/** The call itself, on one line. */
export const describeCall = ({ tool, version, principal, args }: Approval): string =>
  `${oneLine(tool, 130)} ${oneLine(version, 40)} for ${oneLine(principal, 60)} with ${jsonLine(args)}`

export const describePlan = ({ principal }: Approval, { run }: ShownPlan): string =>
  `the plan of run ${oneLine(run, 60)} for ${oneLine(principal, 60)}`

const MAX_SHORT_TEXT = 300

function shortText(approval: Approval, plan: ShownPlan | undefined): string {
  const { id, status, requested_at, tool, version, principal, args, reason } = approval
  const head = [
    paint('bold', id),
    coloured(status),
    `${formatSpan(Date.now() - requested_at)} ago`,
    paint('dim', validityText(approval)),
  ]
  return [
    head.filter((part) => part !== '').join('  '),
    ...(plan === undefined
      ? [
          `  ${paint('cyan', oneLine(tool, 130))} ${oneLine(version, 40)}  for ${oneLine(principal, 60)}`,
          foldLines(jsonLine(args, MAX_SHORT_TEXT), 4),
        ]
      : [`  ${paint('cyan', describePlan(approval, plan))}`, ...planSummary(plan)]),
    `  ${paint('dim', 'why')}  ${wrap(oneLine(reason, MAX_SHORT_TEXT), 7).trimStart()}`,
  ].join('\n')
}

/** What used an approval: a call, a step of a run, or the run whose plan it was. */
function describeUser(user: string): string {
  if (user.startsWith('run:')) return `step ${user.slice(4)}`
  return user.startsWith('r-') ? `run ${user}` : `call ${user}`
}

function validityText({ status, expires_at, decided_by, used_by }: Approval): string {
  if (status === 'waiting') return `expires in ${formatSpan(expires_at - Date.now())}`
  if (status === 'approved')
    return `by ${oneLine(decided_by ?? '', 60)}, usable for another ${formatSpan(expires_at - Date.now())}`
  if (status === 'denied') return `by ${oneLine(decided_by ?? '', 60)}`
  if (status === 'used') return `by ${oneLine(describeUser(used_by ?? ''), 60)}`
  return `since ${localTime(expires_at)}`
}

const COLOURS = { waiting: 'yellow', approved: 'green', denied: 'red', used: 'dim', expired: 'dim' } as const
const coloured = (status: ApprovalStatus): string => paint(COLOURS[status], status)

async function fullText(ledger: Ledger, approval: Approval): Promise<{ approval: Approval; text: string }> {
  const moment = (time: number | null): string | undefined => (time === null ? undefined : localTime(time))
  const facts: [string, string | null | undefined][] = [
    ['approval', approval.id],
    ['status', approval.status],
    ['tool', `${approval.tool} ${approval.version}`],
    ['does', await describedEffect(ledger, approval)],
    ['definition', approval.hash.slice(0, 16)],
    ['principal', approval.principal],
    ['why', approval.reason],
    ['requested', moment(approval.requested_at)],
    [approval.status === 'expired' ? 'expired' : 'valid until', moment(approval.expires_at)],
    ['decided by', approval.decided_by],
    ['decided', moment(approval.decided_at)],
    ['note', approval.note],
    ['used by', approval.used_by && describeUser(approval.used_by)],
    ['used', moment(approval.used_at)],
  ]
  const width = Math.max(...facts.map(([name]) => name.length))
  const lines = facts
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => {
      const text = wrap(oneLine(value as string), width + 2).trimStart()
      return `${paint('dim', name.padEnd(width))}  ${name === 'status' ? coloured(approval.status) : text}`
    })
  const plan = await planOf(ledger, approval)
  const shown =
    plan === undefined
      ? [paint('dim', 'arguments'), readableJson(JSON.parse(approval.args))]
      : [`${paint('dim', 'goal'.padEnd(width))}  ${oneLine(plan.goal)}`, paint('dim', 'steps'), ...planCalls(approval)]
  const text = [...lines, ...shown].join('\n')
  return { approval, text }
}
