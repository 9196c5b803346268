/** The rules of a schema for objects. */
import { isObject } from '../../../protocol/json.ts'
import { evaluatedProperties } from '../../json-schema/evaluated-properties.ts'
import { hasPassedOver } from '../../json-schema/judge-object.ts'
import { all, atom, either, type Formula, literalFormula, type MemberRules, TRUE } from './formula.ts'
import { type InternedSchema, literal } from './interned-schema.ts'
import { type RuleContext, sizeRules } from './keywords.ts'

export function objectRules(reading: RuleContext): Formula[] {
  const { schema, holds, sub } = reading
  const rules = [...sizeRules(schema.minProperties, schema.maxProperties, holds), ...requiredRules(reading)]
  rules.push(...everyMember(membersOf(reading), reading))
  if (schema.propertyNames !== undefined) rules.push(keyRule(sub(schema.propertyNames), reading))
  rules.push(...dependencyRules(reading), ...unevaluatedRules(reading))
  return hasPassedOver(schema)
    ? [atom({ is: 'opaque', id: `__proto__ ${reading.node.id}`, why: PASSED_OVER, holds })]
    : rules
}

const PASSED_OVER = 'a property is called __proto__, which the validator ignores'

const present = (key: string, holds: boolean, anything: InternedSchema): Formula =>
  atom(holds ? { is: 'member', key, value: literal(anything) } : { is: 'absent', key })

const requiredRules = ({ schema, holds, nodes }: RuleContext): Formula[] =>
  [...new Set((schema.required as string[] | undefined) ?? [])].map((key) => present(key, holds, nodes.anything))

function membersOf({ schema, sub }: RuleContext): MemberRules {
  const { properties, patternProperties, additionalProperties } = schema
  const entries = (map: unknown): [string, InternedSchema][] =>
    isObject(map) ? Object.entries(map).map(([key, value]) => [key, sub(value)]) : []
  return {
    is: 'members',
    names: new Map(entries(properties)),
    patterns: entries(patternProperties),
    rest: additionalProperties === undefined ? undefined : sub(additionalProperties),
  }
}

function everyMember(members: MemberRules, { holds, nodes }: RuleContext): Formula[] {
  const idle = (node: InternedSchema | undefined): boolean => node === undefined || node === nodes.anything
  const { names, patterns, rest } = members
  const nodesOf = [...names.values(), ...patterns.map(([, node]) => node), rest]
  if (nodesOf.every(idle)) return []
  if (holds) return [atom(members)]
  const fails = (node: InternedSchema) => literal(node, false)
  const rules: Formula[] = []
  for (const [key, node] of names) if (!idle(node)) rules.push(atom({ is: 'member', key, value: fails(node) }))
  for (const [matching, node] of patterns) {
    if (!idle(node)) rules.push(atom({ is: 'some member', matching, value: fails(node) }))
  }
  if (rest !== undefined && !idle(rest)) {
    const outside = { names: [...names.keys()], patterns: patterns.map(([pattern]) => pattern) }
    rules.push(atom({ is: 'some member', outside, value: fails(rest) }))
  }
  return rules
}

function keyRule(node: InternedSchema, { holds, nodes }: RuleContext): Formula {
  if (holds) return atom({ is: 'keys', node })
  return atom({ is: 'some member', key: literal(node, false), value: literal(nodes.anything) })
}

function dependencyRules({ node, schema, holds, sub, nodes }: RuleContext): Formula[] {
  const { draft07 } = node.document
  const maps = [schema.dependencies, ...(draft07 ? [] : [schema.dependentRequired, schema.dependentSchemas])]
  return maps.flatMap((map) =>
    Object.entries((map as object | undefined) ?? {}).map(([key, needs]) => {
      const needed = Array.isArray(needs)
        ? needs.map((other: string) => present(other, holds, nodes.anything))
        : [literalFormula(sub(needs), holds)]
      if (needed.length === 0) return holds ? TRUE : either([])
      if (holds) return either([present(key, false, nodes.anything), all(needed)], true)
      return all([present(key, true, nodes.anything), either(needed)])
    }),
  )
}

function unevaluatedRules(reading: RuleContext): Formula[] {
  const { node, schema, holds, sub, nodes } = reading
  if (schema.unevaluatedProperties === undefined || node.document.draft07) return []
  const evaluated = evaluatedProperties(schema, node.document)
  if (evaluated === 'all') return []
  if (evaluated === undefined) {
    const why = 'unevaluatedProperties beside a choice of schemas is not understood'
    return [atom({ is: 'opaque', id: `unevaluatedProperties ${node.id}`, why, holds })]
  }
  const members: MemberRules = {
    is: 'members',
    names: new Map(evaluated.names.map((name) => [name, nodes.anything])),
    patterns: evaluated.patterns.map((pattern) => [pattern, nodes.anything]),
    rest: sub(schema.unevaluatedProperties),
  }
  return everyMember(members, reading)
}
