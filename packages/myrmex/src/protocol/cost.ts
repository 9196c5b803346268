/**
 * The cost of a call, from its schemas. `x-cost: true` on a numeric property: its value is money that the call may spend (input)
 * or has spent (output). `x-cost: { times: 'days' }`: multiplied by the property of that name beside it. A number as `x-cost` of
 * the whole schema: the cost of every call. An amount that is left out is its default, because a call without it spends that. Never
 * negative, and infinite if a value that should be money cannot be counted, so that it fits no budget.
 */
import { getOrMake } from './get-or-make.ts'
import { isObject, type JsonObject, pointer, resolveRef } from './json.ts'
import { compilePattern, type SpendSteps } from './linear-pattern.ts'

const KEYWORD = 'x-cost'

/** Whether the schema mentions money. Cached per schema. */
export const hasCost = (schema: JsonObject): boolean => getOrMake(hasCostCache, schema, mentionsCost)
const hasCostCache = new WeakMap<JsonObject, boolean>()
const mentionsCost = (schema: JsonObject): boolean => JSON.stringify(schema).includes(`"${KEYWORD}"`)

export function costOf(schema: JsonObject, value: unknown): number {
  if (!hasCost(schema)) return 0
  const every = schema[KEYWORD]
  let cost = typeof every === 'number' && every > 0 ? every : 0
  try {
    for (const amount of costLocations(schema, { value, path: [] }).values()) cost += amountOf(amount)
  } catch (thrown) {
    if (!(thrown instanceof TooManyLocations)) throw thrown
    return Number.POSITIVE_INFINITY
  }
  return cost
}

/** The value has more locations than can be looked at: its cost is unknown, and so infinite. */
class TooManyLocations extends Error {}

/**
 * The locations of money, as JSON Pointers; `*` is any item of a list or any further property. If a plan takes one of these from
 * an earlier result, its cost is unknown before it runs.
 */
export const costReferences = (schema: JsonObject): string[] =>
  hasCost(schema) ? [...costLocations(schema, { path: [] }).keys()] : []

/** A location in a value; without a value, in the schema alone. */
interface CostLocation {
  readonly value?: unknown
  readonly path: readonly string[]
}

/** The object of a property, in which the count beside it is looked up. */
interface EnclosingObject {
  readonly node: Record<string, unknown>
  readonly location: CostLocation
}

/** The costs that a node marks at its own location. */
function* markedCosts(
  node: Record<string, unknown>,
  location: CostLocation,
  enclosing: EnclosingObject | undefined,
): Generator<readonly [at: string, amount: unknown]> {
  if (enclosing === undefined) return
  const at = pointer(location.path)
  if (node[KEYWORD] === true) yield [at, location.value]
  const times = timesOf(node)
  if (times === undefined) return
  yield [at, 'value' in location ? amountOf(location.value) * countOf(enclosing, times) : undefined]
  // Without a value the sources of the cost are listed, and the count is one of them.
  if (!('value' in location)) yield [pointer([...enclosing.location.path, times]), undefined]
}

const timesOf = ({ [KEYWORD]: cost }: Record<string, unknown>): string | undefined =>
  isObject(cost) && typeof cost.times === 'string' ? cost.times : undefined

/** A missing count is its default; an invalid one makes the cost infinite. */
function countOf({ node, location }: EnclosingObject, name: string): number {
  const given = isObject(location.value) ? location.value[name] : undefined
  const count = given ?? defaultOf(node, name)
  return typeof count === 'number' && count >= 0 ? count : Number.POSITIVE_INFINITY
}

function defaultOf({ properties }: Record<string, unknown>, name: string): unknown {
  const property = isObject(properties) ? properties[name] : undefined
  return isObject(property) ? property.default : undefined
}

const ANY = '*'
/** Definitions that refer to each other can have too many locations to visit. */
const MAX_REFERENCES = 10_000
/** Schema and value come from others: what looking at all locations and matching all names may take. A step is one state of a pattern. */
const MAX_STEPS = 4_000_000
/** A location takes as long as this many states. */
const LOCATION_STEPS = 10
/** A schema that refers to itself can have defaults in defaults without end. */
const MAX_DEFAULT_DEPTH = 64

type Matches = (pattern: string, name: string) => boolean
type NameTest = (name: string, spend: SpendSteps) => boolean

/** By location: two branches of a schema may mark the same one. */
function costLocations(root: JsonObject, start: CostLocation): Map<string, unknown> {
  const found = new Map<string, unknown>()
  const seen = new Set<string>()
  let steps = 0
  const spend: SpendSteps = (more) => {
    steps += more
    if (steps > MAX_STEPS && 'value' in start) throw new TooManyLocations()
  }
  const patterns = new Map<string, NameTest>()
  const matches: Matches = (pattern, name) => {
    spend(LOCATION_STEPS)
    return getOrMake(patterns, pattern, nameTest)(name, spend)
  }
  const visit = (
    node: unknown,
    location: CostLocation,
    within: readonly string[],
    enclosing: EnclosingObject | undefined,
  ): void => {
    if (!isObject(node) || ('value' in location && location.value === undefined)) return
    spend(LOCATION_STEPS)
    const at = pointer(location.path)
    for (const [where, amount] of markedCosts(node, location, enclosing)) found.set(where, amount)
    const { $ref } = node
    const name = `${$ref} ${at}`
    // Each definition is visited once per location. Without a value, a recursive one would never end.
    const isNew =
      !seen.has(name) && ('value' in location || (!within.includes(String($ref)) && seen.size < MAX_REFERENCES))
    if (typeof $ref === 'string' && isNew) {
      seen.add(name)
      visit(resolveRef(root, $ref), location, 'value' in location ? within : [...within, $ref], enclosing)
    }
    for (const branch of branchesOf(node)) visit(branch, location, within, enclosing)
    for (const [child, next] of childLocations(node, location, matches)) {
      visit(child, withDefaults(root, child, next, spend), within, { node, location })
    }
  }
  visit(root, withDefaults(root, root, start, spend), [], undefined)
  return found
}

/** The location with the defaults of the properties that its value leaves out, from all schemas that apply to it. */
function withDefaults(root: JsonObject, node: unknown, location: CostLocation, spend: SpendSteps): CostLocation {
  const { value } = location
  if (!isObject(value) || !isObject(node)) return location
  const missing = new Map<string, unknown>()
  for (const { properties } of applicableSchemas(root, node, value, spend)) {
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      if ((Object.hasOwn(value, name) && value[name] !== undefined) || missing.has(name)) continue
      const filled = defaultIn(root, property, spend)
      if (filled !== undefined) missing.set(name, filled)
    }
  }
  if (missing.size === 0) return location
  if (location.path.length > MAX_DEFAULT_DEPTH) throw new TooManyLocations()
  // Unlike an assignment, this creates an own property for any name.
  return { ...location, value: Object.fromEntries([...Object.entries(value), ...missing]) }
}

function defaultIn(root: JsonObject, node: unknown, spend: SpendSteps): unknown {
  for (const { default: filled } of applicableSchemas(root, node, undefined, spend)) {
    if (filled !== undefined) return filled
  }
  return undefined
}

/** The schema and those that it refers to or combines, each once, without alternatives that are for another value. */
function* applicableSchemas(
  root: JsonObject,
  node: unknown,
  value: Record<string, unknown> | undefined,
  spend: SpendSteps,
): Generator<Record<string, unknown>> {
  const seen = new Set<unknown>()
  const found = [node]
  // The list grows while it is read.
  for (const schema of found) {
    spend(LOCATION_STEPS)
    if (!isObject(schema) || seen.has(schema) || (value !== undefined && isForOther(schema, value))) continue
    seen.add(schema)
    yield schema
    found.push(resolveRef(root, schema.$ref), ...branchesOf(schema))
  }
}

/** `{kind: {const: 'card'}}` is not the alternative of `{kind: 'cash'}`. */
const isForOther = ({ properties }: Record<string, unknown>, value: Record<string, unknown>): boolean =>
  Object.entries(isObject(properties) ? properties : {}).some(
    ([name, property]) =>
      isObject(property) &&
      typeof property.const === 'string' &&
      Object.hasOwn(value, name) &&
      typeof value[name] === 'string' &&
      value[name] !== property.const,
  )

/** Schemas that may apply to the same value. Counting once too often is the safe side. */
function branchesOf(node: Record<string, unknown>): unknown[] {
  const { allOf, anyOf, oneOf, dependentSchemas } = node
  const lists = [allOf, anyOf, oneOf].filter(Array.isArray).flat()
  return [...lists, node.then, node.else, ...(isObject(dependentSchemas) ? Object.values(dependentSchemas) : [])]
}

function* childLocations(
  node: Record<string, unknown>,
  location: CostLocation,
  matches: Matches,
): Generator<readonly [schema: unknown, CostLocation]> {
  const { properties, patternProperties, additionalProperties, prefixItems, items } = node
  const named = isObject(properties) ? properties : {}
  for (const [name, child] of Object.entries(named)) yield [child, step(location, name)]
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {})
  for (const [pattern, child] of patterns) {
    for (const next of memberLocations(location, (name) => matches(pattern, name))) yield [child, next]
  }
  const isOther = (name: string): boolean =>
    !Object.hasOwn(named, name) && !patterns.some(([pattern]) => matches(pattern, name))
  if (isObject(additionalProperties)) {
    for (const next of memberLocations(location, isOther)) yield [additionalProperties, next]
  }
  const first = Array.isArray(prefixItems) ? prefixItems : []
  for (const [index, child] of first.entries()) yield [child, step(location, String(index))]
  if (isObject(items)) for (const next of elementLocations(location, first.length)) yield [items, next]
}

const step = (location: CostLocation, name: string): CostLocation => {
  const path = [...location.path, name]
  if (!('value' in location)) return { path }
  const { value } = location
  const has = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return { value: has ? (value as Record<string, unknown>)[name] : undefined, path }
}

function memberLocations(location: CostLocation, isSuch: (name: string) => boolean): CostLocation[] {
  if (!('value' in location)) return [step(location, ANY)]
  if (!isObject(location.value)) return []
  return Object.keys(location.value)
    .filter(isSuch)
    .map((name) => step(location, name))
}

function elementLocations(location: CostLocation, from: number): CostLocation[] {
  if (!('value' in location)) return [step(location, ANY)]
  if (!Array.isArray(location.value)) return []
  return location.value.slice(from).map((_, index) => step(location, String(from + index)))
}

function amountOf(amount: unknown): number {
  if (amount === null) return 0
  const number = typeof amount === 'bigint' ? Number(amount) : amount
  if (typeof number !== 'number' || Number.isNaN(number)) return Number.POSITIVE_INFINITY
  return Math.max(0, number)
}

/** Linear time, because pattern and name come from others. A pattern that cannot be used matches every name. */
function nameTest(pattern: string): NameTest {
  try {
    return compilePattern(pattern).matches
  } catch {
    return () => true
  }
}
