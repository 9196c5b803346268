/** `myrmex status`: every tool that was seen, what it may do, who said so, until when, and what changed since. */
import type { Grant } from '../../ledger/grants.ts'
import { readableJson } from '../../tool/readable-json.ts'
import { endWithReader } from '../audit/output.ts'
import { localTime } from '../audit/show.ts'
import { type LedgerChoice, withLedger } from '../ledger.ts'
import { oneLine } from '../line.ts'
import { spanOf } from '../span.ts'
import { print } from '../terminal.ts'
import { changedSince } from './before.ts'
import { bullets, fact, headline } from './present.ts'
import { covers, type Seen, seenTools, versionsOf } from './seen.ts'

export async function showStatus(name: string | undefined, options: LedgerChoice & { json?: boolean }): Promise<void> {
  endWithReader()
  const all = await withLedger(options, seenTools, { readOnly: true })
  const chosen = name === undefined ? all : versionsOf(all, name)
  if (options.json) print(readableJson(chosen.map(asJson)))
  else if (chosen.length === 0) print('no tools seen yet: start a server on this ledger')
  else print(chosen.map(shown).join('\n\n'))
}

function shown(seen: Seen): string {
  const lines = [headline(seen), fact(seen.level, why(seen), COLOURS[seen.level])]
  if (seen.changed) lines.push(...bullets(seen.changes))
  for (const grant of seen.grants) lines.push(fact('grant', grantInWords(grant, seen)))
  const lacks = missing(seen)
  return (lacks === undefined ? lines : [...lines, lacks]).join('\n')
}

/** What stands between it and a call. */
function missing(seen: Seen): string | undefined {
  const { tool, level, body, grants } = seen
  if (body.destructive && level !== 'trusted') return fact('not callable', `it changes state; myrmex trust ${tool}`)
  if (level === 'untrusted') return fact('not callable', `myrmex verify ${tool}`)
  if (!body.destructive || grants.some((grant) => covers(grant, seen))) return undefined
  return fact('no grant', 'calls wait for an approval, unless the policy says otherwise')
}

const COLOURS = { trusted: 'green', verified: 'cyan', untrusted: 'red' } as const

function why(seen: Seen): string {
  const { decision, definition, changed } = seen
  if (changed) return `${changedSince(seen)}: now untrusted`
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

const asJson = (seen: Seen) => ({
  tool: seen.tool,
  version: seen.version,
  hash: seen.definition.hash,
  origin: seen.definition.origin,
  destructive: seen.body.destructive,
  level: seen.level,
  first_seen: seen.definition.first_seen,
  last_seen: seen.definition.last_seen,
  decision: seen.decision ?? null,
  changes: seen.changed ? seen.changes : null,
  grants: seen.grants.map((grant) => ({ ...grant, in_force: covers(grant, seen) })),
})
