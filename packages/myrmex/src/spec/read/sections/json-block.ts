/**
 * A fenced block as JSON. Comments and trailing commas are accepted and reported. Every other error is reported with its location.
 * Valid JSON costs one `JSON.parse`; locations are computed on demand.
 */

import {
  type JSONVisitor,
  type Node as JsonNode,
  type ParseError,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser'
import type { Code } from 'mdast'
import type { Json } from '../../../protocol/json.ts'
import type { JsonBlock, JsonFault, TextLocation } from '../../document.ts'
import { type Lines, lineAt, locationAt, splitLines } from '../../markdown/lines.ts'

/** Deeper values are not read: whoever walks them would run out of stack. */
const MAX_DEPTH = 200

export function jsonBlock(node: Code, lines: Lines): JsonBlock {
  const text = node.value
  const { value, faults, tooDeep } = read(text)
  let inBlock: Lines | undefined
  const place = (offset: number): TextLocation => {
    inBlock ??= splitLines(text)
    return placeIn(node, inBlock, lines, offset)
  }
  let tree: JsonNode | undefined | null = null
  return {
    location: { line: node.position?.start.line ?? 1, column: node.position?.start.column ?? 1 },
    value,
    faults: faults.map(({ offset, ...fault }) => ({ location: place(offset), ...fault })),
    locationOf(path) {
      if (tree === null) tree = tooDeep ? undefined : parseTree(text, [], FORGIVING)
      return place(tree === undefined ? 0 : nearest(tree, path).offset)
    },
  }
}

const FORGIVING = { allowTrailingComma: true }

interface Fault extends Omit<JsonFault, 'location'> {
  readonly offset: number
}

interface Read {
  readonly value: Json | undefined
  readonly faults: readonly Fault[]
  readonly tooDeep?: boolean
}

function read(text: string): Read {
  if (depthOf(text, OUTSIDE_STRINGS) > MAX_DEPTH) return TOO_DEEP
  try {
    return { value: JSON.parse(text) as Json, faults: [] }
  } catch {
    // Not plain JSON: the tolerant parser tells what is wrong, and where. Nobody knows yet what is a string in it.
    return depthOf(text, ANYWHERE) > MAX_DEPTH ? TOO_DEEP : readTolerantly(text)
  }
}

const TOO_DEEP: Read = {
  value: undefined,
  faults: [
    { offset: 0, message: `This is nested more than ${MAX_DEPTH} levels deep and was not read.`, tolerated: false },
  ],
  tooDeep: true,
}

function readTolerantly(text: string): Read {
  if (text.trim() === '') return { value: undefined, faults: [fault(0, 'This block is empty.', false)] }
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, FORGIVING)
  // A block ends with its last character: how many blanks follow is told in no two ways alike.
  const end = text.trimEnd().length
  const faults = errors
    .slice(0, MAX_FAULTS)
    .map((error) => fault(Math.min(error.offset, end), wrong(text, error), false))
  if (tree === undefined || faults.length > 0) return { value: undefined, faults }
  const forgiven = forgivenIn(text)
  // The tolerant parser takes blanks that JSON does not know; nobody else does.
  if (forgiven.length === 0) forgiven.push(fault(tree.offset, 'This is not plain JSON.', true))
  return { value: valueIn(tree), faults: forgiven }
}

const MAX_FAULTS = 20
const fault = (offset: number, message: string, forgiven: boolean): Fault => ({ offset, message, tolerated: forgiven })

const WRONG: Readonly<Record<string, string>> = {
  InvalidSymbol: 'is not a JSON value. Put strings and property names in double quotes',
  InvalidNumberFormat: 'is not a JSON number',
  PropertyNameExpected: 'is where a property name in double quotes is expected',
  ValueExpected: 'is where a value is expected',
  ColonExpected: 'is where a colon is expected',
  CommaExpected: 'is where a comma is expected',
  CloseBraceExpected: 'is where } is expected',
  CloseBracketExpected: 'is where ] is expected',
  EndOfFileExpected: 'is after the end of the value',
  UnexpectedEndOfComment: 'begins a comment that does not end',
  UnexpectedEndOfString: 'begins a string that does not end on its line. Write a line break in it as \\n',
  UnexpectedEndOfNumber: 'is an incomplete number',
  InvalidUnicode: 'has a \\u without four hexadecimal digits after it',
  InvalidEscapeCharacter: 'has a backslash before a character that needs none',
  InvalidCharacter: 'has a character that may only be written as an escape, such as a tab',
}

function wrong(text: string, { error, offset, length }: ParseError): string {
  const said = text.slice(offset, offset + Math.max(1, length)).split('\n')[0] ?? ''
  const what = said.trim() === '' ? 'The end of the block' : `${JSON.stringify(said.slice(0, 40))}`
  const name = printParseErrorCode(error)
  return `${what} ${WRONG[name] ?? `is not JSON (${name})`}.`
}

function forgivenIn(text: string): Fault[] {
  const faults: Fault[] = []
  let comma: number | undefined
  const entry = (): void => {
    comma = undefined
  }
  const end = (): void => {
    if (comma !== undefined) faults.push(fault(comma, 'JSON has no comma after the last entry.', true))
    comma = undefined
  }
  const visitor: JSONVisitor = {
    onComment: (offset) => faults.push(fault(offset, 'JSON has no comments.', true)),
    onSeparator: (character, offset) => {
      comma = character === ',' ? offset : undefined
    },
    onObjectBegin: entry,
    onArrayBegin: entry,
    onObjectProperty: entry,
    onLiteralValue: entry,
    onObjectEnd: end,
    onArrayEnd: end,
  }
  visit(text, visitor, FORGIVING)
  return faults
}

/** The value of a tree. Names are given as own properties, whatever they are. */
function valueIn(node: JsonNode): Json {
  if (node.type === 'array') return (node.children ?? []).map(valueIn)
  if (node.type !== 'object') return node.value as Json
  const made: Record<string, Json> = {}
  for (const { children } of node.children ?? []) {
    const [key, value] = children ?? []
    if (key === undefined || value === undefined) continue
    const descriptor = { value: valueIn(value), enumerable: true, configurable: true, writable: true }
    Object.defineProperty(made, String(key.value), descriptor)
  }
  return made
}

const OUTSIDE_STRINGS = /[[\]{}]|"(?:[^"\\\n]|\\.)*"?/g
const ANYWHERE = /[[\]{}]/g

/** How deep brackets nest. */
function depthOf(text: string, brackets: RegExp): number {
  let [depth, deepest] = [0, 0]
  brackets.lastIndex = 0
  for (let found = brackets.exec(text); found !== null; found = brackets.exec(text)) {
    const [what] = found
    if (what === '{' || what === '[') deepest = Math.max(deepest, ++depth)
    else if (what === '}' || what === ']') depth--
  }
  return deepest
}

function nearest(tree: JsonNode, path: readonly PropertyKey[]): JsonNode {
  let node = tree
  for (const key of path) {
    const next = child(node, key)
    if (next === undefined) break
    node = next
  }
  return node
}

/** The entries of an object by name: looked for once, as there can be many of both. */
const entries = new WeakMap<JsonNode, Map<string, JsonNode>>()

function child(node: JsonNode, key: PropertyKey): JsonNode | undefined {
  if (node.type === 'array') return node.children?.[Number(key)]
  let known = entries.get(node)
  if (known === undefined) {
    known = new Map()
    // Where a name stands twice, the last one is its value.
    for (const { children } of node.children ?? []) {
      const [name, value] = children ?? []
      if (value !== undefined) known.set(String(name?.value), value)
    }
    entries.set(node, known)
  }
  return known.get(String(key))
}

/** Where an offset in the block stands in the file. Its lines may be indented there. */
function placeIn(node: Code, inBlock: Lines, lines: Lines, offset: number): TextLocation {
  const { line: number, column } = locationAt(inBlock, offset)
  const from = node.position?.start
  const fenced = /[`~]/.test(lines.text[from?.offset ?? 0] ?? '')
  const line = (from?.line ?? 1) - 1 + (fenced ? 1 : 0) + number - 1
  // Fewer than none: of a tab that indents a list item, what is left over stands in the block as blanks.
  const indent = line < lines.count ? lineAt(lines, line).length - lineAt(inBlock, number - 1).length : 0
  return { line: line + 1, column: Math.max(1, indent + column) }
}
