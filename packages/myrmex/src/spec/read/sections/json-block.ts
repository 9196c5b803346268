/**
 * A fenced block as JSON. Comments and trailing commas are accepted and reported. Every other error is reported with its location.
 * Valid JSON costs one `JSON.parse`; locations are computed on demand.
 */

import {
  getNodeValue,
  type JSONVisitor,
  type Node as JsonNode,
  type ParseError,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser'
import type { Code } from 'mdast'
import type { Json } from '../../../protocol/json.ts'
import { deeperThan, nearestNode } from '../../../protocol/json-location.ts'
import type { JsonBlock, JsonFault, TextLocation } from '../../document.ts'
import { type Lines, lineAt, locationAt, splitLines } from '../../markdown/lines.ts'

/** Deeper values are not read, because recursive code would run out of stack. */
const MAX_DEPTH = 200

export function jsonBlock(node: Code, lines: Lines): JsonBlock {
  const text = node.value
  const { value, faults, tooDeep } = read(text)
  let inBlock: Lines | undefined
  const locate = (offset: number): TextLocation => {
    inBlock ??= splitLines(text)
    return locationInFile(node, inBlock, lines, offset)
  }
  let tree: JsonNode | undefined | null = null
  return {
    location: { line: node.position?.start.line ?? 1, column: node.position?.start.column ?? 1 },
    value,
    faults: faults.map(({ offset, ...fault }) => ({ location: locate(offset), ...fault })),
    locationOf(path) {
      if (tree === null) tree = tooDeep ? undefined : parseTree(text, [], FORGIVING)
      return locate(tree === undefined ? 0 : nearestNode(tree, path).offset)
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
  if (deeperThan(MAX_DEPTH, text) !== undefined) return TOO_DEEP
  try {
    return { value: JSON.parse(text) as Json, faults: [] }
  } catch {
    // Not plain JSON: the tolerant parser reports what is wrong, and where. Its strings are not known yet.
    return deeperThan(MAX_DEPTH, text, { strings: false }) === undefined ? readTolerantly(text) : TOO_DEEP
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
  // A block ends with its last character: errors in the blanks after it are reported there.
  const end = text.trimEnd().length
  const faults = errors
    .slice(0, MAX_FAULTS)
    .map((error) => fault(Math.min(error.offset, end), wrong(text, error), false))
  if (tree === undefined || faults.length > 0) return { value: undefined, faults }
  const forgiven = forgivenIn(text)
  // The tolerant parser accepts blanks that JSON does not allow.
  if (forgiven.length === 0) forgiven.push(fault(tree.offset, 'This is not plain JSON.', true))
  // The copy has ordinary objects.
  return { value: structuredClone(getNodeValue(tree)), faults: forgiven }
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

/** Where an offset in the block is in the file. Its lines may be indented there. */
function locationInFile(node: Code, inBlock: Lines, lines: Lines, offset: number): TextLocation {
  const { line: number, column } = locationAt(inBlock, offset)
  const from = node.position?.start
  const fenced = /[`~]/.test(lines.text[from?.offset ?? 0] ?? '')
  const line = (from?.line ?? 1) - 1 + (fenced ? 1 : 0) + number - 1
  // It can be negative: the rest of a tab that indents a list item is in the block as blanks.
  const indent = line < lines.count ? lineAt(lines, line).length - lineAt(inBlock, number - 1).length : 0
  return { line: line + 1, column: Math.max(1, indent + column) }
}
