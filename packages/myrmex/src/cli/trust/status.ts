/** `myrmex status`: every tool that was tracked: its trust level, who decided, until when, and what changed since. */
import type { Grant } from '../../ledger/decisions/grants.ts'
import {
  findingsOf,
  grantCovers,
  missingDecision,
  type TrackedTool,
  trackedToolJson,
  trackedTools,
  trackedVersions,
} from '../../ledger/decisions/tracked-tools.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { oneLine, print } from '../../serve/terminal.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import type { VerifyFinding } from '../../tool/verify/finding.ts'
import { localTime } from '../audit/format.ts'
import { formatSpan } from '../time-span.ts'
import { changedSince } from './earlier-decision.ts'
import { bullets, fact, findingLines, headline } from './present-tool.ts'

export async function showStatus(name: string | undefined, options: LedgerFlags & { json?: boolean }): Promise<void> {
  const all = await withLedger(options, 'read-only', trackedTools)
  const chosen = name === undefined ? all : trackedVersions(all, name)
  if (options.json) print(readableJson(chosen.map(trackedToolJson)))
  else if (chosen.length === 0) print('no tools seen yet: start a server with this ledger')
  else print(chosen.map(statusText).join('\n\n'))
}

function statusText(tracked: TrackedTool): string {
  const lines = [headline(tracked), fact(tracked.level, reasonText(tracked), COLOURS[tracked.level])]
  if (tracked.changed) lines.push(...bullets(tracked.changes))
  if (tracked.level === 'untrusted') lines.push(...findingLines(findingsOf(tracked, []).filter(isError), 4))
  else if (tracked.other !== undefined) lines.push(...bullets(tracked.other.changes))
  for (const grant of tracked.grants) lines.push(fact('grant', grantText(grant, tracked)))
  const missing = missingDecision(tracked)
  return (missing === undefined ? lines : [...lines, MISSING_TEXT[missing](tracked)]).join('\n')
}

const isError = ({ severity }: VerifyFinding): boolean => severity === 'error'

/** What a tool needs before it can be called. */
const MISSING_TEXT: Readonly<
  Record<NonNullable<ReturnType<typeof missingDecision>>, (tracked: TrackedTool) => string>
> = {
  trust: ({ tool }) => fact('not callable', `it changes state; myrmex trust ${tool}`),
  verify: ({ tool }) => fact('not callable', `myrmex verify ${tool}`),
  approval: () => fact('no grant', 'calls need approval, unless the policy says otherwise'),
}

const COLOURS = { trusted: 'green', verified: 'cyan', untrusted: 'red' } as const

function reasonText(tracked: TrackedTool): string {
  const { decision, definition, changed, other } = tracked
  if (changed) return `${changedSince(tracked)}: now untrusted`
  if (other !== undefined) return `changed since ${other.version}, which is ${other.level}: now untrusted`
  if (decision === undefined) {
    return definition.origin === 'own'
      ? `defined in the server's own code, first seen ${localTime(definition.first_seen)}`
      : `nobody has decided, first seen ${localTime(definition.first_seen)}`
  }
  return decision.set_by === 'first sight'
    ? `nobody has decided, first seen ${localTime(decision.set_at)}`
    : `since ${localTime(decision.set_at)} by ${oneLine(decision.set_by, 60)}`
}

function grantText(grant: Grant, tracked: TrackedTool): string {
  const { id, principal, granted_by, granted_at, expires_at } = grant
  const grantee = principal === null ? 'for everyone' : `for ${oneLine(principal, 60)}`
  const end =
    expires_at === null ? 'no expiry' : `until ${localTime(expires_at)} (${formatSpan(expires_at - Date.now())} left)`
  const validity = grantCovers(grant, tracked) ? '' : '; for an earlier definition, no longer valid'
  return `${id} ${grantee}, ${end}, given ${localTime(granted_at)} by ${oneLine(granted_by, 60)}${validity}`
}
