/** What a schema says of a list: how many items, which, and whether one may stand in it twice. */
import { findReferences } from '../reference.ts'
import type { SchemaObject } from './alternatives.ts'
import { itemSchema } from './follow-path.ts'
import { both, type Judgement, type JudgePart, newFault } from './judged.ts'
import { sameJson } from './kinds.ts'

export function judgeItems(
  schema: SchemaObject,
  list: readonly unknown[],
  path: readonly string[],
  ask: JudgePart,
): Judgement {
  const { minItems, maxItems } = schema
  let judged: Judgement = 'fits'
  const also = (more: Judgement): void => {
    judged = both(judged, more)
  }
  if (typeof minItems === 'number' && list.length < minItems)
    also(newFault(path, `must have at least ${minItems} items`, list))
  if (typeof maxItems === 'number' && list.length > maxItems)
    also(newFault(path, `must have at most ${maxItems} items`, list))
  for (const [index, item] of list.entries()) {
    const asked = itemSchema(schema, index)
    if (asked !== undefined) also(ask(asked, item, [...path, String(index)]))
  }
  if (schema.contains !== undefined) also(judgeContained(schema, list, path, ask))
  if (schema.uniqueItems === true) also(judgeUnique(list, path))
  return judged
}

function judgeContained(
  schema: SchemaObject,
  list: readonly unknown[],
  path: readonly string[],
  ask: JudgePart,
): Judgement {
  const found = list.map((item, index) => ask(schema.contains, item, [...path, String(index)]))
  const sure = found.filter((one) => one === 'fits').length
  const doubtful = found.filter((one) => one === 'doubtful').length
  const least = typeof schema.minContains === 'number' ? schema.minContains : 1
  const most = typeof schema.maxContains === 'number' ? schema.maxContains : Number.POSITIVE_INFINITY
  if (sure + doubtful < least)
    return newFault(path, `must have at least ${least} items of a kind that it has not`, list)
  if (sure > most) return newFault(path, `must have at most ${most} items of a kind that it has ${sure} of`, list)
  return sure >= least && sure + doubtful <= most ? 'fits' : 'doubtful'
}

/** Comparing each with each takes long for many. */
const MOST_COMPARED = 200

function judgeUnique(list: readonly unknown[], path: readonly string[]): Judgement {
  if (list.length > MOST_COMPARED || !findReferences(list).next().done) return 'doubtful'
  const twice = list.findIndex((item, index) => list.slice(0, index).some((other) => sameJson(item, other)))
  return twice === -1 ? 'fits' : newFault([...path, String(twice)], 'stands in the list twice', list[twice])
}
