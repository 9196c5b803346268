/**
 * The operator's settings for a tool. A rule is matched against the names that callers use: `server.tool`, `tool`, and the same with `_`
 * for every dot. The first match applies. Rules that fit only the server's own spelling, or only the last part of a longer name, add
 * restrictions: they turn a tool off or declare that it changes state, and never the reverse. So no spelling evades a rule.
 */

import { toSnakeCase } from '../../tool/name.ts'
import { fitsPattern } from '../../tool/name-pattern.ts'
import type { ServerSettings, ToolSettings } from '../settings.ts'

type Rules = ServerSettings['tools']

export interface RuledTool {
  readonly server: string
  /** canonical, not shortened */
  readonly name: string
  /** its other canonical name, with or without the name of the server repeated */
  readonly alias?: string | undefined
  /** as the server lists it */
  readonly original: string
}

export function settingsForTool(rules: Rules, tool: RuledTool): ToolSettings {
  const names = canonicalNames(tool)
  const full = tool.alias === undefined ? [tool.name] : [tool.name, tool.alias]
  const others = [tool.original, ...full.map((name) => name.slice(name.lastIndexOf('.') + 1))]
  const flat = full.map((name) => name.replaceAll('.', '_'))
  const isCanonical = (pattern: string): boolean =>
    fitsAny(canonicalPattern(pattern), names) || (pattern.startsWith(`${tool.server}_`) && fitsAny(pattern, flat))
  const [, own = NOTHING] = rules.find(([pattern]) => isCanonical(pattern)) ?? []
  const restricting = rules.filter(([pattern]) => !isCanonical(pattern) && fitsAny(pattern, others))
  return restricting.reduce((settings, [, rule]) => restricted(settings, rule), own)
}

const NOTHING: ToolSettings = Object.freeze({})

function canonicalNames({ server, name, alias }: RuledTool): string[] {
  return (alias === undefined ? [name] : [name, alias]).flatMap((full) => {
    const own = full.startsWith(`${server}.`) ? full.slice(server.length + 1) : full
    return [full, own, own.replaceAll('.', '_')]
  })
}

/** A name without * is converted as the server's names are, so the operator can write either spelling. */
const canonicalPattern = (pattern: string): string =>
  pattern.includes('*') ? pattern : toSnakeCase(pattern) || pattern

function restricted(settings: ToolSettings, { enabled, destructive, timeoutMs }: ToolSettings): ToolSettings {
  return {
    ...settings,
    ...(enabled === false && { enabled }),
    ...(destructive === true && { destructive }),
    ...(settings.timeoutMs === undefined && timeoutMs !== undefined && { timeoutMs }),
  }
}

const fitsAny = (pattern: string, names: readonly string[]): boolean => names.some((name) => fitsPattern(pattern, name))
