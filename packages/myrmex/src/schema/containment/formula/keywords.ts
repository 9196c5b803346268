/** The formula of a schema for values of one type: what it means that the schema accepts or rejects such a value. */
import { canonical } from '../../../protocol/canonical.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import { formatType } from '../../json-schema/formats.ts'
import type { SchemaValue } from '../schema-document.ts'
import { all, atom, either, FALSE, type Formula, literalFormula, TRUE, type Type, typeOf } from './formula.ts'
import type { InternedSchema, SchemaInterner } from './interned-schema.ts'
import { arrayRules } from './keywords-array.ts'
import { objectRules } from './keywords-object.ts'

/** One schema, read for one type. */
export interface RuleContext {
  readonly node: InternedSchema
  readonly schema: JsonObject
  readonly nodes: SchemaInterner
  /** whether the schema must accept or reject */
  readonly holds: boolean
  readonly sub: (schema: unknown) => InternedSchema
}

const known = new WeakMap<InternedSchema, Map<string, Formula>>()

/** Cached: the same formula is needed many times. */
export function formulaOf(nodes: SchemaInterner, node: InternedSchema, type: Type, holds: boolean): Formula {
  const own = getOrMake(known, node, () => new Map<string, Formula>())
  return getOrMake(own, holds ? type : `not ${type}`, () => made(nodes, node, type, holds))
}

function made(nodes: SchemaInterner, node: InternedSchema, type: Type, holds: boolean): Formula {
  const { schema } = node
  if (typeof schema === 'boolean') return schema === holds ? TRUE : FALSE
  const sub = (inner: unknown): InternedSchema => nodes.intern(inner as SchemaValue, node.document)
  const reading: RuleContext = { node, schema, nodes, holds, sub }
  const typed = typeRule(reading, type)
  if (typed === undefined) return holds ? FALSE : TRUE
  const rules = [...typed, ...valueRules(reading, type), ...RULES[type](reading), ...choices(reading)]
  return holds ? all(rules) : either(rules)
}

/** Undefined if all values of the type are rejected. */
function typeRule({ schema, holds }: RuleContext, type: Type): Formula[] | undefined {
  if (schema.type === undefined) return []
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.includes(type) || (type === 'null' && schema.nullable === true)) return []
  return type === 'number' && types.includes('integer') ? [atom({ is: 'whole', holds })] : undefined
}

function valueRules({ schema, holds }: RuleContext, type: Type): Formula[] {
  const rule = (values: readonly Json[]): Formula => {
    const own = values.filter((value) => typeOf(value) === type)
    if (own.length === 0) return holds ? FALSE : TRUE
    return atom({ is: 'values', values: own, holds })
  }
  const rules: Formula[] = []
  if (schema.enum !== undefined) rules.push(rule(schema.enum as Json[]))
  if (schema.const !== undefined) rules.push(rule([schema.const]))
  return rules
}

const RULES: Record<Type, (reading: RuleContext) => Formula[]> = {
  null: () => [],
  boolean: () => [],
  number: numberRules,
  string: stringRules,
  array: arrayRules,
  object: objectRules,
}

function numberRules({ schema, holds }: RuleContext): Formula[] {
  const rules: Formula[] = []
  const add = (is: 'low' | 'high', bound: unknown, open = false): void => {
    if (typeof bound !== 'number') return
    rules.push(atom(holds ? { is, bound, open } : { is: is === 'low' ? 'high' : 'low', bound, open: !open }))
  }
  add('low', schema.minimum)
  add('low', schema.exclusiveMinimum, true)
  add('high', schema.maximum)
  add('high', schema.exclusiveMaximum, true)
  if (typeof schema.multipleOf === 'number') rules.push(atom({ is: 'multiple', of: schema.multipleOf, holds }))
  if (schema.format === 'int32' || schema.format === 'int64') rules.push(atom({ is: 'whole', holds }))
  if (schema.format === 'int32') {
    add('low', -(2 ** 31))
    add('high', 2 ** 31 - 1)
  }
  return rules
}

function stringRules({ schema, holds }: RuleContext): Formula[] {
  const rules = sizeRules(schema.minLength, schema.maxLength, holds)
  if (typeof schema.pattern === 'string') rules.push(patternRule(schema.pattern, holds))
  if (typeof schema.format === 'string' && formatType(schema.format) === 'string') {
    rules.push(atom({ is: 'format', format: schema.format, holds }))
    const bounds = Object.keys(schema).filter((keyword) => /^format(Exclusive)?M(in|ax)imum$/.test(keyword))
    for (const keyword of bounds) {
      const id = canonical([schema.format, keyword, schema[keyword]])
      rules.push(atom({ is: 'opaque', id, why: `${keyword} is not understood`, holds }))
    }
  }
  return rules
}

/** Patterns that match every text. */
const IDLE = new Set(['', '^', '$', '.*', '^.*', '.*$', '[\\s\\S]*', '^[\\s\\S]*$'])

const patternRule = (pattern: string, holds: boolean): Formula =>
  IDLE.has(pattern) ? (holds ? TRUE : FALSE) : atom({ is: 'pattern', pattern, holds })

export function sizeRules(least: unknown, most: unknown, holds: boolean): Formula[] {
  const rules: Formula[] = []
  if (typeof least === 'number' && least > 0) {
    rules.push(atom(holds ? { is: 'least', size: least } : { is: 'most', size: least - 1 }))
  }
  if (typeof most === 'number') rules.push(atom(holds ? { is: 'most', size: most } : { is: 'least', size: most + 1 }))
  return rules
}

/** Keywords that apply other schemas to the same value. */
function choices({ node, schema, holds, sub }: RuleContext): Formula[] {
  const rules: Formula[] = []
  const list = (value: unknown): InternedSchema[] => (value as unknown[]).map(sub)
  const each = (value: unknown): Formula[] => list(value).map((part) => literalFormula(part, holds))
  if (typeof schema.$ref === 'string') {
    const target = node.document.resolve(schema.$ref)
    const why = `$ref ${schema.$ref} does not lead to a part of the schema`
    const unknown = atom({ is: 'opaque', id: `$ref ${schema.$ref}`, why, holds })
    rules.push(target === undefined ? unknown : literalFormula(sub(target), holds))
  }
  for (const keyword of ['$dynamicRef', '$recursiveRef']) {
    if (node.document.draft07 || schema[keyword] === undefined) continue
    const id = canonical([keyword, schema[keyword], node.document.root])
    rules.push(atom({ is: 'opaque', id, why: `${keyword} is not understood`, holds }))
  }
  if (schema.allOf !== undefined) rules.push(holds ? all(each(schema.allOf)) : either(each(schema.allOf)))
  if (schema.anyOf !== undefined) rules.push(holds ? either(each(schema.anyOf), true) : all(each(schema.anyOf)))
  if (schema.oneOf !== undefined) rules.push(holds ? exactlyOne(list(schema.oneOf)) : noneOrMore(list(schema.oneOf)))
  if (schema.not !== undefined) rules.push(literalFormula(sub(schema.not), !holds))
  if (schema.if !== undefined) {
    const test = sub(schema.if)
    const { then = true, else: otherwise = true } = schema
    rules.push(
      either(
        [
          all([literalFormula(test, true), literalFormula(sub(then), holds)]),
          all([literalFormula(test, false), literalFormula(sub(otherwise), holds)]),
        ],
        holds,
      ),
    )
  }
  return rules
}

const exactlyOne = (nodes: readonly InternedSchema[]): Formula =>
  either(
    nodes.map((_, chosen) => all(nodes.map((node, index) => literalFormula(node, index === chosen)))),
    true,
  )

function noneOrMore(nodes: readonly InternedSchema[]): Formula {
  const pairs = nodes.flatMap((first, index) =>
    nodes.slice(index + 1).map((second) => all([literalFormula(first, true), literalFormula(second, true)])),
  )
  return either([all(nodes.map((node) => literalFormula(node, false))), ...pairs])
}
