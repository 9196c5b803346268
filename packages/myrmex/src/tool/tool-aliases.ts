/**
 * Other names of a tool. They are no part of its definition. Callers find it by them, and the operator's rules that use one hold for it,
 * so that nothing stops to apply because a tool has a shorter name now.
 */
import { fitsPattern } from './name-pattern.ts'
import { matchesName, ruleCovers } from './rule-names.ts'
import type { Tool } from './tool.ts'

export interface ToolAliases {
  /** another canonical name, with or without the name of the server repeated */
  readonly canonical?: string | undefined
  /** as its own server calls it: its apps use that */
  readonly original?: string | undefined
}

const known = new WeakMap<object, ToolAliases>()

export function withAliases<T extends object>(made: T, aliases: ToolAliases): T {
  known.set(made, aliases)
  return made
}

export const aliasesOf = (made: object): ToolAliases | undefined => known.get(made)

type Named = Pick<Tool, 'name'>

/** Whether the operator's rule for this pattern holds for a tool, by its canonical name or its other one. */
export const ruleCoversTool = (pattern: string, made: Named): boolean => coversBy(ruleCovers, pattern, made)

/** The same for scopes and lists of tools. */
export const coversTool = (pattern: string, made: Named): boolean => coversBy(matchesName, pattern, made)

/** The same for patterns with * anywhere. */
export const patternCoversTool = (pattern: string, made: Named): boolean => coversBy(fitsPattern, pattern, made)

/** Whether one of the names is the tool's, without a pattern. */
export const isNamed = (names: readonly string[], made: Named): boolean =>
  names.includes(made.name) || names.includes(known.get(made)?.canonical ?? made.name)

function coversBy(covers: typeof matchesName, pattern: string, made: Named): boolean {
  if (covers(pattern, made.name)) return true
  const other = known.get(made)?.canonical
  return other !== undefined && covers(pattern, other)
}
