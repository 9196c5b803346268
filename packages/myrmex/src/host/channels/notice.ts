/**
 * What a channel says about a waiting call. Texts of callers are escaped, so that they cannot hide or imitate anything. A notice never
 * decides: its link leads to the call, and whoever opens it needs the operator's session.
 */
import { approvalJson } from '../../ledger/decisions/approval-view.ts'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import { clip, plural } from '../../protocol/text.ts'
import { escapeHidden } from '../../tool/text/hidden-characters.ts'

/** About one waiting call, or about many at once when they come faster than a person reads. */
export type Notice =
  | { readonly kind: 'approval'; readonly approval: Approval; readonly link: string }
  | { readonly kind: 'digest'; readonly count: number; readonly link: string }
  | { readonly kind: 'test'; readonly link: string }

/** A person reads this on a phone; the call itself is behind the link. */
const MAX_ARGUMENTS = 1500
const MAX_NAME = 120

export const approvalLink = (base: string, id?: string): string =>
  new URL(`approvals${id === undefined ? '' : `/${encodeURIComponent(id)}`}`, `${base.replace(/\/+$/, '')}/`).href

/** One line, such as a subject. */
export function noticeTitle(notice: Notice): string {
  if (notice.kind === 'test') return 'Myrmex: a test of this channel'
  if (notice.kind === 'digest')
    return `${plural(notice.count, 'more call')} ${notice.count === 1 ? 'waits' : 'wait'} for approval`
  return `${foreignLine(notice.approval.tool)} waits for approval`
}

/** Lines of plain text. `withArguments`: they leave this machine, so each channel says whether it wants them. */
export function noticeLines(notice: Notice, withArguments: boolean): string[] {
  if (notice.kind === 'test') return ['Calls that wait for approval are announced here.', notice.link]
  if (notice.kind === 'digest') return ['They came too fast to announce each.', notice.link]
  const { tool, version, principal, reason, args, id } = notice.approval
  return [
    `${foreignLine(tool)} ${foreignLine(version)} for ${foreignLine(principal)}`,
    `Why: ${foreignLine(reason, 500)}`,
    ...(withArguments ? [`Arguments: ${foreignLine(args, MAX_ARGUMENTS)}`] : []),
    `Decide: ${notice.link}`,
    `Or: npx myrmex approvals show ${id}`,
  ]
}

/** For programs. */
export function noticeJson(notice: Notice): object {
  const { kind, link } = notice
  if (kind === 'test') return { type: 'approvals.test', link }
  if (kind === 'digest') return { type: 'approvals.waiting', count: notice.count, link }
  return { type: 'approval.requested', link, approval: approvalJson(notice.approval) }
}

/** The same for each attempt to announce the same. */
export function noticeId(notice: Notice, channel: string, now: number): string {
  return notice.kind === 'approval' ? `apr_${notice.approval.id}_${channel}` : `${notice.kind}_${now}_${channel}`
}

function foreignLine(text: string, most = MAX_NAME): string {
  return clip(escapeHidden(text.replace(/[\p{Zs}\t\r\n]+/gu, ' ').trim()), most)
}
