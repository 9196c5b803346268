/**
 * JSON as people and editors write it: with comments and trailing commas. Whatever else is wrong is told with its line and column,
 * also a name that stands twice, of which only one would count.
 */
import type { Node, ParseError } from 'jsonc-parser'
import { ToolError } from '../../../protocol/errors.ts'
import { pointer, pointerSteps } from '../../../protocol/json.ts'
import type { JsonLocation } from '../../../protocol/json-location.ts'

export interface JsoncDocument {
  readonly value: unknown
  /** Where a JSON pointer leads, or whatever around it there is. */
  locationOf(path: string): JsonLocation
  /** JSON pointers of names that stand twice in their object */
  readonly duplicateKeys: readonly string[]
}

/** Deeper values are not read: whoever walks them would run out of stack. */
const DEEPEST = 200

/** Throws ToolError ValidationError with file, line and column. */
export async function readJsonc(text: string, file: string): Promise<JsoncDocument> {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser')
  const at = (offset: number): string => {
    const { line, column } = placeAt(text, offset)
    return `${file}:${line}:${column}`
  }
  const refuse = (offset: number, why: string): ToolError =>
    ToolError.of('ValidationError', `${at(offset)}: not JSON: ${why}`)
  const deep = tooDeepAt(text)
  if (deep !== undefined) throw refuse(deep, `it is nested more than ${DEEPEST} levels deep`)
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [error] = errors
  // An error in the middle of nothing is told where the text ends, not after all the blank lines that follow.
  if (error !== undefined)
    throw refuse(Math.min(error.offset, text.trimEnd().length), wordsFor(printParseErrorCode(error.error)))
  if (tree === undefined) throw refuse(0, 'the file is empty')
  const repeated: string[] = []
  const value = builtOf(tree, [], repeated)
  return {
    value,
    duplicateKeys: repeated,
    locationOf: (path) => placeAt(text, nodeAt(tree, pointerSteps(path)).offset),
  }
}

const placeAt = (text: string, offset: number): JsonLocation => {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** Built by hand: a member called __proto__ is a member like any other. */
function builtOf(node: Node, path: readonly PropertyKey[], repeated: string[]): unknown {
  const { type, children = [] } = node
  if (type === 'array') return children.map((child, index) => builtOf(child, [...path, index], repeated))
  if (type !== 'object') return node.value
  const members = new Map<string, unknown>()
  for (const { children: pair = [] } of children) {
    const [key, child] = pair
    if (key === undefined || child === undefined) continue
    const name = String(key.value)
    if (members.has(name)) repeated.push(pointer([...path, name]))
    members.set(name, builtOf(child, [...path, name], repeated))
  }
  return Object.fromEntries(members)
}

/** Of a member the place of its name: that is where people look. */
function nodeAt(tree: Node, steps: readonly string[]): Node {
  let here = tree
  let shown = tree
  for (const step of steps) {
    const { type, children = [] } = here
    if (type === 'array') {
      const item = children[Number(step)]
      if (item === undefined) break
      here = item
      shown = item
      continue
    }
    // The last of two that have one name is the one that counts.
    const member = children.findLast(({ children: pair = [] }) => pair[0]?.value === step)
    const child = member?.children?.[1]
    if (member === undefined || child === undefined) break
    here = child
    shown = member
  }
  return shown
}

/** Braces in texts and comments are counted too: who has that many of them is told no untruth. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0
  const brackets = /"(?:[^"\\\n]|\\.)*"|[[\]{}]/g
  for (const { 0: found, index } of text.matchAll(brackets)) {
    if (found === '{' || found === '[') depth++
    else if (found === '}' || found === ']') depth--
    if (depth > DEEPEST) return index
  }
  return undefined
}

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a word that is no value; texts stand in double quotes',
  InvalidNumberFormat: 'a number that is none',
  PropertyNameExpected: 'the name of a member is missing, or does not stand in double quotes',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'something stands behind the end',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a text is not closed',
  UnexpectedEndOfNumber: 'a number is not whole',
  InvalidUnicode: 'a \\u that is none',
  InvalidEscapeCharacter: 'a backslash with something behind it that JSON does not know; write \\\\ for a backslash',
  InvalidCharacter: 'a character that must not stand in a text as it is',
}
const wordsFor = (code: string): string => WORDS[code] ?? code
