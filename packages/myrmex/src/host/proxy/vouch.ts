/**
 * What the operator's file says about trust, written down when a tool is first seen. It holds for the definition that was seen then:
 * one that has changed since is for a person to look at, and so is one with something hidden in it. What a person decided stays.
 */
import type { Grant } from '../../ledger/grants.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Level, TrustRow } from '../../ledger/trust.ts'
import type { Tool } from '../../tool/tool.ts'
import { bodyOf, verifyBody } from '../../tool/verify.ts'
import type { Vouched } from '../settings.ts'

/** Who decided, in the ledger. */
const BY = 'myrmex.json'
const FIRST_SIGHT = 'first sight'
/** Looking at a definition takes about a millisecond: others must have their turn in between. */
const PORTION = 10

export interface Looked {
  /** not what was seen first */
  readonly changed: readonly Tool[]
  /** with something in it that no machine can let pass */
  readonly doubtful: readonly { readonly tool: Tool; readonly why: string }[]
}

export async function vouch(ledger: Ledger, tools: readonly Tool[], vouched: Vouched): Promise<Looked> {
  const decisions = Map.groupBy(await ledger.trust.decisions(), ({ tool }) => tool)
  const grants = Map.groupBy(await ledger.grants.list(), ({ tool }) => tool)
  const changed: Tool[] = []
  const doubtful: { tool: Tool; why: string }[] = []
  for (const [index, tool] of tools.entries()) {
    const rows = decisions.get(tool.name) ?? []
    const row = rows.find(({ version }) => version === tool.version)
    // A new version is a change like any other: a server must not get out of quarantine by counting up.
    if (rows.length > 0 && row?.hash !== tool.hash) {
      changed.push(tool)
      await ledger.trust.pin(tool)
      continue
    }
    if (isSomebodys(row)) continue
    if (index % PORTION === PORTION - 1) await new Promise(setImmediate)
    const why = await decide(ledger, tool, levelFor(tool, vouched), row)
    if (why !== undefined) doubtful.push({ tool, why })
    else await grant(ledger, tool, vouched, grants.get(tool.name) ?? [])
  }
  return { changed, doubtful }
}

const isSomebodys = (row: TrustRow | undefined): boolean =>
  row !== undefined && row.set_by !== FIRST_SIGHT && row.set_by !== BY

function levelFor(tool: Tool, vouched: Vouched): Level {
  if (vouched === 'none' || (vouched === 'verified' && tool.destructive)) return 'untrusted'
  return tool.destructive ? 'trusted' : 'verified'
}

/** Gives why the machine would not let it pass, where it would not. */
async function decide(
  ledger: Ledger,
  tool: Tool,
  level: Level,
  row: TrustRow | undefined,
): Promise<string | undefined> {
  if (row?.level === level) return undefined
  if (row === undefined) await ledger.trust.pin(tool)
  if (row === undefined && level === 'untrusted') return undefined
  const why = level === 'untrusted' ? undefined : doubtAbout(tool)
  if (why === undefined) {
    await ledger.trust.set({ tool: tool.name, version: tool.version, hash: tool.hash }, level, BY)
  }
  return why
}

function doubtAbout(tool: Tool): string | undefined {
  const [first, ...more] = verifyBody(bodyOf(tool)).filter(({ severity }) => severity === 'error')
  if (first === undefined) return undefined
  return `${first.where}: ${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`
}

/** One grant for one definition, ever: whoever takes it back is not overruled by the next start. */
async function grant(ledger: Ledger, tool: Tool, vouched: Vouched, grants: readonly Grant[]): Promise<void> {
  if (!tool.destructive) return
  const ours = grants.filter(({ granted_by, hash }) => granted_by === BY && hash === tool.hash)
  const isInForce = ours.some(({ revoked_at }) => revoked_at === null)
  if (vouched === 'trusted' && ours.length === 0) {
    await ledger.grants.give({ tool: tool.name, version: tool.version, hash: tool.hash }, BY)
  } else if (vouched !== 'trusted' && isInForce) {
    await ledger.grants.revoke(tool.name, BY)
  }
}
