/** What the keywords about objects say: required and allowed properties, their values and names, and dependencies. */

import { isObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { evaluatedProperties, isOtherKey } from './evaluated-properties.ts'
import type { JudgedPart, SchemaObject } from './judge.ts'
import { type Judgement, newFault } from './judgement.ts'
import { matchesPattern } from './pattern.ts'

type JudgedObject = JudgedPart<SchemaObject>

export function* objectJudgements(object: JudgedObject): Generator<Judgement> {
  const { schema, value, path, judging } = object
  const { required, minProperties, maxProperties } = schema
  if (hasPassedOver(schema)) yield 'unknown'
  if (Array.isArray(required)) yield* requiredFaults(required, object)
  const names = Object.keys(value)
  for (const name of names) yield* memberJudgements(name, object)
  if (typeof minProperties === 'number' && names.length < minProperties)
    yield newFault(path, `must have at least ${counted(minProperties)}`, value)
  if (typeof maxProperties === 'number' && names.length > maxProperties)
    yield newFault(path, `must have at most ${counted(maxProperties)}`, value)
  yield* dependencyJudgements(object)
  if (schema.unevaluatedProperties !== undefined && !judging.scope.draft07) yield* unevaluatedJudgements(object)
}

const counted = (count: number): string => plural(count, 'property', 'properties')

/** The validator ignores what a schema says of a property called `__proto__`. */
export const hasPassedOver = ({ properties, dependentSchemas, dependencies }: SchemaObject): boolean =>
  [properties, dependentSchemas, dependencies].some((map) => isObject(map) && Object.hasOwn(map, '__proto__'))

function* requiredFaults(names: readonly unknown[], { value, path }: JudgedObject): Generator<Judgement> {
  for (const name of names) {
    if (typeof name === 'string' && !Object.hasOwn(value, name))
      yield newFault([...path, name], 'is required and missing', undefined, 'missing')
  }
}

function* memberJudgements(name: string, object: JudgedObject): Generator<Judgement> {
  const { properties, patternProperties, additionalProperties, propertyNames } = object.schema
  const [value, path, judging] = [object.value[name], [...object.path, name], object.judging]
  let isNamed = isObject(properties) && Object.hasOwn(properties, name)
  let isSure = true
  if (isNamed) yield judging.judge((properties as SchemaObject)[name], value, path)
  for (const [pattern, asked] of Object.entries(isObject(patternProperties) ? patternProperties : {})) {
    const matches = matchesPattern(pattern, name)
    if (matches === false) continue
    const judged = judging.judge(asked, value, path)
    yield matches === true || judged === 'fits' ? judged : 'unknown'
    if (matches === true) isNamed = true
    else isSure = false
  }
  if (propertyNames !== undefined) {
    const judged = judging.judge(propertyNames, name, path)
    const why = 'is a name that "propertyNames" does not allow'
    yield typeof judged === 'object' ? newFault(path, why, undefined, 'unexpected') : judged
  }
  if (!isNamed && additionalProperties !== undefined) yield otherJudgement(additionalProperties, name, isSure, object)
}

/** A property that no other keyword names. `isSure` is false if one of them may name it. */
function otherJudgement(schema: unknown, name: string, isSure: boolean, object: JudgedObject): Judgement {
  const [value, path] = [object.value[name], [...object.path, name]]
  const judged =
    schema === false
      ? newFault(path, 'is not allowed', undefined, 'unexpected')
      : object.judging.judge(schema, value, path)
  return isSure || judged === 'fits' ? judged : 'unknown'
}

function* dependencyJudgements(object: JudgedObject): Generator<Judgement> {
  const { schema, value, path, judging } = object
  const { dependencies, dependentRequired, dependentSchemas } = schema
  for (const rules of judging.scope.draft07 ? [dependencies] : [dependencies, dependentRequired, dependentSchemas]) {
    for (const [name, rule] of Object.entries(isObject(rules) ? rules : {})) {
      if (!Object.hasOwn(value, name)) continue
      if (Array.isArray(rule)) yield* requiredFaults(rule, object)
      else yield judging.judge(rule, value, path)
    }
  }
}

function* unevaluatedJudgements(object: JudgedObject): Generator<Judgement> {
  const { unevaluatedProperties } = object.schema
  const evaluated = evaluatedProperties(object.schema, object.judging.scope)
  if (evaluated === 'all') return
  if (evaluated === undefined) {
    yield 'unknown'
    return
  }
  for (const name of Object.keys(object.value)) {
    const isOther = isOtherKey(evaluated, name)
    if (isOther !== false) yield otherJudgement(unevaluatedProperties, name, isOther === true, object)
  }
}
