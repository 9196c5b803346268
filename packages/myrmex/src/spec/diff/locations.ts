/**
 * What a schema says of each place in a value, however it is written: through references, `allOf`, choices or plainly. Two
 * schemas that were written in different ways can be compared place by place with this.
 */
import { canonical } from '../../protocol/canonical.ts'
import { at, isObject, type JsonObject } from '../../protocol/json.ts'
import type { Node } from '../../tool/difference/place.ts'
import { named } from '../../tool/difference/shown.ts'

export interface Location {
  /** as a sentence names it: `address.city`, `lines[].sku`; empty for the whole */
  readonly name: string
  /** one place in the schema that speaks of it */
  readonly path: readonly PropertyKey[]
  /** names that it describes, each with its schema */
  readonly properties: Map<string, unknown>
  /** those of them that it describes whatever choice is taken */
  readonly certain: Set<string>
  /** names that it speaks of without describing them, as in `required` */
  readonly mentioned: Set<string>
  /** it speaks of names that it does not list: by a pattern, by a schema for all the others, by a reference not followed */
  map: boolean
  /** something counts the members of an object here, or looks at all their names */
  counted: boolean
  /** something names whole objects or lists that may be here */
  exact: boolean
  /** something compares the elements of a list here with each other */
  unique: boolean
  /** it lists names at all; an object of which nothing is listed is free in all its names */
  listed: boolean
  /** canonical texts of the defaults */
  readonly defaults: Set<string>
  secret: boolean
  deprecated: boolean
}

export interface Locations {
  readonly at: ReadonlyMap<string, Location>
  /** the locations that a node of the schema speaks of */
  readonly of: ReadonlyMap<object, ReadonlySet<string>>
  /** where a schema that holds itself was left, and the location that it goes on like from there */
  readonly cuts: ReadonlyMap<string, string>
  /** false: there were too many to look at */
  readonly complete: boolean
}

/** Schemas that people write have hundreds of places at most; references can be made to multiply without end. */
const MOST = 20_000

export function locationsOf(schema: unknown): Locations {
  const walk = new Walk(schema)
  walk.visit(schema, ROOT, { name: '', path: [], certain: true })
  return { at: walk.at, of: walk.of, cuts: walk.cuts, complete: walk.seen <= MOST }
}

const ROOT = ''
export const member = (location: string, name: string): string =>
  `${location}/.${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
const elements = (location: string): string => `${location}/[]`
const others = (location: string): string => `${location}/*`

/** Keywords under which schemas for the same value stand. */
const SAME_LISTS = ['allOf', 'anyOf', 'oneOf']
const SAME = ['if', 'then', 'else', 'not']
const ELEMENTS = ['items', 'contains', 'unevaluatedItems', 'additionalItems']
const OTHERS = ['additionalProperties', 'unevaluatedProperties']
const COUNTING = ['minProperties', 'maxProperties', 'propertyNames']

interface Here {
  readonly name: string
  readonly path: readonly PropertyKey[]
  /** no choice led here */
  readonly certain: boolean
  /** what stands here says what must not be */
  readonly denied?: boolean
}

class Walk {
  readonly at = new Map<string, Location>()
  readonly of = new Map<object, Set<string>>()
  readonly cuts = new Map<string, string>()
  seen = 0
  readonly #root: unknown
  /** nodes being looked at: a schema that holds itself ends here */
  readonly #within = new Map<unknown, string>()

  constructor(root: unknown) {
    this.#root = root
  }

  visit(node: unknown, location: string, here: Here): void {
    if (++this.seen > MOST) return
    const known = this.#locate(location, here)
    if (!isObject(node)) return
    const locations = this.of.get(node) ?? new Set()
    this.of.set(node, locations.add(location))
    this.#read(node, known, here)
    const first = this.#within.get(node)
    if (first !== undefined) {
      if (first !== location) this.cuts.set(location, first)
      return
    }
    this.#within.set(node, location)
    this.#same(node, location, here)
    this.#members(node, location, here)
    this.#elements(node, location, here)
    this.#within.delete(node)
  }

  #locate(location: string, { name, path }: Here): Location {
    const known = this.at.get(location)
    if (known !== undefined) return known
    const made: Location = {
      name,
      path,
      properties: new Map(),
      certain: new Set(),
      mentioned: new Set(),
      map: false,
      counted: false,
      exact: false,
      unique: false,
      listed: false,
      defaults: new Set(),
      secret: false,
      deprecated: false,
    }
    this.at.set(location, made)
    return made
  }

  #read(node: Node, known: Location, { certain, denied }: Here): void {
    weigh(node, known)
    for (const name of mentions(node)) known.mentioned.add(name)
    if (denied === true) {
      for (const [name] of entriesOf(node.properties)) known.mentioned.add(name)
      return
    }
    if (Object.hasOwn(node, 'default')) known.defaults.add(canonical(node.default))
    if (node['x-secret'] === true) known.secret = true
    if (node.deprecated === true) known.deprecated = true
    if (isObject(node.properties)) known.listed = true
    for (const [name, child] of entriesOf(node.properties)) {
      if (child === false) continue
      known.properties.set(name, known.properties.get(name) ?? child)
      if (certain) known.certain.add(name)
    }
  }

  #same(node: Node, location: string, here: Here): void {
    const choice = { ...here, certain: false }
    for (const keyword of SAME_LISTS) {
      const from = keyword === 'allOf' ? here : choice
      for (const [index, part] of listOf(node[keyword]).entries())
        this.visit(part, location, { ...from, path: [...here.path, keyword, index] })
    }
    for (const keyword of SAME) {
      const denied = here.denied === true || keyword === 'not'
      if (node[keyword] !== undefined)
        this.visit(node[keyword], location, { ...choice, denied, path: [...here.path, keyword] })
    }
    for (const [key, part] of entriesOf(node.dependentSchemas))
      this.visit(part, location, { ...choice, path: [...here.path, 'dependentSchemas', key] })
    const path = typeof node.$ref === 'string' ? stepsOf(node.$ref) : undefined
    if (path !== undefined) this.visit(at(this.#root, path), location, { ...here, path })
  }

  #members(node: Node, location: string, here: Here): void {
    const { name, path } = here
    for (const [key, child] of entriesOf(node.properties)) {
      const inner = name === '' ? named(key) : `${name}.${named(key)}`
      this.visit(child, member(location, key), { ...here, name: inner, path: [...path, 'properties', key] })
    }
    const rest = name === '' ? '*' : `${name}.*`
    for (const [key, child] of entriesOf(node.patternProperties))
      this.visit(child, others(location), { ...here, name: rest, path: [...path, 'patternProperties', key] })
    for (const keyword of OTHERS) {
      if (isObject(node[keyword]))
        this.visit(node[keyword], others(location), { ...here, name: rest, path: [...path, keyword] })
    }
  }

  #elements(node: Node, location: string, here: Here): void {
    const inner = { ...here, name: `${here.name}[]` }
    for (const [index, child] of listOf(node.prefixItems).entries())
      this.visit(child, elements(location), { ...inner, path: [...here.path, 'prefixItems', index] })
    for (const keyword of ELEMENTS) {
      if (isObject(node[keyword]))
        this.visit(node[keyword], elements(location), { ...inner, path: [...here.path, keyword] })
    }
  }
}

/** What it says of an object or a list as a whole. */
function weigh(node: Node, known: Location): void {
  const maps = entriesOf(node.patternProperties).length > 0 || OTHERS.some((keyword) => saysSomething(node[keyword]))
  if (maps || leadsOut(node)) known.map = true
  if (COUNTING.some((keyword) => Object.hasOwn(node, keyword))) known.counted = true
  const values = [node.const, ...listOf(node.enum)]
  if (values.some((value) => typeof value === 'object' && value !== null)) known.exact = true
  if (node.uniqueItems === true) known.unique = true
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])
const saysSomething = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0

function mentions(node: Node): string[] {
  const names = [...listOf(node.required)]
  for (const [name, list] of entriesOf(node.dependentRequired)) names.push(name, ...listOf(list))
  for (const [name] of entriesOf(node.dependentSchemas)) names.push(name)
  return names.filter((name) => typeof name === 'string')
}

/** By a reference that is not followed here: to an anchor, another document, or nowhere. */
const leadsOut = ({ $ref, $dynamicRef }: Node): boolean =>
  $dynamicRef !== undefined || ($ref !== undefined && (typeof $ref !== 'string' || stepsOf($ref) === undefined))

/** Undefined where a reference leads out of the schema. */
function stepsOf(reference: string): string[] | undefined {
  if (reference === '#') return []
  if (!reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    // A percent sign that escapes nothing stands for itself.
    return step
  }
}

/** The location that a place in a schema speaks of; undefined for a shared schema, which speaks of whatever refers to it. */
export function locationAt(path: readonly PropertyKey[]): string | undefined {
  let location: string | undefined = ROOT
  for (let index = 0; index < path.length && location !== undefined; index++) {
    const keyword = String(path[index])
    const step = STEPS.get(keyword)
    location = step === undefined ? NAMED_STEPS.get(keyword)?.(location, String(path[++index])) : step(location)
  }
  return location
}

const stay = (location: string): string => location
const each = <T>(names: readonly string[], step: T): [string, T][] => names.map((name) => [name, step])

/** Where each keyword leads: by itself, or with the name or number that follows it. */
const STEPS = new Map([...each(SAME, stay), ...each(ELEMENTS, elements), ...each(OTHERS, others)])
const NAMED_STEPS = new Map<string, (location: string, name: string) => string>([
  ...each([...SAME_LISTS, 'dependentSchemas'], stay),
  ['properties', member],
  ['patternProperties', others],
  ['prefixItems', elements],
])

export const asSchema = (value: unknown): JsonObject | boolean | undefined =>
  typeof value === 'boolean' ? value : isObject(value) ? (value as JsonObject) : undefined
