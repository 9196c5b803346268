/**
 * Carries out an edit of `trust` in the operator's file, once, when a host first sees it:
 *
 * - Lowered: every decision about a definition of the server that allows more than the file does now is lowered to what the file gives,
 *   whether the server lists the definition at the moment or not. If the file no longer gives grants, all grants are revoked.
 * - Raised: the time of the edit is returned. The review raises what the server lists to what the file gives (trust-from-config.ts).
 *
 * A refusal by a person is touched by neither.
 */
import { serverOfDefinition } from '../../ledger/decisions/definition-server.ts'
import { BY_CONFIGURATION, isRefused, type TrustRow } from '../../ledger/decisions/trust-row.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { isObject, parseJson } from '../../protocol/json.ts'
import { type ConfiguredTrust, TRUST_VALUES } from '../settings.ts'
import { levelFor, RANK } from './configured-level.ts'

const BY_FILE = { name: BY_CONFIGURATION, from: 'file' } as const

/** Returns when the file was raised, if that was the last edit of it; decisions from before then are to be raised too. */
export async function followFile(
  ledger: Ledger,
  server: string,
  configured: ConfiguredTrust,
): Promise<number | undefined> {
  const before = await ledger.configuredLevels.find(server)
  if (before?.word === configured) return before.direction === 'raised' ? before.since : undefined
  const direction = directionOf(before?.word, configured)
  if (direction === 'lowered') await lowerDecisions(ledger, server, configured)
  const now = await ledger.configuredLevels.record(server, configured, direction)
  return direction === 'raised' ? now.since : undefined
}

function directionOf(before: string | undefined, now: ConfiguredTrust): 'given' | 'raised' | 'lowered' {
  const known = TRUST_VALUES.indexOf(before as ConfiguredTrust)
  if (known === -1) return 'given'
  return TRUST_VALUES.indexOf(now) > known ? 'raised' : 'lowered'
}

async function lowerDecisions(ledger: Ledger, server: string, configured: ConfiguredTrust): Promise<void> {
  const rows = (await ledger.trust.decisions()).filter(
    (row) => serverOfDefinition(row.tool) === server && row.level !== 'untrusted' && !isRefused(row),
  )
  const isDestructive = await destructiveDefinitions(ledger)
  const lowered = rows.flatMap((row) => {
    const destructive = isDestructive(row)
    const level = levelFor({ destructive }, configured)
    // Of a tool that changes nothing, trusted allows no more than verified.
    const isMore = destructive ? RANK[row.level] > RANK[level] : level === 'untrusted'
    return isMore ? [{ definition: row, level, replaces: row.set_at }] : []
  })
  await ledger.trust.setFromConfig(lowered, BY_CONFIGURATION)
  if (configured === 'trusted') return
  const granted = (await ledger.grants.list()).filter(
    (grant) => grant.revoked_at === null && serverOfDefinition(grant.tool) === server,
  )
  for (const tool of new Set(granted.map((grant) => grant.tool))) await ledger.grants.revoke(tool, BY_FILE)
}

/** A definition that is not stored any more counts as one that changes state. */
async function destructiveDefinitions(ledger: Ledger): Promise<(row: TrustRow) => boolean> {
  const safe = new Set(
    (await ledger.trust.definitions()).flatMap(({ hash, body }) => {
      const parsed = parseJson(body)
      return isObject(parsed) && parsed.destructive === false ? [hash] : []
    }),
  )
  return ({ hash }) => !safe.has(hash)
}
