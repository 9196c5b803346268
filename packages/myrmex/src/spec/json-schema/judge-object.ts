/** What the keywords about objects say: required and allowed properties, their values and names, and dependencies. */

import { isObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/text.ts'
import { evaluatedProperties, isOtherKey } from './evaluated-properties.ts'
import type { Judging, SchemaObject } from './judge.ts'
import { type Judgement, newFault } from './judgement.ts'
import { matchesPattern } from './pattern.ts'

export function* objectJudgements(
  schema: SchemaObject,
  value: SchemaObject,
  path: readonly string[],
  judging: Judging,
): Generator<Judgement> {
  const { required, minProperties, maxProperties } = schema
  if (hasPassedOver(schema)) yield 'unknown'
  if (Array.isArray(required)) yield* requiredFaults(required, value, path)
  const names = Object.keys(value)
  for (const name of names) yield* memberJudgements(schema, name, value[name], [...path, name], judging)
  if (typeof minProperties === 'number' && names.length < minProperties)
    yield newFault(path, `must have at least ${counted(minProperties)}`, value)
  if (typeof maxProperties === 'number' && names.length > maxProperties)
    yield newFault(path, `must have at most ${counted(maxProperties)}`, value)
  yield* dependencyJudgements(schema, value, path, judging)
  if (schema.unevaluatedProperties !== undefined && !judging.scope.draft07)
    yield* unevaluatedJudgements(schema, value, path, judging)
}

const counted = (count: number): string => plural(count, 'property', 'properties')

/** The validator ignores what a schema says of a property called `__proto__`. */
export const hasPassedOver = ({ properties, dependentSchemas, dependencies }: SchemaObject): boolean =>
  [properties, dependentSchemas, dependencies].some((map) => isObject(map) && Object.hasOwn(map, '__proto__'))

function* requiredFaults(
  names: readonly unknown[],
  value: SchemaObject,
  path: readonly string[],
): Generator<Judgement> {
  for (const name of names) {
    if (typeof name === 'string' && !Object.hasOwn(value, name))
      yield newFault([...path, name], 'is required and missing', undefined, 'missing')
  }
}

function* memberJudgements(
  { properties, patternProperties, additionalProperties, propertyNames }: SchemaObject,
  name: string,
  value: unknown,
  path: readonly string[],
  judging: Judging,
): Generator<Judgement> {
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
  if (!isNamed && additionalProperties !== undefined)
    yield otherJudgement(additionalProperties, value, path, isSure, judging)
}

/** A property that no other keyword names. `isSure` is false if one of them may name it. */
function otherJudgement(
  schema: unknown,
  value: unknown,
  path: readonly string[],
  isSure: boolean,
  judging: Judging,
): Judgement {
  const judged =
    schema === false ? newFault(path, 'is not allowed', undefined, 'unexpected') : judging.judge(schema, value, path)
  return isSure || judged === 'fits' ? judged : 'unknown'
}

function* dependencyJudgements(
  schema: SchemaObject,
  value: SchemaObject,
  path: readonly string[],
  judging: Judging,
): Generator<Judgement> {
  const { dependencies, dependentRequired, dependentSchemas } = schema
  for (const rules of judging.scope.draft07 ? [dependencies] : [dependencies, dependentRequired, dependentSchemas]) {
    for (const [name, rule] of Object.entries(isObject(rules) ? rules : {})) {
      if (!Object.hasOwn(value, name)) continue
      if (Array.isArray(rule)) yield* requiredFaults(rule, value, path)
      else yield judging.judge(rule, value, path)
    }
  }
}

function* unevaluatedJudgements(
  schema: SchemaObject,
  value: SchemaObject,
  path: readonly string[],
  judging: Judging,
): Generator<Judgement> {
  const evaluated = evaluatedProperties(schema, judging.scope)
  if (evaluated === 'all') return
  if (evaluated === undefined) {
    yield 'unknown'
    return
  }
  for (const [name, part] of Object.entries(value)) {
    const isOther = isOtherKey(evaluated, name)
    if (isOther !== false)
      yield otherJudgement(schema.unevaluatedProperties, part, [...path, name], isOther === true, judging)
  }
}
