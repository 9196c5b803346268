/** The first check of a plan: plain data of limited size. All other checks rely on it. */
import { isObject } from '../../../protocol/json.ts'
import { withArticle } from '../../../protocol/text.ts'
import { MAX_DEPTH, type PathNode, pathTo } from '../reference.ts'
import type { Problems } from './problem.ts'

/** More than a run does in a day, and checked in about a second. */
export const MAX_STEPS = 10_000
const MAX_VALUES = 500_000
/** steps, index, arguments */
const ABOVE_ARGUMENTS = 3

export function checkPlanSize(plan: unknown, problems: Problems): void {
  if (isObject(plan) && Array.isArray(plan.steps) && plan.steps.length > MAX_STEPS) {
    const text = `the plan has ${plan.steps.length} steps; at most ${MAX_STEPS} are checked`
    problems.add('too-large', undefined, ['steps'], text)
    return
  }
  const left: PathNode[] = [{ value: plan, key: '', depth: 0, above: undefined }]
  let count = 0
  for (let stop = left.pop(); stop !== undefined; stop = left.pop()) {
    const why = describeNonJson(stop.value)
    if (why !== undefined) {
      problems.add('unreadable', undefined, pathTo(stop), `this is ${why}, and a plan is plain JSON data`)
      continue
    }
    if (stop.depth > MAX_DEPTH + ABOVE_ARGUMENTS) {
      const text = `the plan is nested more than ${MAX_DEPTH} levels deep, or contains itself`
      problems.add('too-large', undefined, pathTo(stop), text)
      return
    }
    count += pushMembers(stop, left, problems)
    if (count > MAX_VALUES) {
      problems.add('too-large', undefined, [], `the plan has more than ${MAX_VALUES} values`)
      return
    }
  }
}

/** Queues the members of a value and returns their number. */
function pushMembers(stop: PathNode, left: PathNode[], problems: Problems): number {
  const { value, depth } = stop
  if (typeof value !== 'object' || value === null) return 1
  const keys = Object.keys(value)
  if (keys.length > MAX_VALUES) return keys.length
  for (const key of keys.reverse()) {
    if (key === '__proto__') {
      problems.add('unsafe-name', undefined, [...pathTo(stop), key], 'no property may be called __proto__')
      continue
    }
    const inner = (value as Record<string, unknown>)[key]
    const harmless = typeof inner === 'string' || typeof inner === 'boolean' || inner === null
    if (!harmless) left.push({ value: inner, key, depth: depth + 1, above: stop })
  }
  return keys.length
}

/** A description of a value that JSON cannot represent. */
function describeNonJson(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
    return withArticle(typeof value)
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that JSON has no word for'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const made = Object.getPrototypeOf(value)
  return made === Object.prototype || made === null ? undefined : 'an object of a class'
}
