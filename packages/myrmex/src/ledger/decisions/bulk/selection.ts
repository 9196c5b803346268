/**
 * Which tools a person means: of a server, by a pattern, all that change nothing, or all. A name is first that of a tool, then that of a
 * server, and only then a short name of a tool: a server that names a tool `github` must not be taken for the server of that name.
 */
import { ToolError } from '../../../protocol/errors.ts'
import { fitsPattern } from '../../../tool/name-pattern.ts'
import { serverOfDefinition } from '../definition-server.ts'
import { listedTools, type TrackedTool, trackedVersions } from '../tracked-tools.ts'

export interface ToolSelection {
  /** tools, servers, and patterns with `*` that match whole names; none: every tool */
  readonly names: readonly string[]
  /** only tools that change nothing */
  readonly readOnly: boolean
  /** also those that their servers no longer list, which only a whole name selects otherwise */
  readonly withGone?: boolean
}

export const serversOf = (seen: readonly TrackedTool[]): string[] => [
  ...new Set(seen.map(({ tool }) => serverOfDefinition(tool))),
]

/** Whether the names may mean several tools, so that they are shown together before anything is decided. */
export const isSelection = (seen: readonly TrackedTool[], names: readonly string[]): boolean =>
  names.length > 1 || names.some((name) => isPattern(name) || isServer(seen, name))

const isPattern = (name: string): boolean => name.includes('*')

/** A whole name of a tool wins. It has a dot, and the name of a server has none. */
export const isServer = (seen: readonly TrackedTool[], name: string): boolean =>
  !seen.some(({ tool }) => tool === name) && serversOf(seen).includes(name)

/** By name; of each tool the version that was seen last. Throws for a name that means nothing. */
export function selectTools(
  seen: readonly TrackedTool[],
  { names, readOnly, withGone = false }: ToolSelection,
): TrackedTool[] {
  const offered = withGone ? seen : listedTools(seen)
  const chosen = new Set(names.length === 0 ? offered : names.flatMap((name) => named(seen, offered, name)))
  const latest = new Map<string, TrackedTool>()
  for (const one of chosen) {
    const before = latest.get(one.tool)
    if (before === undefined || one.definition.last_seen > before.definition.last_seen) latest.set(one.tool, one)
  }
  return [...latest.values()].filter((one) => !readOnly || isReadOnlyTool(one))
}

/** Resources, prompts and instructions have a kind in front of their names, and are no tools. */
const isReadOnlyTool = ({ tool, body }: TrackedTool): boolean => !tool.includes(':') && !body.destructive

function named(seen: readonly TrackedTool[], offered: readonly TrackedTool[], name: string): readonly TrackedTool[] {
  if (isServer(seen, name)) return offered.filter(({ tool }) => serverOfDefinition(tool) === name)
  if (!isPattern(name)) return trackedVersions(seen, name)
  const fits = ({ tool }: TrackedTool): boolean => fitsPattern(name, tool)
  if (seen.some(fits)) return offered.filter(fits)
  throw ToolError.of(
    'ToolNotFoundError',
    `No tool that this ledger knows matches ${JSON.stringify(name)}. Start its server, or look at: npx myrmex trust status`,
  )
}
