/** `myrmex status`: every tool that was seen: its trust level, who decided, until when, and what changed since. */
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
import { findingLines } from './findings.ts'
import { LOAD_HINT } from './load-files.ts'
import { bullets, fact, headline } from './present-tool.ts'

export async function showStatus(name: string | undefined, options: LedgerFlags & { json?: boolean }): Promise<void> {
  const all = await withLedger(options, 'read-only', trackedTools)
  const chosen = name === undefined ? all : trackedVersions(all, name, LOAD_HINT)
  if (options.json) print(readableJson(chosen.map(trackedToolJson)))
  else if (chosen.length === 0) print('no tools seen yet: start a server with this ledger')
  else print(chosen.map(statusText).join('\n\n'))
}

function statusText(seen: TrackedTool): string {
  const lines = [headline(seen), fact(seen.level, reasonText(seen), COLOURS[seen.level])]
  if (seen.changed) lines.push(...bullets(seen.changes))
  if (seen.level === 'untrusted') lines.push(...findingLines(findingsOf(seen, []).filter(isError), 4))
  else if (seen.other !== undefined) lines.push(...bullets(seen.other.changes))
  for (const grant of seen.grants) lines.push(fact('grant', grantText(grant, seen)))
  const missing = missingDecision(seen)
  return (missing === undefined ? lines : [...lines, MISSING_TEXT[missing](seen)]).join('\n')
}

const isError = ({ severity }: VerifyFinding): boolean => severity === 'error'

/** What a tool needs before it can be called. */
const MISSING_TEXT: Readonly<Record<NonNullable<ReturnType<typeof missingDecision>>, (seen: TrackedTool) => string>> = {
  trust: ({ tool }) => fact('not callable', `it changes state; myrmex trust ${tool}`),
  verify: ({ tool }) => fact('not callable', `myrmex verify ${tool}`),
  approval: () => fact('no grant', 'calls need approval, unless the policy says otherwise'),
}

const COLOURS = { trusted: 'green', verified: 'cyan', untrusted: 'red' } as const

function reasonText(seen: TrackedTool): string {
  const { decision, definition, changed, other } = seen
  if (changed) return `${changedSince(seen)}: now untrusted`
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

function grantText(grant: Grant, seen: TrackedTool): string {
  const { id, principal, granted_by, granted_at, expires_at } = grant
  const whom = principal === null ? 'for everyone' : `for ${oneLine(principal, 60)}`
  const end =
    expires_at === null ? 'no expiry' : `until ${localTime(expires_at)} (${formatSpan(expires_at - Date.now())} left)`
  const void_ = grantCovers(grant, seen) ? '' : '; for an earlier definition, no longer valid'
  return `${id} ${whom}, ${end}, given ${localTime(granted_at)} by ${oneLine(granted_by, 60)}${void_}`
}
