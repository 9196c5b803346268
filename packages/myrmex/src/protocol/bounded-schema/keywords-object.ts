/** Keywords for objects. Only own members count, so that inherited names such as constructor are none. */
import { isObject } from '../json.ts'
import type { Check, Evaluation } from './evaluation.ts'
import { asCount, asMap, asTexts, type KeywordContext, type KeywordTable } from './keyword.ts'

type Members = Record<string, unknown>
const members = (value: unknown): Members => value as Members

function namesOf(value: unknown, run: Evaluation): string[] {
  const names = Object.keys(members(value))
  run.spend(names.length)
  return names
}

function countCheck(keyword: string, holds: (count: number, limit: number) => boolean) {
  return (given: unknown): Check => {
    const limit = asCount(given, keyword)
    return (value, run) => {
      const count = namesOf(value, run).length
      return holds(count, limit) || run.fail(keyword, { limit })
    }
  }
}

/** Names without a default: one that has a default counts as given on the input side. */
const withoutDefault = (names: readonly string[], { schema, isInput }: KeywordContext): readonly string[] => {
  const { properties } = schema
  if (!isInput || !isObject(properties)) return names
  return names.filter((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    return !isObject(property) || property.default === undefined
  })
}

function missing(names: readonly string[], keyword: string, value: Members, run: Evaluation): boolean {
  let fits = true
  run.spend(names.length >> 2)
  for (const name of names) {
    if (Object.hasOwn(value, name) && value[name] !== undefined) continue
    fits = false
    run.report(keyword, { missingProperty: name }, name)
    if (run.stopsAtFailure) break
  }
  return fits
}

interface Property {
  readonly name: string
  readonly check: Check
  readonly fallback: unknown
}

function propertiesCheck(given: unknown, context: KeywordContext): Check {
  const known: Property[] = Object.entries(asMap(given, 'properties')).map(([name, schema]) => ({
    name,
    check: context.member(schema, 'properties'),
    fallback: context.isInput && isObject(schema) ? schema.default : undefined,
  }))
  return (value, run) => {
    const object = members(value)
    let fits = true
    run.spend(known.length >> 2)
    for (const { name, check, fallback } of known) {
      if (!Object.hasOwn(object, name) || object[name] === undefined) {
        if (fallback === undefined || !run.fills) continue
        // A copy, because a tool may change what it gets. Assignment to a key named __proto__ would change the prototype instead.
        const copy = structuredClone(fallback)
        Object.defineProperty(object, name, { value: copy, enumerable: true, writable: true, configurable: true })
      }
      run.evaluated?.names.add(name)
      if (run.member(check, object[name], name)) continue
      fits = false
      if (run.stopsAtFailure) break
    }
    return fits
  }
}

function patternsCheck(given: unknown, context: KeywordContext): Check {
  const patterns = Object.entries(asMap(given, 'patternProperties')).map(([source, schema]) => ({
    matches: context.pattern(source),
    check: context.member(schema, 'patternProperties'),
  }))
  return (value, run) => {
    const object = members(value)
    let fits = true
    for (const name of namesOf(object, run)) {
      for (const { matches, check } of patterns) {
        if (!matches(name, run)) continue
        run.evaluated?.names.add(name)
        if (run.member(check, object[name], name)) continue
        fits = false
        if (run.stopsAtFailure) return false
      }
    }
    return fits
  }
}

/** Members that neither `properties` nor `patternProperties` names. */
function additionalCheck(given: unknown, context: KeywordContext): Check {
  const { properties, patternProperties } = context.schema
  const named = new Set(isObject(properties) ? Object.keys(properties) : [])
  const patterns = Object.keys(isObject(patternProperties) ? patternProperties : {}).map((one) => context.pattern(one))
  const check = context.member(given, 'additionalProperties')
  const known = patterns.length === 0 ? [...named] : undefined
  return (value, run) => {
    const object = members(value)
    let fits = true
    for (const name of namesOf(object, run)) {
      if (named.has(name) || object[name] === undefined || patterns.some((matches) => matches(name, run))) continue
      if (given === false) {
        run.report('additionalProperties', { additionalProperty: name, known }, name)
        fits = false
      } else if (!run.member(check, object[name], name)) fits = false
      if (!fits && run.stopsAtFailure) return false
    }
    if (run.evaluated !== undefined) run.evaluated.hasAllNames = true
    return fits
  }
}

function namesCheck(given: unknown, context: KeywordContext): Check {
  const check = context.member(given, 'propertyNames')
  return (value, run) => {
    let fits = true
    for (const propertyName of namesOf(value, run)) {
      if (run.memberQuietly(check, propertyName, propertyName)) continue
      run.report('propertyNames', { propertyName }, propertyName)
      fits = false
      if (run.stopsAtFailure) break
    }
    return fits
  }
}

/** By name: further names that are required with it, or a schema that the object must fit then. */
function dependencies(keyword: string) {
  const ruleCheck = (rule: unknown, context: KeywordContext): Check => {
    if (Array.isArray(rule) || keyword === 'dependentRequired') {
      const names = asTexts(rule, keyword)
      return (value, run) => missing(names, keyword, members(value), run)
    }
    const check = context.same(rule, keyword)
    return (value, run) => run.branch(check, value)
  }
  return (given: unknown, context: KeywordContext): Check => {
    const rules = Object.entries(asMap(given, keyword)).map(([name, rule]) => ({
      name,
      check: ruleCheck(rule, context),
    }))
    return (value, run) => {
      let fits = true
      run.spend(rules.length >> 2)
      for (const { name, check } of rules) {
        if (!Object.hasOwn(members(value), name) || check(value, run)) continue
        fits = false
        if (run.stopsAtFailure) break
      }
      return fits
    }
  }
}

export const OBJECT_KEYWORDS: KeywordTable = {
  minProperties: countCheck('minProperties', (count, limit) => count >= limit),
  maxProperties: countCheck('maxProperties', (count, limit) => count <= limit),
  required: (given, context) => {
    const all = asTexts(given, 'required')
    const names = withoutDefault(all, context)
    if (all.length === 0) return undefined
    return (value, run) => missing(run.isCertain ? names : all, 'required', members(value), run)
  },
  properties: propertiesCheck,
  patternProperties: patternsCheck,
  additionalProperties: additionalCheck,
  propertyNames: namesCheck,
  dependentRequired: dependencies('dependentRequired'),
  dependentSchemas: dependencies('dependentSchemas'),
  dependencies: dependencies('dependencies'),
}

/** `unevaluatedProperties` comes after everything else about the same object. */
export function unevaluatedProperties(schema: unknown, context: KeywordContext): Check {
  const check = context.member(schema, 'unevaluatedProperties')
  return (value, run) => {
    const { evaluated } = run
    if (evaluated === undefined || evaluated.hasAllNames) return true
    let fits = true
    for (const name of namesOf(value, run)) {
      if (evaluated.names.has(name)) continue
      if (schema === false) {
        run.report('unevaluatedProperties', { unevaluatedProperty: name }, name)
        fits = false
      } else fits = run.member(check, members(value)[name], name) && fits
      if (!fits && run.stopsAtFailure) return false
    }
    evaluated.hasAllNames = true
    return fits
  }
}
