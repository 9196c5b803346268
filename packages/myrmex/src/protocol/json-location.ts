/**
 * Locations in a JSON text, so that an error about a file can name the line and column. Also finds what JSON.parse accepts
 * silently: a key that is twice in one object, of which only the last counts.
 */
import { createRequire } from 'node:module'
import type { Node, ParseError } from 'jsonc-parser'
import { pointer, pointerSteps } from './json.ts'

let loaded: typeof import('jsonc-parser') | undefined

/** Loaded by the first error, because everything that reads JSON imports this file. */
function parser(): typeof import('jsonc-parser') {
  loaded ??= createRequire(import.meta.url)('jsonc-parser') as typeof import('jsonc-parser')
  return loaded
}

export interface JsonLocation {
  readonly line: number
  readonly column: number
}

export class JsonLocations {
  readonly #text: string
  /** undefined if the text holds no value */
  readonly tree: Node | undefined
  readonly errors: readonly ParseError[]
  /** JSON Pointers of keys that are twice in their object */
  readonly duplicates: readonly string[]

  /** `jsonc` allows comments and trailing commas. */
  constructor(text: string, dialect: 'json' | 'jsonc' = 'json') {
    const errors: ParseError[] = []
    const isStrict = dialect === 'json'
    this.#text = text
    this.tree = parser().parseTree(text, errors, { disallowComments: isStrict, allowTrailingComma: !isStrict })
    this.errors = errors
    this.duplicates = this.tree === undefined ? [] : duplicatesIn(this.tree, [])
  }

  get syntaxError(): JsonLocation | undefined {
    const [error] = this.errors
    if (error !== undefined) return locationAt(this.#text, error.offset)
    return this.tree === undefined ? locationAt(this.#text, 0) : undefined
  }

  /** The location of the value at this pointer, or of the nearest value around it. For a member, the location of its key. */
  locationOf(path: string): JsonLocation {
    const value = this.tree === undefined ? undefined : nearestNode(this.tree, pointerSteps(path))
    const shown = value?.parent?.type === 'property' ? value.parent : value
    return locationAt(this.#text, shown?.offset ?? 0)
  }
}

/** The value at this path, or the nearest value around it. */
export function nearestNode(tree: Node, path: readonly PropertyKey[]): Node {
  let node = tree
  for (const key of path) {
    const next = node.type === 'array' ? node.children?.[Number(key)] : membersOf(node).get(String(key))
    if (next === undefined) break
    node = next
  }
  return node
}

/** The members of an object by name, computed once, because there can be many lookups and many members. */
const known = new WeakMap<Node, ReadonlyMap<string, Node>>()

function membersOf(node: Node): ReadonlyMap<string, Node> {
  const before = known.get(node)
  if (before !== undefined) return before
  const members = new Map<string, Node>()
  // Of two members with the same key the last counts.
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (value !== undefined) members.set(String(key?.value), value)
  }
  known.set(node, members)
  return members
}

/**
 * The offset at which brackets nest deeper than this. In a text that may not be JSON, quotes mean nothing and every bracket counts. A
 * loop, because a pattern for strings exhausts its stack on a string of megabytes.
 */
export function deeperThan(max: number, text: string, { strings = true } = {}): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === '"' && strings) at = stringEnd(text, at)
    if (depth > max) return at
  }
  return undefined
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1
  return at
}

export function locationAt(text: string, offset: number): JsonLocation {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1) as string).length + 1 }
}

function duplicatesIn({ type, children = [] }: Node, path: readonly PropertyKey[]): string[] {
  if (type === 'array') return children.flatMap((child, index) => duplicatesIn(child, [...path, index]))
  if (type !== 'object') return []
  const seen = new Set<string>()
  return children.flatMap(({ children: [key, value] = [] }) => {
    const name = String(key?.value)
    const here = [...path, name]
    const repeated = seen.has(name) ? [pointer(here)] : []
    seen.add(name)
    return value === undefined ? repeated : [...repeated, ...duplicatesIn(value, here)]
  })
}
