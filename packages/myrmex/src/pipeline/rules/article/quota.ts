/**
 * How much of what an article limits a call would pass. Where that cannot be said the answer is null, and the article counts as
 * breached.
 */
import { costOf } from '../../../protocol/cost.ts'
import { isObject, type JsonObject, pointerSteps, resolveRef, valueAtPath } from '../../../protocol/json.ts'
import type { Tool } from '../../../tool/tool.ts'
import type { Call } from '../../call.ts'
import type { ArticleSource } from '../constitution-schema.ts'
import { periodAt } from './period.ts'

export interface Quota {
  readonly amount: number
  readonly per: 'call' | 'day' | 'month' | 'ever'
  /** what is counted, in words */
  readonly what: string
  /** what the call would pass; null where nobody can say */
  amountOf(call: Call): number | null
  /** where it is counted at this time */
  budgetAt(time: number): string
  /** That this call has been counted. It has no day: whoever takes the call over may do so after midnight. */
  markOf(call: string): string
}

/** Undefined where the article limits nothing, or nothing that this tool has. */
export function quotaOf(
  { name, tools, at_most: written }: ArticleSource,
  tool: Tool,
  timeZone: string,
): Quota | undefined {
  if (written === undefined) return undefined
  const { argument, amount, per, in_all } = written
  const path = argument === undefined ? undefined : pointerSteps(argument)
  // One that was named must have it: else a slip of the pen would be a door left open.
  if (path !== undefined && !tools.includes(tool.name) && !hasPlace(tool.input.json, path)) return undefined
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

/** By what was sent and by what the schema made of it, whichever is more. */
const bothWays = ({ args, input }: Call): unknown[] => (args === input ? [input] : [args ?? {}, input])

function valueIn(call: Call, path: readonly string[]): number | null {
  const values = bothWays(call).map((args) => valueAtPath(args, path))
  const numbers = values.filter((value) => typeof value === 'number').filter((value) => !Number.isNaN(value))
  // What is less than nothing gives nothing back.
  return numbers.length === 0 ? null : Math.max(0, ...numbers)
}

function costIn(call: Call): number | null {
  const costs = bothWays(call).map((args) => costOf(call.tool.input.json, args))
  const known = costs.filter(Number.isFinite)
  return known.length === 0 ? null : Math.max(...known)
}

/** Whether a schema knows of such an argument. */
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
