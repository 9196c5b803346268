/**
 * How many values the arguments of a call may have if their validator collects every issue and cannot be stopped. Plain JSON Schemas
 * and plain Zod schemas are checked by a validator that stops, and have no such limit.
 */
import { hasMoreValuesThan, type Issue } from './issue.ts'
import { isObject, type JsonObject } from './json.ts'

/** Each issue takes some hundred bytes. */
const MAX_ISSUES_COLLECTED = 1_000_000
const MIN_VALUES = 20_000
const MAX_VALUES = 500_000

/** Returns a function that returns the issue of a value with too many values in it. Results of own tools are not limited. */
export function valueLimit(json: JsonObject, side: 'input' | 'output'): (value: unknown) => Issue | undefined {
  if (side === 'output') return () => undefined
  const most = Math.min(MAX_VALUES, Math.max(MIN_VALUES, Math.floor(MAX_ISSUES_COLLECTED / mostRequired(json))))
  return (value) => (hasMoreValuesThan(value, most) ? tooMany(most) : undefined)
}

const tooMany = (most: number): Issue => ({
  path: '',
  constraint: `must have at most ${most} values in it`,
  message: `has more than ${most} values, which is the limit. Send less, or send it in several calls`,
  value: null,
})

/** How many issues one value can have: an empty object misses every required member. */
function mostRequired(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 1
  let most = isObject(node) && Array.isArray(node.required) ? node.required.length : 1
  for (const child of Object.values(node)) most = Math.max(most, mostRequired(child))
  return Math.max(1, most)
}
