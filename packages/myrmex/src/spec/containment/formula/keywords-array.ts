/** What a schema says about lists. */
import { canonical } from '../../../protocol/canonical.ts'
import { isObject } from '../../../protocol/json.ts'
import { all, atom, either, type Formula, type ItemRules } from './formula.ts'
import type { InternedSchema } from './interned-schema.ts'
import { type RuleContext, sizeRules } from './keywords.ts'

export function arrayRules(reading: RuleContext): Formula[] {
  const { schema, holds } = reading
  return [
    ...sizeRules(schema.minItems, schema.maxItems, holds),
    ...itemRules(reading),
    ...uniqueRules(reading),
    ...containsRules(reading),
  ]
}

function itemRules({ node, schema, sub, holds, nodes }: RuleContext): Formula[] {
  const { draft07 } = node.document
  const tuple = draft07 ? (Array.isArray(schema.items) ? schema.items : undefined) : schema.prefixItems
  const rest = draft07 ? (tuple === undefined ? schema.items : schema.additionalItems) : schema.items
  const prefix = Array.isArray(tuple) ? tuple.map(sub) : []
  const { unevaluatedItems } = schema
  if (draft07 || unevaluatedItems === undefined || rest !== undefined) {
    return everyItem(prefix, rest === undefined ? undefined : sub(rest), holds, nodes.anything)
  }
  if (IN_PLACE.every((keyword) => schema[keyword] === undefined)) {
    return everyItem(prefix, sub(unevaluatedItems), holds, nodes.anything)
  }
  // The validator takes all items as evaluated where there is `contains`; elsewhere it depends on what held.
  const why = 'unevaluatedItems beside other schemas is not understood'
  const opaque = atom({ is: 'opaque', id: `unevaluatedItems ${node.id}`, why, holds })
  return [...everyItem(prefix, undefined, holds, nodes.anything), opaque]
}

const IN_PLACE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'contains', '$dynamicRef', '$recursiveRef']

function everyItem(
  prefix: readonly InternedSchema[],
  rest: InternedSchema | undefined,
  holds: boolean,
  anything: InternedSchema,
): Formula[] {
  const idle = (node: InternedSchema | undefined): boolean => node === undefined || node === anything
  if (prefix.every(idle) && idle(rest)) return []
  const items: ItemRules = { is: 'items', prefix, rest }
  if (holds) return [atom(items)]
  const failing = prefix.flatMap((node, index) =>
    idle(node) ? [] : [atom({ is: 'item', index, item: { node, holds: false } })],
  )
  if (rest === undefined || idle(rest)) return failing
  return [...failing, atom({ is: 'some item', from: prefix.length, item: { node: rest, holds: false } })]
}

function uniqueRules({ node, schema, holds }: RuleContext): Formula[] {
  if (schema.uniqueItems !== true) return []
  if (!node.document.draft07 && schema.prefixItems !== undefined && hasPlainTypes(schema.items)) {
    const id = canonical(['uniqueItems', schema.items, schema.prefixItems])
    return [atom({ is: 'opaque', id, why: 'uniqueItems beside prefixItems is not understood', holds })]
  }
  return [atom({ is: 'unique', holds })]
}

/** Where `items` has plain types, the validator does not compare items of other types, such as the prefix may have. */
function hasPlainTypes(items: unknown): boolean {
  if (!isObject(items) || items.type === undefined) return false
  return ![items.type].flat().some((type) => type === 'object' || type === 'array')
}

function containsRules({ node, schema, sub, holds }: RuleContext): Formula[] {
  if (schema.contains === undefined) return []
  const { draft07 } = node.document
  const least = draft07 ? 1 : ((schema.minContains as number | undefined) ?? 1)
  const most = draft07
    ? Number.POSITIVE_INFINITY
    : ((schema.maxContains as number | undefined) ?? Number.POSITIVE_INFINITY)
  const wanted = sub(schema.contains)
  const count = (from: number, to: number): Formula => atom({ is: 'count', node: wanted, least: from, most: to })
  const tooFew = least > 0 ? [count(0, least - 1)] : []
  const tooMany = most < Number.POSITIVE_INFINITY ? [count(most + 1, Number.POSITIVE_INFINITY)] : []
  if (!holds) return least > most ? [all([])] : [...tooFew, ...tooMany]
  return least > most ? [either([])] : least === 0 && tooMany.length === 0 ? [] : [count(least, most)]
}
