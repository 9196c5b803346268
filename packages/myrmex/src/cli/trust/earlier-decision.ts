/** An earlier decision about a tool that has changed since: about which definition it was, and what is different now. */
import type { Grant } from '../../ledger/decisions/grants.ts'
import { grantCovers, type TrackedTool } from '../../ledger/decisions/tracked-tools.ts'
import { isUndecided } from '../../ledger/decisions/trust-row.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { oneLine } from '../../serve/terminal.ts'
import { differenceTexts } from '../../tool/difference/tool-differences.ts'
import { localTime } from '../audit/format.ts'

export interface EarlierDecision {
  /** a phrase that introduces the changes */
  readonly since: string
  readonly changes: readonly string[]
}

/** Undefined: the definition is the same, or there was no decision. */
export async function earlierDecision(
  ledger: Ledger,
  tracked: TrackedTool,
  versions: readonly TrackedTool[],
): Promise<EarlierDecision | undefined> {
  const { decision, changed, changes } = tracked
  if (decision !== undefined && changed) return { since: changedSince(tracked), changes }
  if (decision?.level === 'trusted') return undefined
  const newest = (await ledger.grants.list(tracked.tool)).findLast(({ version }) => version === tracked.version)
  if (newest !== undefined) return sinceGrant(ledger, tracked, newest)
  const other = versions.find(({ version, level }) => level === 'trusted' && version !== tracked.version)
  return (
    other && {
      since: `changed since ${other.version}, which is trusted`,
      changes: differenceTexts(other.body, tracked.body),
    }
  )
}

/** A decision may have been replaced since. A grant still shows which definition was trusted. */
async function sinceGrant(ledger: Ledger, tracked: TrackedTool, grant: Grant): Promise<EarlierDecision | undefined> {
  if (grantCovers(grant, tracked)) return undefined
  const earlier = (await ledger.trust.definitions(tracked.tool)).find(({ hash }) => hash === grant.hash)
  const since = `changed since ${oneLine(grant.granted_by, 60)} trusted it on ${localTime(grant.granted_at)}`
  return { since, changes: earlier === undefined ? [] : differenceTexts(JSON.parse(earlier.body), tracked.body) }
}

export function changedSince({ decision }: TrackedTool): string {
  if (decision === undefined) return ''
  const { level, set_by, set_at } = decision
  const when = localTime(set_at)
  if (level !== 'untrusted') return `changed since it was ${level} by ${oneLine(set_by, 60)} on ${when}`
  return isUndecided(decision)
    ? `changed since it was first seen on ${when}`
    : `changed since ${oneLine(set_by, 60)} decided on ${when}`
}
