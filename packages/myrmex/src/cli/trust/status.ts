/** `myrmex status`: every tool that was seen, what it may do, who said so, until when, and what changed since. */
import type { Grant } from '../../ledger/grants.ts'
import { covers, findingsOf, lacks, type Seen, seenTools, statusOf, versionsOf } from '../../ledger/seen.ts'
import { readableJson } from '../../tool/readable-json.ts'
import type { Finding } from '../../tool/verify/finding.ts'
import { endWithReader } from '../audit/output.ts'
import { localTime } from '../audit/show.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { oneLine } from '../line.ts'
import { spanOf } from '../span.ts'
import { print } from '../terminal.ts'
import { changedSince } from './before.ts'
import { FROM_FILE } from './files.ts'
import { findingLines } from './findings.ts'
import { bullets, fact, headline } from './present.ts'

export async function showStatus(name: string | undefined, options: LedgerChoice & { json?: boolean }): Promise<void> {
  endWithReader()
  const all = await withLedger(options, seenTools, { readOnly: true })
  const chosen = name === undefined ? all : versionsOf(all, name, FROM_FILE)
  if (options.json) print(readableJson(chosen.map(statusOf)))
  else if (chosen.length === 0) print('no tools seen yet: start a server on this ledger')
  else print(chosen.map(shown).join('\n\n'))
}

function shown(seen: Seen): string {
  const lines = [headline(seen), fact(seen.level, why(seen), COLOURS[seen.level])]
  if (seen.changed) lines.push(...bullets(seen.changes))
  if (seen.level === 'untrusted') lines.push(...findingLines(findingsOf(seen, []).filter(isError), 4))
  else if (seen.other !== undefined) lines.push(...bullets(seen.other.changes))
  for (const grant of seen.grants) lines.push(fact('grant', grantInWords(grant, seen)))
  const missing = lacks(seen)
  return (missing === undefined ? lines : [...lines, LACKS[missing](seen)]).join('\n')
}

/** Why no machine would let it pass. */
const isError = ({ severity }: Finding): boolean => severity === 'error'

/** What stands between it and a call. */
const LACKS: Readonly<Record<NonNullable<ReturnType<typeof lacks>>, (seen: Seen) => string>> = {
  trust: ({ tool }) => fact('not callable', `it changes state; myrmex trust ${tool}`),
  verify: ({ tool }) => fact('not callable', `myrmex verify ${tool}`),
  approval: () => fact('no grant', 'calls wait for an approval, unless the policy says otherwise'),
}

const COLOURS = { trusted: 'green', verified: 'cyan', untrusted: 'red' } as const

function why(seen: Seen): string {
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

function grantInWords(grant: Grant, seen: Seen): string {
  const { id, principal, granted_by, granted_at, expires_at } = grant
  const whom = principal === null ? 'for everyone' : `for ${oneLine(principal, 60)}`
  const end =
    expires_at === null ? 'without end' : `until ${localTime(expires_at)} (${spanOf(expires_at - Date.now())} left)`
  const void_ = covers(grant, seen) ? '' : '; for an earlier definition, lets nothing through now'
  return `${id} ${whom}, ${end}, given ${localTime(granted_at)} by ${oneLine(granted_by, 60)}${void_}`
}
