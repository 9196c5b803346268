/**
 * Keywords of Ajv (8.20) that are replaced, because hostile values defeat its own:
 *
 * - `contains` keeps its verdict on one array for the next one: with `{"items": {"contains": …}}` it accepts an empty array after one that
 *   fits. Ours counts the fitting items of each array.
 * - `const`, `enum` and `uniqueItems` compare objects by calling their `toString`, which a value may have as a member that is no function.
 *   Ours compares own members only.
 */
import type { Ajv, CodeKeywordDefinition, KeywordCxt, KeywordErrorDefinition, _ as Template } from 'ajv'
import { isObject } from './json.ts'

export function replaceKeywords(ajv: Ajv, _: typeof Template): void {
  replaceContains(ajv, _)
  compareOwnMembers(ajv, _, 'const', ({ schema }) => {
    if (!isComposite(schema)) return undefined
    return (value) => isSameJson(schema, value)
  })
  compareOwnMembers(ajv, _, 'enum', ({ schema }) => {
    if (!Array.isArray(schema) || !schema.some(isComposite)) return undefined
    return (value) => schema.some((one) => isSameJson(one, value))
  })
  compareOwnMembers(
    ajv,
    _,
    'uniqueItems',
    ({ schema, parentSchema }) => {
      if (schema !== true || hasScalarItems(parentSchema)) return undefined
      return (list) => areUnique(list as readonly unknown[])
    },
    'must NOT have duplicate items',
  )
}

type Comparison = (value: unknown) => boolean

/** Ajv's own code stays where it compares scalars only, because it is faster. */
function compareOwnMembers(
  ajv: Ajv,
  _: typeof Template,
  keyword: string,
  comparisonOf: (cxt: KeywordCxt) => Comparison | undefined,
  error?: string,
): void {
  const own = ajv.getKeyword(keyword) as CodeKeywordDefinition
  ajv.removeKeyword(keyword)
  ajv.addKeyword({
    ...own,
    ...(error !== undefined && { error: errorOf(own.error, error, _) }),
    code(cxt: KeywordCxt, ruleType) {
      const comparison = comparisonOf(cxt)
      if (comparison === undefined) return own.code(cxt, ruleType)
      const isRight = cxt.gen.scopeValue('func', { ref: comparison })
      cxt.pass(_`${isRight}(${cxt.data})`)
    },
  })
}

/** Ajv's own error names two items by their index, which ours does not look for. */
function errorOf(own: KeywordErrorDefinition | undefined, message: string, _: typeof Template): KeywordErrorDefinition {
  const ownParams = typeof own?.params === 'function' ? own.params : () => _`{}`
  const ownMessage = typeof own?.message === 'function' ? own.message : () => message
  return {
    message: (cxt) => (cxt.params.i === undefined ? message : ownMessage(cxt)),
    params: (cxt) => (cxt.params.i === undefined ? _`{}` : ownParams(cxt)),
  }
}

const isComposite = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Ajv compares such items with `===`. */
function hasScalarItems({ items }: Readonly<Record<string, unknown>>): boolean {
  const types = isObject(items) ? [items.type].flat() : []
  return types.length > 0 && types.every((type) => typeof type === 'string' && type !== 'object' && type !== 'array')
}

function areUnique(list: readonly unknown[]): boolean {
  const scalars = new Set<unknown>()
  const composites: unknown[] = []
  for (const item of list) {
    if (isComposite(item)) {
      if (composites.some((other) => isSameJson(other, item))) return false
      composites.push(item)
    } else if (scalars.has(item)) return false
    else scalars.add(item)
  }
  return true
}

/** Whether two values are the same JSON value. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameJson(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
}

/** `dataPropType` of an index, not of a name. */
const INDEX = 0

function replaceContains(ajv: Ajv, _: typeof Template): void {
  ajv.removeKeyword('contains')
  ajv.addKeyword({
    keyword: 'contains',
    type: 'array',
    schemaType: ['object', 'boolean'],
    before: 'uniqueItems',
    trackErrors: true,
    error: {
      message: ({ params: { min, max } }) =>
        `must contain at least ${min}${max === undefined ? '' : ` and no more than ${max}`} valid item(s)`,
      params: ({ params: { min, max } }) =>
        max === undefined ? _`{minContains: ${min}}` : _`{minContains: ${min}, maxContains: ${max}}`,
    },
    code(cxt: KeywordCxt) {
      const { gen, data, parentSchema, it } = cxt
      // Draft-07 has neither.
      const { minContains: min = 1, maxContains: max } = it.opts.next ? parentSchema : {}
      cxt.setParams({ min, max })
      // As in Ajv, all items count as evaluated, and not only those that fit.
      it.items = true
      const count = gen.let('count', 0)
      const fits = gen.name('fits')
      gen.forRange('i', 0, _`${data}.length`, (i) => {
        cxt.subschema({ keyword: 'contains', dataProp: i, dataPropType: INDEX, compositeRule: true }, fits)
        gen.if(fits, () => gen.code(_`${count}++`))
      })
      const isWell = max === undefined ? _`${count} >= ${min}` : _`${count} >= ${min} && ${count} <= ${max}`
      cxt.result(isWell, () => cxt.reset())
    },
  })
}
