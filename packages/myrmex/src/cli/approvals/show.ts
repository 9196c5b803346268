/** `myrmex approvals list|show`: calls that wait for approval, in short or in full. */

import type { ShownPlan } from '../../agent/run/plan-cover.ts'
import { describeClient, type RecordedClient } from '../../ledger/audit/recorded-client.ts'
import { approvalJson, describedEffect } from '../../ledger/decisions/approval-view.ts'
import type { Approval, ApprovalStatus } from '../../ledger/decisions/approvals.ts'
import { missingDecision, type TrackedTool, trackedTools } from '../../ledger/decisions/tracked-tools.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { foreignProse } from '../../serve/foreign-text.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, paint, print, say, wrap, wrapNamed } from '../../serve/terminal.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import { localTime } from '../audit/format.ts'
import { formatSpan } from '../time-span.ts'
import { approvalSubject, approvalTool, contentLines, shortArguments, summaryLines } from './approval-screen.ts'
import { planOf, planSummary } from './plan-approval.ts'

interface LookOptions extends LedgerFlags {
  json?: boolean
}

const MAX_LISTED = 1000

interface ListedApproval {
  readonly approval: Approval
  /** undefined: it is a call */
  readonly plan: ShownPlan | undefined
  /** why an approval would have no effect now */
  readonly obstacle: string | undefined
}

export async function listApprovals(options: LookOptions & { all?: boolean }): Promise<void> {
  const listed = await withLedger(options, 'read-only', async (ledger) => {
    const newestFirst = await ledger.approvals.list(options.all ? undefined : 'waiting', MAX_LISTED)
    const tracked = newestFirst.length === 0 ? [] : await trackedTools(ledger)
    return Promise.all(
      newestFirst.reverse().map(async (approval): Promise<ListedApproval> => {
        const plan = await planOf(ledger, approval)
        return { approval, plan, obstacle: plan === undefined ? obstacleOf(approval, tracked) : undefined }
      }),
    )
  })
  const found = listed.map(({ approval }) => approval)
  if (options.json) print(readableJson(found.map(approvalJson)))
  else if (found.length === 0) print(options.all ? 'no approvals' : 'nothing waits for approval')
  else print(listed.map(shortText).join('\n\n'))
  if (found.length === MAX_LISTED) say(`showing the newest ${MAX_LISTED}; there are more`)
  if (!options.json && found.some(({ status }) => status === 'waiting')) {
    if (listed.some(({ plan }) => plan !== undefined)) say('to see all of a plan: npx myrmex approvals show ID')
    say('to decide: npx myrmex approvals approve ID, or npx myrmex approvals deny ID')
  }
}

/** Undefined: the tool can be called, the ledger does not know it, or nothing waits any more. */
function obstacleOf(approval: Approval, tracked: readonly TrackedTool[]): string | undefined {
  const { status, hash } = approval
  if (status !== 'waiting' && status !== 'approved') return undefined
  const known = tracked.find(({ tool, version }) => tool === approval.tool && version === approval.version)
  if (known === undefined) return undefined
  const name = `${oneLine(known.tool, 130)} ${oneLine(known.version, 40)}`
  if (known.definition.hash !== hash && !isAcceptedAs(known, hash))
    return `${name} has another definition now: this approval does not cover it`
  const missing = missingDecision(known)
  if (missing !== 'trust' && missing !== 'verify') return undefined
  const why = missing === 'trust' ? 'it changes state and is not trusted' : 'it is untrusted'
  return `${name} cannot be called now: ${why}. npx myrmex ${missing} ${oneLine(known.tool, 130)}`
}

/** The host accepts the new definition in the place of the one that was decided about. */
const isAcceptedAs = ({ acceptedAt, decision }: TrackedTool, hash: string): boolean =>
  acceptedAt !== undefined && decision?.hash === hash

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

const MAX_SHORT_TEXT = 300
/** The id, the status and the age in front of the validity. */
const HEAD_COLUMNS = 40

function shortText({ approval, plan, obstacle }: ListedApproval): string {
  const { id, status, requested_at, reason } = approval
  const age = `${formatSpan(Date.now() - requested_at)} ago`
  return [
    `${paint('bold', id)}  ${coloured(status)}  ${age}  ${paint('dim', wrap(validityText(approval), HEAD_COLUMNS).trimStart())}`,
    wrapNamed('cyan', approvalSubject(approval, plan), '', 2),
    ...(plan === undefined ? shortArguments(approval) : planSummary(plan)),
    ...clientLines(approval),
    `  ${paint('dim', 'why')}  ${wrap(oneLine(reason, MAX_SHORT_TEXT), 7).trimStart()}`,
    ...(obstacle === undefined ? [] : [`  ${paint('yellow', 'but')}  ${wrap(obstacle, 7).trimStart()}`]),
  ].join('\n')
}

/** In its own words. */
function clientText({ client }: Approval): string | undefined {
  return client === null ? undefined : `says it is ${describeClient(JSON.parse(client) as RecordedClient)}`
}

function clientLines(approval: Approval): string[] {
  const text = clientText(approval)
  return text === undefined
    ? []
    : [`  ${paint('dim', 'client')}  ${wrap(oneLine(text, MAX_SHORT_TEXT), 10).trimStart()}`]
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
    ['tool', approvalTool(approval)],
    ['definition', approval.hash.slice(0, 16)],
    ['principal', approval.principal],
    ['client', clientText(approval)],
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
  const effect = await describedEffect(ledger, approval)
  const text = [
    ...lines,
    ...(effect === undefined ? [] : [paint('dim', 'does'), ...foreignProse(effect)]),
    ...contentLines(approval, plan),
    ...summaryLines(approval, plan),
  ].join('\n')
  return { approval, text }
}
