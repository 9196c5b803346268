/** What the ledger knows of tools: each version as it was last seen, what was decided about it, and what changed since. */
import type { Grant } from '../../ledger/grants.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { DefinitionRow, Level, TrustRow } from '../../ledger/trust.ts'
import { ToolError } from '../../protocol/errors.ts'
import { differences } from '../../tool/difference.ts'
import { bareName, flatName } from '../../tool/name.ts'
import { nearest } from '../../tool/nearest.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Body } from '../../tool/verify.ts'
import { compareVersions, highestWithin } from '../../tool/version.ts'
import { oneLine } from '../line.ts'

export interface Seen {
  readonly tool: string
  readonly version: string
  /** as it was last seen */
  readonly definition: DefinitionRow
  readonly body: Body
  /** in force for that definition */
  readonly level: Level
  readonly decision: TrustRow | undefined
  /** the definition is not the one that was decided about */
  readonly changed: boolean
  /** in words, where both are known */
  readonly changes: readonly string[]
  /** neither revoked nor over; of earlier definitions too */
  readonly grants: readonly Grant[]
}

export const covers = (grant: Grant, { definition }: Seen): boolean => grant.hash === definition.hash

/** By name, highest version first. */
export async function seenTools(ledger: Ledger): Promise<Seen[]> {
  await ledger.trust.refresh()
  const definitions = await ledger.trust.definitions()
  const decisions = await ledger.trust.decisions()
  const now = Date.now()
  const grants = (await ledger.grants.list()).filter(
    ({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || expires_at > now),
  )
  // The newest sight of a version comes first.
  const newest = new Map<string, DefinitionRow>()
  for (const row of definitions) if (!newest.has(key(row))) newest.set(key(row), row)
  return [...newest.values()]
    .map((definition) => {
      const decision = decisions.find((row) => key(row) === key(definition))
      const body = JSON.parse(definition.body) as Body
      const changed = decision !== undefined && decision.hash !== definition.hash
      const before = changed
        ? definitions.find((row) => row.hash === decision.hash && key(row) === key(definition))
        : undefined
      return {
        tool: definition.tool,
        version: definition.version,
        definition,
        body,
        level: ledger.trust.levelOf(asTool(definition)),
        decision,
        changed,
        changes: before === undefined ? [] : differences(JSON.parse(before.body), body),
        grants: grants.filter((grant) => key(grant) === key(definition)),
      }
    })
    .sort((a, b) => (a.tool === b.tool ? compareVersions(a.version, b.version) : a.tool < b.tool ? -1 : 1))
}

const key = ({ tool, version }: { tool: string; version: string }): string => `${tool} ${version}`

/** All that a level depends on. */
const asTool = ({ tool, version, hash, origin }: DefinitionRow): Tool => ({ name: tool, version, hash, origin }) as Tool

/** The versions of one tool: by its canonical name, or by a flat or bare one that means no other. */
export function versionsOf(seen: readonly Seen[], name: string): [Seen, ...Seen[]] {
  const names = [...new Set(seen.map(({ tool }) => tool))]
  const alike = names.filter((tool) => flatName(tool) === name || bareName(tool) === name)
  const chosen = names.includes(name) ? name : alike.length === 1 ? alike[0] : undefined
  const [first, ...rest] = seen.filter(({ tool }) => tool === chosen)
  if (first !== undefined) return [first, ...rest]
  const shown = oneLine(name, 100)
  if (alike.length > 1) {
    throw new ToolError('ValidationError', `${shown} may be ${alike.join(' or ')}. Give the whole name.`)
  }
  const hint = names.length === 0 ? 'It has seen no tool at all.' : `Did you mean ${nearest(name, names).join(', ')}?`
  throw new ToolError(
    'ToolNotFoundError',
    `No server on this ledger has had ${shown}. ${hint} Start the server, or give the tool's file with --file.`,
  )
}

/** Those of a range; the highest without one. */
export function within(versions: readonly [Seen, ...Seen[]], range: string | undefined): Seen[] {
  if (range === undefined) return [versions[0]]
  const chosen = versions.filter(({ version }) => highestWithin([version], range) !== undefined)
  if (chosen.length > 0) return chosen
  const known = versions.map(({ version }) => version).join(', ')
  throw new ToolError('ValidationError', `${versions[0].tool} has no version within ${range}; seen were ${known}.`)
}
