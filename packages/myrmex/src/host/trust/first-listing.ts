/**
 * Decides whether a list of an upstream is its first one, which the operator's file may decide about, and records that.
 *
 * - An empty list is no first list, but starts a period as long as the server may take to start (`open_ms`). The first list with items
 *   within it counts, so slow starters are not locked out. After it, items are late, so that nobody can list nothing while somebody
 *   looks and everything afterwards.
 * - A list that the server refused to give is none.
 * - The record is by the name of the server, and outlives its entry in the operator's file.
 * - A server that was known under another name brings along only what the file could decide about there.
 */
import { FIRST_SIGHT, type TrustRow } from '../../ledger/decisions/trust-row.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { canonical } from '../../protocol/canonical.ts'
import { withoutStutter } from '../../tool/stutter.ts'
import type { Tool } from '../../tool/tool.ts'
import { aliasesOf } from '../../tool/tool-aliases.ts'
import { type ToolBody, toolBody } from '../../tool/verify/verify-tool.ts'
import { storedBody } from './change-grader.ts'

export interface ListedPart {
  readonly server: string
  /** tools, instructions and so on: each has a first listing of its own */
  readonly part: string
  /** identifies the program or address of the server */
  readonly endpoint: string
  readonly count: number
  /** how names of its definitions begin: a ledger that has some is older than these records */
  readonly prefix: string
  readonly settleMs: number
}

type Rows = ReadonlyMap<string, readonly TrustRow[]>

export interface ListingReview {
  /** Whether the file may decide about this definition, of which the ledger has nothing yet. */
  readonly isFirst: (tool: Tool, rows: Rows) => boolean | Promise<boolean>
  /** nothing was accepted before, and there is something now */
  readonly isFirstListing: boolean
  /** Call it when every definition is recorded. */
  readonly accept: () => Promise<void>
}

export async function reviewListing(ledger: Ledger, listed: ListedPart): Promise<ListingReview> {
  const { server, part, endpoint, count } = listed
  const { firstListings } = ledger
  const isFirstListing = await isFirst(ledger, listed)
  if (count === 0) {
    if (isFirstListing) await firstListings.record(server, part, endpoint, 'empty')
    return { isFirst: () => false, isFirstListing: false, accept: async () => {} }
  }
  const accept = (): Promise<void> => firstListings.record(server, part, endpoint, 'accepted')
  if (!isFirstListing) {
    await accept()
    return { isFirst: () => false, isFirstListing, accept }
  }
  await firstListings.record(server, part, endpoint, 'begun')
  const former = await firstListings.otherNames(server, part, endpoint)
  const isAllowed = async (tool: Tool, rows: Rows): Promise<boolean> => {
    for (const name of former) if (await wasConfigurable(ledger, tool, [server, name], rows)) return true
    return former.length === 0
  }
  return { isFirst: isAllowed, isFirstListing, accept }
}

async function isFirst(ledger: Ledger, { server, part, prefix, settleMs }: ListedPart): Promise<boolean> {
  const known = await ledger.firstListings.find(server, part)
  if (known === undefined) return !(await ledger.trust.decisions()).some(({ tool }) => tool.startsWith(prefix))
  if (known.state === 'begun') return true
  // A clock that was set back makes nothing younger.
  return known.state === 'empty' && known.ageMs >= 0 && known.ageMs <= settleMs
}

const MANAGED: readonly string[] = [FIRST_SIGHT, 'myrmex.json']

/** Under the other name of the server, the file may decide about it or a person has allowed it, and it says the same. */
async function wasConfigurable(
  ledger: Ledger,
  tool: Tool,
  [server, former]: readonly [string, string],
  rows: Rows,
): Promise<boolean> {
  const row = namesUnder(tool, server, former)
    .flatMap((one) => rows.get(one) ?? [])
    .find(({ version }) => version === tool.version)
  if (row === undefined || (row.level === 'untrusted' && !MANAGED.includes(row.set_by))) return false
  const { tool: name } = row
  const body = await storedBody(ledger, name, row.hash)
  return body !== undefined && saidByServer(body) === saidByServer(toolBody(tool))
}

/** The tool may repeat the one name and not the other. */
function namesUnder(tool: Tool, server: string, former: string): string[] {
  const other = aliasesOf(tool)?.canonical
  const names = (other === undefined ? [tool.name] : [tool.name, other]).map((name) => name.replace(server, former))
  return [...new Set(names.flatMap((name) => [name, withoutStutter(name)]))]
}

/** Its name, its times and whether it counts as changing state also follow from the operator's file, for each entry. */
function saidByServer({ name: _, timeout: __, task: ___, destructive: ____, ...body }: ToolBody): string {
  return canonical(body)
}
