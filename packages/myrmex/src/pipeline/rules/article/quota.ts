/**
 * The quota of an article for one tool, and how much of it a call would use. If that cannot be determined, the article counts
 * as breached.
 */
import { costOf } from '../../../protocol/cost.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import { isObject, type JsonObject, pointerSteps, resolveRef, valueAtPath } from '../../../protocol/json.ts'
import type { Tool } from '../../../tool/tool.ts'
import { isNamed } from '../../../tool/tool-aliases.ts'
import type { Call } from '../../call.ts'
import type { ArticleSource } from '../constitution-schema.ts'

export interface Quota {
  readonly amount: number
  readonly per: 'call' | 'day' | 'month' | 'ever'
  /** what is counted, in words */
  readonly what: string
  /** the amount of the call; null if it cannot be determined */
  amountOf(call: Call): number | null
  /** the counter for this time */
  budgetAt(time: number): string
  /** The mark that this call was counted. It has no date, because the call may be taken over after midnight. */
  markOf(call: string): string
}

/** Undefined if the article has no quota, or the tool has no such argument. */
export function quotaOf(
  { name, tools, at_most: written }: ArticleSource,
  tool: Tool,
  timeZone: string,
): Quota | undefined {
  if (written === undefined) return undefined
  const { argument, amount, per, in_all } = written
  const path = argument === undefined ? undefined : pointerSteps(argument)
  // A tool that is named explicitly must have the argument: otherwise a typo would disable the quota.
  if (path !== undefined && !isNamed(tools, tool) && !hasPlace(tool.input.json, path)) return undefined
  const counted = JSON.stringify([name, in_all === true ? '*' : tool.name])
  return {
    amount,
    per,
    what: argument === undefined ? 'what it costs' : argument || 'the arguments',
    amountOf: (call) => (path === undefined ? costIn(call) : valueIn(call, path)),
    markOf: (call) => `article:${counted}:counted:${call}`,
    budgetAt: (time) => `article:${counted}:${per === 'call' ? '' : periodAt(time, per, timeZone)}`,
  }
}

/** The arguments as sent and as parsed; the higher amount counts. */
const bothWays = ({ args, input }: Call): unknown[] => (args === input ? [input] : [args ?? {}, input])

function valueIn(call: Call, path: readonly string[]): number | null {
  const values = bothWays(call).map((args) => valueAtPath(args, path))
  const numbers = values.filter((value) => typeof value === 'number').filter((value) => !Number.isNaN(value))
  // A negative amount does not reduce the count.
  return numbers.length === 0 ? null : Math.max(0, ...numbers)
}

function costIn(call: Call): number | null {
  const costs = bothWays(call).map((args) => costOf(call.tool.input.json, args))
  const known = costs.filter(Number.isFinite)
  return known.length === 0 ? null : Math.max(...known)
}

/** Whether the schema has such an argument. */
function hasPlace(root: JsonObject, path: readonly string[]): boolean {
  const within = (node: unknown, [step, ...rest]: readonly string[], seen: readonly unknown[]): boolean => {
    if (!isObject(node) || seen.includes(node)) return false
    if (step === undefined) return true
    const branches = [node.allOf, node.anyOf, node.oneOf].filter(Array.isArray).flat()
    const same = [...branches, resolveRef(root, node.$ref)]
    if (same.some((branch) => within(branch, [step, ...rest], [...seen, node]))) return true
    const inside = [
      valueAtPath(node.properties, [step]),
      node.additionalProperties,
      node.items,
      valueAtPath(node.prefixItems, [step]),
    ]
    return inside.some((child) => within(child, rest, []))
  }
  return within(root, path, [])
}

export type Period = 'day' | 'month' | 'ever'

const formats = new Map<string, Intl.DateTimeFormat>()
const ISO_DAY = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
} as const
const dayFormat = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone, ...ISO_DAY })

/** 2026-07-28, 2026-07, or empty for `ever`. */
export function periodAt(time: number, per: Period, timeZone: string): string {
  if (per === 'ever') return ''
  const day = timeZone === 'UTC' ? new Date(time).toISOString().slice(0, 10) : dayIn(time, timeZone)
  return per === 'day' ? day : day.slice(0, 7)
}

function dayIn(time: number, timeZone: string): string {
  const format = getOrMake(formats, timeZone, dayFormat)
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`
}
