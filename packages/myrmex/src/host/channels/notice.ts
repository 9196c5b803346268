/**
 * What a channel says about a waiting call. Texts of callers are escaped and kept on their line, so that they cannot hide or imitate anything. A
 * notice never decides: its link leads to a page that only says how to decide.
 */
import { approvalJson, approvalVersion } from '../../ledger/decisions/approval-view.ts'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import { parseJson } from '../../protocol/json.ts'
import { clip, plural } from '../../protocol/text.ts'
import { BUDGET_NAME, PLAN_NAME } from '../../tool/name.ts'
import { nameWithVersion } from '../../tool/server-version.ts'
import { escapeHidden } from '../../tool/text/hidden-characters.ts'
import type { NeededSignIn } from '../sign-in/sign-in-needed.ts'

/**
 * About one waiting call, about many at once when they come faster than a person reads, or about a sign-in that no longer works. `link`:
 * undefined if the host has no pages.
 */
export type Notice = { readonly link: string | undefined } & (
  | { readonly kind: 'approval'; readonly approval: Approval }
  | { readonly kind: 'digest'; readonly count: number }
  | { readonly kind: 'sign_in'; readonly needed: NeededSignIn }
  | { readonly kind: 'test' }
)

/** A person reads this on a phone; the call itself is behind the link. */
const MAX_ARGUMENTS = 1500
const MAX_NAME = 120
const MAX_REASON = 500

export const approvalLink = (base: string, id?: string): string =>
  new URL(`approvals${id === undefined ? '' : `/${encodeURIComponent(id)}`}`, `${base.replace(/\/+$/, '')}/`).href

/** One line, such as a subject. */
export function noticeTitle(notice: Notice): string {
  if (notice.kind === 'test') return 'Myrmex: a test of this channel'
  if (notice.kind === 'digest')
    return `${plural(notice.count, 'more call')} ${notice.count === 1 ? 'waits' : 'wait'} for approval`
  if (notice.kind === 'sign_in') return signInTitle(notice.needed)
  return `${subject(notice.approval, true)} waits for approval`
}

/** Lines of plain text, without the link. `withArguments`: they leave this machine, so each channel says whether it wants them. */
export function noticeLines(notice: Notice, withArguments: boolean): string[] {
  if (notice.kind === 'test') return ['Calls that wait for approval are announced here.']
  if (notice.kind === 'digest') return ['They came too fast to announce each.', 'See them: npx myrmex approvals list']
  if (notice.kind === 'sign_in') {
    const { reason, command } = notice.needed
    const what = 'Calls are rejected, and nothing is sent to the server, until you sign in.'
    return [`Why: ${foreignLine(reason, MAX_REASON)}`, what, `Sign in: ${foreignLine(command, MAX_REASON)}`]
  }
  const { approval } = notice
  const { principal, reason, args, id } = approval
  return [
    `${subject(approval, false)} for ${foreignLine(principal)}`,
    `Why: ${foreignLine(reason, MAX_REASON)}`,
    ...(withArguments ? [`Arguments: ${foreignLine(args, MAX_ARGUMENTS)}`] : []),
    `Decide: npx myrmex approvals show ${id}`,
  ]
}

/** The same with the link on a line of its own. */
export const noticeText = (notice: Notice, withArguments: boolean): string =>
  [...noticeLines(notice, withArguments), ...(notice.link === undefined ? [] : [`Open: ${notice.link}`])]
    .map((line) => `${line}\n`)
    .join('')

const signInTitle = ({ server, principal }: NeededSignIn): string =>
  `${server} needs a sign-in${principal === '' ? '' : ` for ${foreignLine(principal)}`}`

/** What waits: a call, the plan of a run, or a run that asks for more budget. */
function subject(approval: Approval, isShort: boolean): string {
  const { tool, args } = approval
  if (tool === PLAN_NAME) return `The plan of run ${runOf(args)}`
  if (tool === BUDGET_NAME) return `More budget for run ${runOf(args)}`
  return isShort ? toolName(tool) : nameWithVersion(toolName(tool), foreignLine(approvalVersion(approval)))
}

/** `bank.pay`. A server that chooses a longer name could name a host of its own: `bank.www.example.com`. */
function toolName(tool: string): string {
  const [module, name, ...rest] = oneLine(tool, MAX_NAME).split('.')
  return [[module, name].filter((part) => part !== undefined).join('.'), ...rest].join('[.]')
}

const runOf = (args: string): string => foreignLine(String((parseJson(args) as { run?: unknown } | undefined)?.run))

/** For programs. */
export function noticeJson(notice: Notice): object {
  const { kind, link = null } = notice
  if (kind === 'test') return { type: 'approvals.test', link }
  if (kind === 'digest') return { type: 'approvals.waiting', count: notice.count, link }
  if (kind === 'sign_in')
    return { type: 'server.needs_sign_in', ...notice.needed, principal: notice.needed.principal || null }
  return { type: 'approval.requested', link, approval: approvalJson(notice.approval) }
}

/** The same for each attempt to announce the same. */
export function noticeId(notice: Notice, channel: string, now: number): string {
  return notice.kind === 'approval' ? `apr_${notice.approval.id}_${channel}` : `${notice.kind}_${now}_${channel}`
}

/** One line, in which nothing becomes a link: mail and chat programs make one of whatever looks like a URL or the name of a host. */
const foreignLine = (text: string, most = MAX_NAME): string => oneLine(text, most).replace(HOST_DOT, '[.]')

const HOST_DOT = /(?<=[\p{L}\p{N}])[.\u3002\uff0e\uff61](?=\p{L})/gu

const oneLine = (text: string, most: number): string =>
  clip(escapeHidden(text.replace(/[\p{Zs}\t\r\n]+/gu, ' ').trim()), most).replaceAll('://', '[:]//')
