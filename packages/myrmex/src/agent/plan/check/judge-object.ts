/** What a schema says of an object: which properties it must have, may have, and what they are. */
import { isObject } from '../../../protocol/json.ts'
import type { SchemaObject } from './alternatives.ts'
import { testPattern } from './follow-path.ts'
import { both, type Judgement, type JudgePart, newFault } from './judged.ts'

type Members = Readonly<Record<string, unknown>>

export function judgeMembers(schema: SchemaObject, value: Members, path: readonly string[], ask: JudgePart): Judgement {
  const { minProperties, maxProperties } = schema
  const names = Object.keys(value)
  let judged: Judgement = judgeRequired(schema, value, path)
  const also = (more: Judgement): void => {
    judged = both(judged, more)
  }
  for (const name of names) also(judgeMember(schema, name, value[name], [...path, name], ask))
  if (typeof minProperties === 'number' && names.length < minProperties) {
    // Defaults may be filled in.
    also(hasDefaults(schema) ? 'doubtful' : newFault(path, `must have at least ${minProperties} properties`, value))
  }
  if (typeof maxProperties === 'number' && names.length > maxProperties) {
    also(newFault(path, `must have at most ${maxProperties} properties`, value))
  }
  also(judgeDependent(schema, value, path, ask))
  return judged
}

const defaultOf = ({ properties }: SchemaObject, name: string): unknown => {
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  return isObject(property) ? property.default : undefined
}

const hasDefaults = (schema: SchemaObject): boolean =>
  isObject(schema.properties) && Object.keys(schema.properties).some((name) => defaultOf(schema, name) !== undefined)

function judgeRequired(schema: SchemaObject, value: Members, path: readonly string[]): Judgement {
  if (!Array.isArray(schema.required)) return 'fits'
  let judged: Judgement = 'fits'
  for (const name of schema.required) {
    if (typeof name !== 'string' || Object.hasOwn(value, name)) continue
    // Before arguments are judged, what is missing and has a default is filled in.
    if (defaultOf(schema, name) !== undefined) judged = both(judged, 'doubtful')
    else judged = both(judged, newFault([...path, name], 'is required and missing', undefined, 'missing-argument'))
  }
  return judged
}

function judgeMember(
  schema: SchemaObject,
  name: string,
  value: unknown,
  path: readonly string[],
  ask: JudgePart,
): Judgement {
  const { properties, patternProperties, additionalProperties, propertyNames } = schema
  let judged: Judgement = 'fits'
  let named = false
  const also = (asked: unknown): void => {
    named = true
    judged = both(judged, ask(asked, value, path))
  }
  if (isObject(properties) && Object.hasOwn(properties, name)) also(properties[name])
  for (const [pattern, asked] of Object.entries(isObject(patternProperties) ? patternProperties : {})) {
    const matches = testPattern(pattern, name)
    if (matches === true) also(asked)
    else if (matches === undefined) {
      named = true
      judged = both(judged, 'doubtful')
    }
  }
  if (propertyNames !== undefined && typeof ask(propertyNames, name, path) === 'object') {
    judged = both(judged, newFault(path, 'is a name that the schema rules out', undefined, 'unknown-argument'))
  } else if (propertyNames !== undefined) judged = both(judged, ask(propertyNames, name, path))
  if (named || additionalProperties === undefined) return judged
  if (additionalProperties !== false) return both(judged, ask(additionalProperties, value, path))
  return both(judged, newFault(path, 'is not taken', undefined, 'unknown-argument'))
}

function judgeDependent(schema: SchemaObject, value: Members, path: readonly string[], ask: JudgePart): Judgement {
  let judged: Judgement = 'fits'
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies'] as const) {
    const rules = schema[keyword]
    if (!isObject(rules)) continue
    for (const [name, rule] of Object.entries(rules)) {
      if (!Object.hasOwn(value, name)) continue
      judged = both(
        judged,
        Array.isArray(rule) ? judgeRequired({ ...schema, required: rule }, value, path) : ask(rule, value, path),
      )
    }
  }
  // What has a default may be filled in, and then what depends on it holds.
  return schema.dependentRequired !== undefined && hasDefaults(schema) ? both(judged, 'doubtful') : judged
}
