/** Keywords for arrays. Duplicates are found by canonical text, so that it takes linear time. */
import { canonical } from '../canonical.ts'
import type { Check, Evaluation } from './evaluation.ts'
import { asCount, asFlag, asList, type KeywordContext, type KeywordTable } from './keyword.ts'

const list = (value: unknown): readonly unknown[] => value as readonly unknown[]

/** The first items by place, the others by one schema. */
function itemsCheck(first: readonly Check[], rest: Check | undefined): Check {
  return (value, run) => {
    const items = list(value)
    const end = rest === undefined ? Math.min(first.length, items.length) : items.length
    let fits = true
    for (let index = 0; index < end; index++) {
      const check = index < first.length ? (first[index] as Check) : (rest as Check)
      if (run.member(check, items[index], index)) continue
      fits = false
      if (run.stopsAtFailure) break
    }
    if (run.evaluated !== undefined) {
      run.evaluated.items = Math.max(run.evaluated.items, end)
      if (rest !== undefined) run.evaluated.hasAllItems = true
    }
    return fits
  }
}

const membersOf = (value: unknown, keyword: string, context: KeywordContext): Check[] =>
  asList(value, keyword).map((schema) => context.member(schema, keyword))

function restCheck(from: number, schema: unknown, keyword: string, context: KeywordContext): Check {
  const check = context.member(schema, keyword)
  const limit = (value: unknown, run: Evaluation): boolean => {
    const items = list(value)
    let fits = true
    if (schema === false && items.length > from) return run.fail(keyword, { limit: from })
    for (let index = from; index < items.length; index++) {
      if (run.member(check, items[index], index)) continue
      fits = false
      if (run.stopsAtFailure) break
    }
    if (run.evaluated !== undefined) run.evaluated.hasAllItems = true
    return fits
  }
  return limit
}

function containsCheck(schema: unknown, context: KeywordContext): Check {
  const check = context.member(schema, 'contains')
  const { minContains, maxContains } = context.draft07 ? {} : context.schema
  const least = minContains === undefined ? 1 : asCount(minContains, 'minContains')
  const most = maxContains === undefined ? Number.POSITIVE_INFINITY : asCount(maxContains, 'maxContains')
  return (value, run) => {
    const { evaluated } = run
    let count = 0
    for (const [index, item] of list(value).entries()) {
      if (!run.memberQuietly(check, item, index)) continue
      count++
      evaluated?.indexes.add(index)
    }
    if (count >= least && count <= most) return true
    const params = { minContains: least, ...(most !== Number.POSITIVE_INFINITY && { maxContains: most }) }
    return run.fail('contains', params)
  }
}

const uniqueCheck: Check = (value, run) => {
  const seen = new Map<string, number>()
  const items = list(value)
  for (let i = 0; i < items.length; i++) {
    const text = canonical(items[i])
    run.spend(1 + (text.length >> 3))
    const j = seen.get(text)
    if (j !== undefined) return run.fail('uniqueItems', { i, j })
    seen.set(text, i)
  }
  return true
}

export const ARRAY_KEYWORDS: KeywordTable = {
  minItems: (given) => {
    const limit = asCount(given, 'minItems')
    return (value, run) => list(value).length >= limit || run.fail('minItems', { limit })
  },
  maxItems: (given) => {
    const limit = asCount(given, 'maxItems')
    return (value, run) => list(value).length <= limit || run.fail('maxItems', { limit })
  },
  uniqueItems: (given) => (asFlag(given, 'uniqueItems') ? uniqueCheck : undefined),
  contains: containsCheck,
  prefixItems: (given, context) =>
    context.draft07 ? undefined : itemsCheck(membersOf(given, 'prefixItems', context), undefined),
  items: (given, context) => {
    if (Array.isArray(given)) {
      if (!context.draft07) asFlag(given, 'items')
      return itemsCheck(membersOf(given, 'items', context), undefined)
    }
    const { prefixItems } = context.schema
    const from = !context.draft07 && Array.isArray(prefixItems) ? prefixItems.length : 0
    return from === 0 && given !== false
      ? itemsCheck([], context.member(given, 'items'))
      : restCheck(from, given, 'items', context)
  },
  additionalItems: (given, context) => {
    const { items } = context.schema
    return context.draft07 && Array.isArray(items)
      ? restCheck(items.length, given, 'additionalItems', context)
      : undefined
  },
}

/** `unevaluatedItems` comes after everything else about the same array. */
export function unevaluatedItems(schema: unknown, context: KeywordContext): Check {
  const check = context.member(schema, 'unevaluatedItems')
  return (value, run) => {
    const { evaluated } = run
    if (evaluated === undefined || evaluated.hasAllItems) return true
    let fits = true
    for (let index = evaluated.items; index < list(value).length; index++) {
      run.spend(1)
      if (evaluated.indexes.has(index)) continue
      if (schema === false) return run.fail('unevaluatedItems', { limit: evaluated.items })
      fits = run.member(check, list(value)[index], index) && fits
      if (!fits && run.stopsAtFailure) break
    }
    evaluated.hasAllItems = true
    return fits
  }
}
