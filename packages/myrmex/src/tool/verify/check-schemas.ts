/** Checks on the schemas of a tool: they say what they take and what they give, and do not contradict themselves. */
import { isObject, type JsonObject, pointer, resolveRef } from '../../protocol/json.ts'
import { MAX_DEPTH } from './definition-texts.ts'
import type { VerifyFinding } from './finding.ts'

type Side = 'inputSchema' | 'outputSchema'

export const verifySchema = (schema: JsonObject, side: Side): VerifyFinding[] => new Check(schema, side).findings

/** Keywords with schemas for the same value as their own schema. */
const SAME_VALUE_LISTS = ['allOf', 'anyOf', 'oneOf']
const SAME_VALUE = ['if', 'then', 'else']
const MAPS = ['patternProperties', '$defs', 'definitions']
const ELEMENTS = [
  'items',
  'additionalProperties',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
]

/** Each of these restricts the value. */
const SAYING = ['type', 'enum', 'const', 'not', 'properties', 'items', 'if', '$dynamicRef']

/** Schemas looked at for required names, over all: an upstream's definition may refer to the same ones from everywhere. */
const MAX_PARTS = 50_000

class Check {
  readonly findings: VerifyFinding[] = []
  readonly #root: JsonObject
  readonly #side: Side
  readonly #said = new Map<object, boolean>()
  #partsLeft = MAX_PARTS

  constructor(schema: JsonObject, side: Side) {
    this.#root = schema
    this.#side = side
    this.#visit(schema, [])
  }

  #add(rule: string, grade: VerifyFinding['grade'], path: readonly PropertyKey[], message: string): void {
    this.findings.push({ rule, grade, where: pointer([this.#side, ...path]), message })
  }

  #visit(node: unknown, path: readonly PropertyKey[]): void {
    if (!isObject(node)) return
    if (path.length > MAX_DEPTH) {
      this.#add(
        'too-deep',
        'block',
        path.slice(0, 4),
        `is nested deeper than ${MAX_DEPTH} levels; nobody can read that.`,
      )
      return
    }
    this.#open(node, path)
    if (!isPart(path) && path.at(-1) !== 'not') this.#required(node, path)
    if (isObject(node.properties)) {
      for (const [name, child] of Object.entries(node.properties))
        this.#property(name, child, [...path, 'properties', name])
    }
    for (const [key, child] of this.#children(node)) this.#visit(child, [...path, ...key])
  }

  *#children(node: Record<string, unknown>): Iterable<[PropertyKey[], unknown]> {
    for (const key of [...SAME_VALUE_LISTS, 'prefixItems']) {
      if (Array.isArray(node[key])) for (const [index, child] of node[key].entries()) yield [[key, index], child]
    }
    for (const key of [...SAME_VALUE, ...ELEMENTS, 'not']) yield [[key], node[key]]
    for (const key of [...MAPS, 'dependentSchemas']) {
      const map = node[key]
      if (isObject(map)) for (const [name, child] of Object.entries(map)) yield [[key, name], child]
    }
  }

  #property(name: string, child: unknown, path: readonly PropertyKey[]): void {
    const input = this.#side === 'inputSchema'
    if (!this.#says(child)) {
      const what = `takes anything: ${JSON.stringify(name)} has no type, enum or the like. Say what it may be.`
      this.#add('no-type', input ? 'block' : 'note', path, what)
    }
    if (input && !this.#isDescribed(child)) {
      this.#add('no-description', 'note', path, `${JSON.stringify(name)} has no description.`)
    }
    this.#visit(child, path)
  }

  #open(node: Record<string, unknown>, path: readonly PropertyKey[]): void {
    const anything = opensTo(node)
    if (anything === undefined) return
    if (path.length > 0) this.#add('open-value', 'note', path, `may be ${anything}. Say what is in it.`)
    else if (this.#side === 'outputSchema') {
      this.#add('empty-output', 'note', path, 'says nothing about what the tool gives. Name the fields.')
    } else this.#add('open-value', 'note', path, 'takes any parameters at all. Name them, or give "properties": {}.')
  }

  /** Whether a schema rules anything out. Each is looked at once, however many references lead to it. */
  #says(node: unknown): boolean {
    if (node === false) return true
    if (!isObject(node)) return false
    const known = this.#said.get(node)
    if (known !== undefined) return known
    // A recursive reference adds nothing.
    this.#said.set(node, true)
    const says = this.#saysItself(node)
    this.#said.set(node, says)
    return says
  }

  #saysItself(node: Record<string, unknown>): boolean {
    if (SAYING.some((key) => Object.hasOwn(node, key))) return true
    if (typeof node.$ref === 'string') {
      const target = resolveRef(this.#root, node.$ref)
      // A dangling reference is found when the schema is compiled.
      return target === undefined || this.#says(target)
    }
    const every = [node.anyOf, node.oneOf].find(Array.isArray)
    if (every?.every((part) => this.#says(part))) return true
    return Array.isArray(node.allOf) && node.allOf.some((part) => this.#says(part))
  }

  #isDescribed(node: unknown): boolean {
    if (!isObject(node)) return false
    const own = [node.description, node.title].some((text) => typeof text === 'string' && text.trim() !== '')
    if (own) return true
    const target = typeof node.$ref === 'string' ? resolveRef(this.#root, node.$ref) : undefined
    return isObject(target) && typeof target.description === 'string'
  }

  /** A required name without a property is a typo or a hidden field. */
  #required(node: Record<string, unknown>, path: readonly PropertyKey[]): void {
    const isOver = this.#partsLeft < 0
    const parts = [...this.#partsOf(node)]
    this.#partsLeft -= parts.length
    if (this.#partsLeft < 0) {
      const message = 'refers to so many schemas that they cannot all be checked.'
      if (!isOver) this.#add('too-deep', 'block', [], message)
      return
    }
    if (parts.some(([part]) => isObject(part.additionalProperties) || isObject(part.patternProperties))) return
    const known = new Set(parts.flatMap(([part]) => (isObject(part.properties) ? Object.keys(part.properties) : [])))
    for (const [part, below] of parts) {
      if (!Array.isArray(part.required)) continue
      for (const name of part.required.filter((one) => !known.has(String(one)))) {
        const message = `lists ${JSON.stringify(name)}, but there is no property of that name.`
        this.#add('required-unknown', 'block', [...path, ...below, 'required'], message)
      }
    }
  }

  /** The schemas that speak about the same value as this one, itself included. */
  *#partsOf(
    node: Record<string, unknown>,
    below: readonly PropertyKey[] = [],
    seen: Set<unknown> = new Set(),
  ): Iterable<[Record<string, unknown>, readonly PropertyKey[]]> {
    if (seen.has(node) || below.length > MAX_DEPTH || this.#partsLeft < seen.size) return
    seen.add(node)
    yield [node, below]
    const target = typeof node.$ref === 'string' ? resolveRef(this.#root, node.$ref) : undefined
    // Its own `required` is checked at its own location.
    if (isObject(target))
      for (const [part] of this.#partsOf(target, below, seen)) yield [{ properties: part.properties }, below]
    for (const [key, child] of this.#children(node)) {
      if (isObject(child) && isPart(key)) yield* this.#partsOf(child, [...below, ...key], seen)
    }
  }
}

/** Whether a place holds a schema for the same value as the one around it. */
function isPart(path: readonly PropertyKey[]): boolean {
  const last = path.at(-1)
  const before = String(path.at(-2))
  if (typeof last === 'number') return SAME_VALUE_LISTS.includes(before)
  if (before === 'dependentSchemas') return true
  return before !== 'properties' && !MAPS.includes(before) && SAME_VALUE.includes(String(last))
}

const CLOSING = ['patternProperties', '$ref', 'enum', 'const', 'not', ...SAME_VALUE_LISTS, ...SAME_VALUE]
const CLOSES = {
  object: { by: [...CLOSING, 'properties'], rest: 'additionalProperties', opens: 'any object' },
  array: { by: [...CLOSING, 'prefixItems', 'contains'], rest: 'items', opens: 'a list of anything' },
}

/** The values that a schema allows if it only says that it is an object or a list. */
function opensTo(node: Record<string, unknown>): string | undefined {
  if (node.type !== 'object' && node.type !== 'array') return undefined
  const { by, rest, opens } = CLOSES[node.type]
  const others = node[rest]
  const closed = others !== undefined && others !== true && !(isObject(others) && Object.keys(others).length === 0)
  return closed || by.some((key) => Object.hasOwn(node, key)) ? undefined : opens
}
