/**
 * What the operator's file says about trust, written down when a tool is first seen. It holds for the definition that was seen then:
 * one that has changed since is for a person to look at, and so is one with something hidden in it. What a person decided stays.
 */
import type { Grant } from '../../ledger/decisions/grants.ts'
import { FIRST_SIGHT, type TrustLevel, type TrustRow } from '../../ledger/decisions/trust.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Tool } from '../../tool/tool.ts'
import { verifyTool } from '../../tool/verify/verify-tool.ts'
import type { ConfiguredTrust } from '../settings.ts'
import { firstError } from './suspicious-text.ts'

/** Who decided, in the ledger. */
const BY = 'myrmex.json'
/** Looking at a definition takes about a millisecond: others must have their turn in between. */
const PORTION = 20

export interface DefinitionReview {
  /** not what was seen first */
  readonly changed: readonly Tool[]
  /** with something in it that no machine can let pass */
  readonly suspicious: readonly { readonly tool: Tool; readonly why: string }[]
}

export async function applyConfiguredTrust(
  ledger: Ledger,
  tools: readonly Tool[],
  vouched: ConfiguredTrust,
): Promise<DefinitionReview> {
  const decisions = Map.groupBy(await ledger.trust.decisions(), ({ tool }) => tool)
  const grants = Map.groupBy(await ledger.grants.list(), ({ tool }) => tool)
  const changed: Tool[] = []
  const doubtful: { tool: Tool; why: string }[] = []
  for (let start = 0; start < tools.length; start += PORTION) {
    const portion = tools.slice(start, start + PORTION)
    const seen = portion.map((tool) => look(tool, decisions.get(tool.name) ?? [], vouched))
    changed.push(...seen.filter(({ isChanged }) => isChanged).map(({ tool }) => tool))
    for (const { tool, doubt } of seen) if (doubt !== undefined) doubtful.push({ tool, why: doubt })
    await ledger.trust.pinAll(portion)
    await ledger.trust.setFromConfig(
      seen.flatMap(({ tool, level }) => (level === undefined ? [] : [{ tool, level }])),
      BY,
    )
    for (const { tool, isOurs } of seen) if (isOurs) await grant(ledger, tool, vouched, grants.get(tool.name) ?? [])
    await new Promise(setImmediate)
  }
  return { changed, suspicious: doubtful }
}

interface Seen {
  readonly tool: Tool
  readonly isChanged?: boolean
  readonly doubt?: string
  /** to be written down */
  readonly level?: TrustLevel
  /** the file may decide about it */
  readonly isOurs?: boolean
}

function look(tool: Tool, rows: readonly TrustRow[], vouched: ConfiguredTrust): Seen {
  const row = rows.find(({ version }) => version === tool.version)
  // A new version is a change like any other: a server must not get out of quarantine by counting up, nor by coming back with it.
  if (rows.length > 0 && (row?.hash !== tool.hash || isLater(row, rows)))
    return { tool, isChanged: true, ...doubted(tool) }
  const isOurs = row === undefined || row.set_by === FIRST_SIGHT || row.set_by === BY
  if (!isOurs) return row.level === 'untrusted' ? { tool, ...doubted(tool) } : { tool }
  const level = levelFor(tool, vouched)
  const wanted = isNew(row, level) ? { level } : {}
  // Nobody vouches for it: what it says is looked at all the same, since models read it.
  if (level === 'untrusted') return { tool, isOurs, ...wanted, ...doubted(tool) }
  if (wanted.level === undefined) return { tool, isOurs }
  const { doubt } = doubted(tool)
  return doubt === undefined ? { tool, isOurs, level } : { tool, doubt }
}

function doubted(tool: Tool): { readonly doubt?: string } {
  const doubt = firstError(verifyTool(tool))
  return doubt === undefined ? {} : { doubt }
}

/** Nobody has decided about it, and another version was seen before it or decided about. */
const isLater = (row: TrustRow, rows: readonly TrustRow[]): boolean =>
  row.set_by === FIRST_SIGHT &&
  rows.some((other) => other !== row && (other.set_by !== FIRST_SIGHT || other.set_at <= row.set_at))

/** Not so yet; that nobody vouches for what nobody knows goes without saying. */
const isNew = (row: TrustRow | undefined, level: TrustLevel): boolean => (row?.level ?? 'untrusted') !== level

function levelFor(tool: Tool, vouched: ConfiguredTrust): TrustLevel {
  if (vouched === 'none' || (vouched === 'verified' && tool.destructive)) return 'untrusted'
  return tool.destructive ? 'trusted' : 'verified'
}

/** One grant for one definition, ever: whoever takes it back is not overruled by the next start. */
async function grant(ledger: Ledger, tool: Tool, vouched: ConfiguredTrust, grants: readonly Grant[]): Promise<void> {
  if (!tool.destructive) return
  const ours = grants.filter(({ granted_by, hash }) => granted_by === BY && hash === tool.hash)
  const isInForce = ours.some(({ revoked_at }) => revoked_at === null)
  if (vouched === 'trusted' && ours.length === 0) {
    await ledger.grants.give({ tool: tool.name, version: tool.version, hash: tool.hash }, BY)
  } else if (vouched !== 'trusted' && isInForce) {
    await ledger.grants.revoke(tool.name, BY)
  }
}
