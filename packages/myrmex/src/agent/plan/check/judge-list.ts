/** What a schema says of a list: how many items, which, and whether one may stand in it twice. */
import { referring } from '../reference.ts'
import type { Node } from './alternatives.ts'
import { itemSchema } from './follow.ts'
import { type Ask, all, type Judged, no } from './judged.ts'
import { same } from './kinds.ts'

export function judgeItems(schema: Node, list: readonly unknown[], path: readonly string[], ask: Ask): Judged {
  const { minItems, maxItems } = schema
  let judged: Judged = 'fits'
  const also = (more: Judged): void => {
    judged = all(judged, more)
  }
  if (typeof minItems === 'number' && list.length < minItems)
    also(no(path, `must have at least ${minItems} items`, list))
  if (typeof maxItems === 'number' && list.length > maxItems)
    also(no(path, `must have at most ${maxItems} items`, list))
  for (const [index, item] of list.entries()) {
    const asked = itemSchema(schema, index)
    if (asked !== undefined) also(ask(asked, item, [...path, String(index)]))
  }
  if (schema.contains !== undefined) also(judgeContained(schema, list, path, ask))
  if (schema.uniqueItems === true) also(judgeUnique(list, path))
  return judged
}

function judgeContained(schema: Node, list: readonly unknown[], path: readonly string[], ask: Ask): Judged {
  const found = list.map((item, index) => ask(schema.contains, item, [...path, String(index)]))
  const sure = found.filter((one) => one === 'fits').length
  const doubtful = found.filter((one) => one === 'doubtful').length
  const least = typeof schema.minContains === 'number' ? schema.minContains : 1
  const most = typeof schema.maxContains === 'number' ? schema.maxContains : Number.POSITIVE_INFINITY
  if (sure + doubtful < least) return no(path, `must have at least ${least} items of a kind that it has not`, list)
  if (sure > most) return no(path, `must have at most ${most} items of a kind that it has ${sure} of`, list)
  return sure >= least && sure + doubtful <= most ? 'fits' : 'doubtful'
}

/** Comparing each with each takes long for many. */
const MOST_COMPARED = 200

function judgeUnique(list: readonly unknown[], path: readonly string[]): Judged {
  if (list.length > MOST_COMPARED || !referring(list).next().done) return 'doubtful'
  const twice = list.findIndex((item, index) => list.slice(0, index).some((other) => same(item, other)))
  return twice === -1 ? 'fits' : no([...path, String(twice)], 'stands in the list twice', list[twice])
}
