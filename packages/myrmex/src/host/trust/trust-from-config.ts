/**
 * Applies the trust that the operator's file configures when a tool is first seen. It covers the definition that was seen then. A changed
 * or suspicious definition waits for a person, and a person's decision always wins.
 */
import type { Grant } from '../../ledger/decisions/grants.ts'
import { FIRST_SIGHT, type TrustLevel, type TrustRow } from '../../ledger/decisions/trust.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Tool } from '../../tool/tool.ts'
import { verifyTool } from '../../tool/verify/verify-tool.ts'
import type { ConfiguredTrust } from '../settings.ts'
import { firstError } from './suspicious-text.ts'

/** Recorded as the source of the decision. */
const DECIDED_BY = 'myrmex.json'
/** Reviewing a definition takes about a millisecond: yield to other work after this many. */
const TOOLS_PER_TURN = 20

/** Returns the tools whose definition differs from the pinned one, and those that contain suspicious text. */
export async function applyConfiguredTrust(ledger: Ledger, tools: readonly Tool[], configured: ConfiguredTrust) {
  const decisions = Map.groupBy(await ledger.trust.decisions(), ({ tool }) => tool)
  const grants = Map.groupBy(await ledger.grants.list(), ({ tool }) => tool)
  const changed: Tool[] = []
  const suspicious: { tool: Tool; why: string }[] = []
  for (let start = 0; start < tools.length; start += TOOLS_PER_TURN) {
    const portion = tools.slice(start, start + TOOLS_PER_TURN)
    const reviewed = portion.map((tool) => review(tool, decisions.get(tool.name) ?? [], configured))
    changed.push(...reviewed.filter(({ isChanged }) => isChanged).map(({ tool }) => tool))
    for (const { tool, suspicion } of reviewed) if (suspicion !== undefined) suspicious.push({ tool, why: suspicion })
    await ledger.trust.pinAll(portion)
    await ledger.trust.setFromConfig(
      reviewed.flatMap(({ tool, level }) => (level === undefined ? [] : [{ tool, level }])),
      DECIDED_BY,
    )
    for (const { tool, isConfigurable } of reviewed)
      if (isConfigurable) await grant(ledger, tool, configured, grants.get(tool.name) ?? [])
    await new Promise(setImmediate)
  }
  return { changed, suspicious }
}

interface ReviewedTool {
  readonly tool: Tool
  readonly isChanged?: boolean
  readonly suspicion?: string
  /** to be recorded */
  readonly level?: TrustLevel
  /** the file may decide about it */
  readonly isConfigurable?: boolean
}

function review(tool: Tool, rows: readonly TrustRow[], configured: ConfiguredTrust): ReviewedTool {
  const row = rows.find(({ version }) => version === tool.version)
  // A new version is a change like any other: a server must not leave quarantine by raising its version or returning to an old one.
  if (rows.length > 0 && (row?.hash !== tool.hash || isNewVersion(row, rows)))
    return { tool, isChanged: true, ...withSuspicion(tool) }
  const isConfigurable = row === undefined || row.set_by === FIRST_SIGHT || row.set_by === DECIDED_BY
  if (!isConfigurable) return row.level === 'untrusted' ? { tool, ...withSuspicion(tool) } : { tool }
  const level = levelFor(tool, configured)
  const wanted = mustRecord(row, level) ? { level } : {}
  // Scanned even if untrusted, because models read the listing.
  if (level === 'untrusted') return { tool, isConfigurable, ...wanted, ...withSuspicion(tool) }
  if (wanted.level === undefined) return { tool, isConfigurable }
  const { suspicion } = withSuspicion(tool)
  return suspicion === undefined ? { tool, isConfigurable, level } : { tool, suspicion }
}

function withSuspicion(tool: Tool): { readonly suspicion?: string } {
  const suspicion = firstError(verifyTool(tool))
  return suspicion === undefined ? {} : { suspicion }
}

/** Nobody decided about it, and another version was seen or decided earlier. */
const isNewVersion = (row: TrustRow, rows: readonly TrustRow[]): boolean =>
  row.set_by === FIRST_SIGHT &&
  rows.some((other) => other !== row && (other.set_by !== FIRST_SIGHT || other.set_at <= row.set_at))

/** An unknown tool is untrusted anyway, so that level is not recorded. */
const mustRecord = (row: TrustRow | undefined, level: TrustLevel): boolean => (row?.level ?? 'untrusted') !== level

function levelFor(tool: Tool, configured: ConfiguredTrust): TrustLevel {
  if (configured === 'none' || (configured === 'verified' && tool.destructive)) return 'untrusted'
  return tool.destructive ? 'trusted' : 'verified'
}

/** At most one grant per definition: a revoked grant is not given again at the next start. */
async function grant(ledger: Ledger, tool: Tool, configured: ConfiguredTrust, grants: readonly Grant[]): Promise<void> {
  if (!tool.destructive) return
  const ours = grants.filter(({ granted_by, hash }) => granted_by === DECIDED_BY && hash === tool.hash)
  const isInForce = ours.some(({ revoked_at }) => revoked_at === null)
  if (configured === 'trusted' && ours.length === 0) {
    await ledger.grants.give({ tool: tool.name, version: tool.version, hash: tool.hash }, DECIDED_BY)
  } else if (configured !== 'trusted' && isInForce) {
    await ledger.grants.revoke(tool.name, DECIDED_BY)
  }
}
