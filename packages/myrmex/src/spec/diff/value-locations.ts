/**
 * What a schema says about each location in a value, whether through references, `allOf`, choices or directly. This makes
 * schemas comparable that are written differently.
 */
import { canonical } from '../../protocol/canonical.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { isObject, valueAtPath } from '../../protocol/json.ts'
import { formatName } from '../../tool/difference/format.ts'
import type { SchemaNode } from '../../tool/difference/schema-location.ts'
import { choiceSteps, elementStep, isTagged, withoutChoice } from './choice-steps.ts'
import {
  ELEMENTS,
  elementsStep,
  memberStep,
  OTHERS,
  othersStep,
  ROOT,
  referenceSteps,
  SAME_VALUE,
  SAME_VALUE_LISTS,
} from './location-steps.ts'

export class ValueLocation {
  /** as a sentence names it: `address.city`, `lines[].sku`; empty for the whole */
  readonly name: string
  /** one place in the schema that speaks of it */
  readonly path: readonly PropertyKey[]
  /** names that it describes, each with its schema */
  readonly properties = new Map<string, unknown>()
  /** those of them that it describes whatever choice is taken */
  readonly certain = new Set<string>()
  /** names that it speaks of without describing them, as in `required` */
  readonly mentioned = new Set<string>()
  /** it speaks of names that it does not list: by a pattern, by a schema for all the others, by a reference not followed */
  map = false
  /** it explicitly allows any other name */
  open = false
  /** something counts the members of an object here, or looks at all their names */
  counted = false
  /** something names whole objects or lists that may be here */
  exact = false
  /** something compares the elements of a list here with each other */
  unique = false
  /** it lists names at all; an object of which nothing is listed is free in all its names */
  listed = false
  /** canonical texts of the defaults */
  readonly defaults = new Set<string>()
  secret = false
  deprecated = false

  constructor({ name, path }: Here) {
    this.name = name
    this.path = path
  }
}

export interface ValueLocations {
  /** by location, and also by the location within a distinguishable choice (`choice-steps.ts`) */
  readonly byLocation: ReadonlyMap<string, ValueLocation>
  /** what is said of a place outside of such choices */
  readonly outsideChoices: ReadonlyMap<string, ValueLocation>
  /** the locations that a node of the schema speaks of */
  readonly byNode: ReadonlyMap<object, ReadonlySet<string>>
  /** where a schema that holds itself was left, and the location that it goes on like from there */
  readonly recursions: ReadonlyMap<string, string>
  /** false: there were too many to look at */
  readonly complete: boolean
}

/** Schemas that people write have hundreds of places at most; references can be made to multiply without end. */
const MAX_NODES = 20_000
const MAX_REFERENCES = 20

export function valueLocations(schema: unknown): ValueLocations {
  const walk = new Walk(schema)
  walk.visit(schema, ROOT, { name: '', path: [], certain: true })
  return walk
}

const COUNTING = ['minProperties', 'maxProperties', 'propertyNames']

interface Here {
  readonly name: string
  readonly path: readonly PropertyKey[]
  /** no choice led here */
  readonly certain: boolean
  /** only a distinguishable choice led here */
  readonly sure?: boolean
  /** within `not`: it says what must not be */
  readonly denied?: boolean
}

class Walk implements ValueLocations {
  readonly byLocation = new Map<string, ValueLocation>()
  readonly outsideChoices = new Map<string, ValueLocation>()
  readonly byNode = new Map<object, Set<string>>()
  readonly recursions = new Map<string, string>()
  complete = true
  #seen = 0
  readonly #root: unknown
  /** nodes being looked at: a schema that holds itself ends here */
  readonly #within = new Map<unknown, string>()
  /** the choices that distinguish a location */
  readonly #choices = new Map<string, readonly unknown[]>()

  constructor(root: unknown) {
    this.#root = root
  }

  visit(node: unknown, location: string, here: Here): void {
    this.complete = ++this.#seen <= MAX_NODES
    if (!this.complete) return
    const plain = withoutChoice(location)
    const make = (): ValueLocation => new ValueLocation(here)
    const known = getOrMake(this.byLocation, plain, make)
    const own = getOrMake(location === plain ? this.outsideChoices : this.byLocation, location, make)
    if (!isObject(node)) return
    getOrMake(this.byNode, node, () => new Set<string>()).add(isTagged(location) ? location : plain)
    this.#read(node, known, here)
    this.#read(node, own, location === plain ? here : { ...here, certain: here.sure === true })
    const first = this.#within.get(node)
    if (first !== undefined) {
      if (first !== plain) this.recursions.set(plain, first)
      return
    }
    this.#within.set(node, plain)
    this.#same(node, location, here)
    this.#members(node, location, here)
    this.#elements(node, location, here)
    this.#within.delete(node)
  }

  #read(node: SchemaNode, known: ValueLocation, { certain, denied }: Here): void {
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

  #same(node: SchemaNode, location: string, here: Here): void {
    const choice = { ...here, certain: false, sure: false }
    for (const keyword of SAME_VALUE_LISTS) {
      const from = keyword === 'allOf' ? here : choice
      const steps = keyword === 'allOf' ? [] : this.#stepsInto(listOf(node[keyword]), location, here)
      for (const [index, part] of listOf(node[keyword]).entries())
        this.visit(part, location + (steps[index] ?? ''), {
          ...from,
          ...(steps[index] !== undefined && { sure: true }),
          path: [...here.path, keyword, index],
        })
    }
    for (const keyword of SAME_VALUE) {
      const denied = here.denied === true || keyword === 'not'
      if (node[keyword] !== undefined)
        this.visit(node[keyword], location, { ...choice, denied, path: [...here.path, keyword] })
    }
    for (const [key, part] of entriesOf(node.dependentSchemas))
      this.visit(part, location, { ...choice, path: [...here.path, 'dependentSchemas', key] })
    const path = typeof node.$ref === 'string' ? referenceSteps(node.$ref) : undefined
    if (path !== undefined) this.visit(valueAtPath(this.#root, path), location, { ...here, path })
  }

  /** None within a choice, and none beside other choices: there, two of them speak of one value. */
  #stepsInto(choices: readonly unknown[], location: string, here: Here): string[] {
    if (choices.length === 0 || here.denied === true || location !== withoutChoice(location)) return []
    const first = getOrMake(this.#choices, location, () => choices)
    return first === choices ? choiceSteps(choices.map((choice) => this.#resolved(choice))) : []
  }

  #resolved(node: unknown): SchemaNode {
    let here = node
    for (let steps = 0; steps < MAX_REFERENCES && isObject(here) && typeof here.$ref === 'string'; steps++) {
      const path = referenceSteps(here.$ref)
      here = path === undefined ? undefined : valueAtPath(this.#root, path)
    }
    return isObject(here) ? here : {}
  }

  #members(node: SchemaNode, location: string, here: Here): void {
    const { name, path } = here
    for (const [key, child] of entriesOf(node.properties)) {
      const inner = name === '' ? formatName(key) : `${name}.${formatName(key)}`
      this.visit(child, memberStep(location, key), { ...here, name: inner, path: [...path, 'properties', key] })
    }
    const rest = name === '' ? '*' : `${name}.*`
    for (const [key, child] of entriesOf(node.patternProperties))
      this.visit(child, othersStep(location), { ...here, name: rest, path: [...path, 'patternProperties', key] })
    for (const keyword of OTHERS) {
      if (isObject(node[keyword]))
        this.visit(node[keyword], othersStep(location), { ...here, name: rest, path: [...path, keyword] })
    }
  }

  #elements(node: SchemaNode, location: string, here: Here): void {
    const inner = { ...here, name: `${here.name}[]` }
    const within = location !== withoutChoice(location)
    for (const [index, child] of listOf(node.prefixItems).entries()) {
      const place = elementsStep(location) + (within ? '' : elementStep(index))
      this.visit(child, place, {
        ...inner,
        ...(!within && { sure: here.certain }),
        path: [...here.path, 'prefixItems', index],
      })
    }
    for (const keyword of ELEMENTS) {
      if (isObject(node[keyword]))
        this.visit(node[keyword], elementsStep(location), { ...inner, path: [...here.path, keyword] })
    }
  }
}

/** What it says of an object or a list as a whole. */
function weigh(node: SchemaNode, known: ValueLocation): void {
  const maps = entriesOf(node.patternProperties).length > 0 || OTHERS.some((keyword) => saysSomething(node[keyword]))
  if (maps || leadsOut(node)) known.map = true
  if (OTHERS.some((keyword) => node[keyword] === true || isEmpty(node[keyword]))) known.open = true
  if (COUNTING.some((keyword) => Object.hasOwn(node, keyword))) known.counted = true
  const values = [node.const, ...listOf(node.enum)]
  if (values.some((value) => typeof value === 'object' && value !== null)) known.exact = true
  if (node.uniqueItems === true) known.unique = true
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0
const saysSomething = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0

function mentions(node: SchemaNode): string[] {
  const names = [...listOf(node.required)]
  for (const [name, list] of entriesOf(node.dependentRequired)) names.push(name, ...listOf(list))
  for (const [name] of entriesOf(node.dependentSchemas)) names.push(name)
  return names.filter((name) => typeof name === 'string')
}

/** By a reference that is not followed here: to an anchor, another document, or nowhere. */
const leadsOut = ({ $ref, $dynamicRef }: SchemaNode): boolean =>
  $dynamicRef !== undefined || ($ref !== undefined && (typeof $ref !== 'string' || referenceSteps($ref) === undefined))
