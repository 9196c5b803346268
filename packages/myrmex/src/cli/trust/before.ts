/** What was decided about before, for whoever is to decide again: against which definition, and what is different now. */
import type { Grant } from '../../ledger/grants.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { covers, type Seen } from '../../ledger/seen.ts'
import { differences } from '../../tool/difference.ts'
import { localTime } from '../audit/show.ts'
import { oneLine } from '../line.ts'

export interface Before {
  /** a sentence that ends where the changes begin */
  readonly since: string
  readonly changes: readonly string[]
}

/** Undefined where it is the same definition, or where there was none. */
export async function decidedBefore(
  ledger: Ledger,
  seen: Seen,
  versions: readonly Seen[],
): Promise<Before | undefined> {
  const { decision, changed, changes } = seen
  if (decision !== undefined && changed) return { since: changedSince(seen), changes }
  if (decision?.level === 'trusted') return undefined
  const newest = (await ledger.grants.list(seen.tool)).findLast(({ version }) => version === seen.version)
  if (newest !== undefined) return sinceGrant(ledger, seen, newest)
  const other = versions.find(({ version, level }) => level === 'trusted' && version !== seen.version)
  return (
    other && { since: `changed since ${other.version}, which is trusted`, changes: differences(other.body, seen.body) }
  )
}

/** A decision may have been replaced since; a grant tells what was trusted once. */
async function sinceGrant(ledger: Ledger, seen: Seen, grant: Grant): Promise<Before | undefined> {
  if (covers(grant, seen)) return undefined
  const earlier = (await ledger.trust.definitions(seen.tool)).find(({ hash }) => hash === grant.hash)
  const since = `changed since ${oneLine(grant.granted_by, 60)} trusted it on ${localTime(grant.granted_at)}`
  return { since, changes: earlier === undefined ? [] : differences(JSON.parse(earlier.body), seen.body) }
}

export function changedSince({ decision }: Seen): string {
  if (decision === undefined) return ''
  const { level, set_by, set_at } = decision
  const when = localTime(set_at)
  if (level !== 'untrusted') return `changed since it was ${level} by ${oneLine(set_by, 60)} on ${when}`
  return set_by === 'first sight'
    ? `changed since it was first seen on ${when}`
    : `changed since ${oneLine(set_by, 60)} decided on ${when}`
}
