/** The rules of a schema for arrays. */
import { canonical } from '../../../protocol/canonical.ts'
import { comparesUnreliably, containsBounds, itemSchemas } from '../../json-schema/judge-array.ts'
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
  const { prefix, rest, isComplete } = itemSchemas(schema, node.document.draft07)
  const rules = everyItem(prefix.map(sub), rest === undefined ? undefined : sub(rest), holds, nodes.anything)
  if (isComplete) return rules
  // The validator treats all items as evaluated beside `contains`; elsewhere it depends on the schemas that hold.
  const why = 'unevaluatedItems beside other schemas is not understood'
  return [...rules, atom({ is: 'opaque', id: `unevaluatedItems ${node.id}`, why, holds })]
}

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
  if (comparesUnreliably(schema, node.document.draft07)) {
    const id = canonical(['uniqueItems', schema.items, schema.prefixItems])
    return [atom({ is: 'opaque', id, why: 'uniqueItems beside prefixItems is not understood', holds })]
  }
  return [atom({ is: 'unique', holds })]
}

function containsRules({ node, schema, sub, holds }: RuleContext): Formula[] {
  if (schema.contains === undefined) return []
  const [least, most] = containsBounds(schema, node.document.draft07)
  const wanted = sub(schema.contains)
  const count = (from: number, to: number): Formula => atom({ is: 'count', node: wanted, least: from, most: to })
  const tooFew = least > 0 ? [count(0, least - 1)] : []
  const tooMany = most < Number.POSITIVE_INFINITY ? [count(most + 1, Number.POSITIVE_INFINITY)] : []
  if (!holds) return least > most ? [all([])] : [...tooFew, ...tooMany]
  return least > most ? [either([])] : least === 0 && tooMany.length === 0 ? [] : [count(least, most)]
}
