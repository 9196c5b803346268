/** What the keywords about arrays say: length, items, `contains` and `uniqueItems`. */

import { isObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import type { JudgedPart, SchemaObject } from './judge.ts'
import { type Judgement, newFault } from './judgement.ts'
import { sameJson } from './kinds.ts'

export function* arrayJudgements(part: JudgedPart<readonly unknown[]>): Generator<Judgement> {
  const { schema, value: list, path, judging } = part
  const { minItems, maxItems } = schema
  if (typeof minItems === 'number' && list.length < minItems)
    yield newFault(path, `must have at least ${counted(minItems)}`, list)
  if (typeof maxItems === 'number' && list.length > maxItems)
    yield newFault(path, `must have at most ${counted(maxItems)}`, list)
  const { prefix, rest, isComplete } = itemSchemas(schema, judging.scope.draft07)
  for (const [index, item] of list.entries()) {
    const asked = index < prefix.length ? prefix[index] : rest
    if (asked !== undefined) yield judging.judge(asked, item, [...path, String(index)])
  }
  if (!isComplete) yield 'unknown'
  // Within `not` and `if` the validator skips these two if the array is shorter than its prefix.
  const isSkipped = judging.stopsAtFirst && list.length < prefix.length
  if (schema.contains !== undefined) yield isSkipped ? 'unknown' : judgeContains(part)
  if (schema.uniqueItems === true) {
    const isUnsure = isSkipped || comparesUnreliably(schema, judging.scope.draft07)
    yield isUnsure ? 'unknown' : judgeUnique(part)
  }
}

const counted = (count: number): string => plural(count, 'item')

/** Keywords that may evaluate items of their own, so that `unevaluatedItems` is not about all of the rest. */
const MAY_EVALUATE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'contains', '$dynamicRef', '$recursiveRef']

/** The schemas of the first items and of all others. `isComplete` is false if `unevaluatedItems` depends on the value. */
export function itemSchemas(
  schema: SchemaObject,
  draft07: boolean,
): { readonly prefix: readonly unknown[]; readonly rest: unknown; readonly isComplete: boolean } {
  const { items, prefixItems, additionalItems, unevaluatedItems } = schema
  if (draft07) {
    return Array.isArray(items)
      ? { prefix: items, rest: additionalItems, isComplete: true }
      : { prefix: [], rest: items, isComplete: true }
  }
  const prefix = Array.isArray(prefixItems) ? prefixItems : []
  if (unevaluatedItems === undefined || items !== undefined) return { prefix, rest: items, isComplete: true }
  const isComplete = MAY_EVALUATE.every((keyword) => schema[keyword] === undefined)
  return { prefix, rest: isComplete ? unevaluatedItems : undefined, isComplete }
}

/** If `items` allows only scalar types, the validator compares only items of these types, and the prefix may have others. */
export function comparesUnreliably({ prefixItems, items }: SchemaObject, draft07: boolean): boolean {
  if (draft07 || prefixItems === undefined || !isObject(items) || items.type === undefined) return false
  return ![items.type].flat().some((type) => type === 'object' || type === 'array')
}

/** How many items `contains` asks for. */
export function containsBounds({ minContains, maxContains }: SchemaObject, draft07: boolean): [number, number] {
  if (draft07) return [1, Number.POSITIVE_INFINITY]
  return [
    typeof minContains === 'number' ? minContains : 1,
    typeof maxContains === 'number' ? maxContains : Number.POSITIVE_INFINITY,
  ]
}

function judgeContains({ schema, value: list, path, judging }: JudgedPart<readonly unknown[]>): Judgement {
  const judged = list.map((item, index) => judging.judge(schema.contains, item, [...path, String(index)]))
  const sure = judged.filter((one) => one === 'fits').length
  const possible = sure + judged.filter((one) => one === 'unknown').length
  const [least, most] = containsBounds(schema, judging.scope.draft07)
  if (possible < least) return newFault(path, `must have at least ${counted(least)} fitting "contains"`, list)
  if (sure > most) return newFault(path, `must have at most ${counted(most)} fitting "contains", and has ${sure}`, list)
  return sure >= least && possible <= most ? 'fits' : 'unknown'
}

/** Comparing each item with each other takes long for many. */
const MAX_COMPARED = 200

function judgeUnique({ value: list, path, judging }: JudgedPart<readonly unknown[]>): Judgement {
  if (list.length > MAX_COMPARED || judging.options.hasUnknown?.(list) === true) return 'unknown'
  const twice = list.findIndex((item, index) => list.slice(0, index).some((other) => sameJson(item, other)))
  return twice === -1 ? 'fits' : newFault([...path, String(twice)], 'repeats an earlier item', list[twice])
}
