/**
 * JSON as people and editors write it: with comments and trailing commas. Whatever else is wrong is told with its line and column,
 * also a name that stands twice, of which only one would count.
 */
import type { Node } from 'jsonc-parser'
import { ToolError } from '../../../protocol/errors.ts'
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
  const { printParseErrorCode } = await import('jsonc-parser')
  const { JsonLocations, locationAt } = await import('../../../protocol/json-location.ts')
  const refuse = (offset: number, why: string): ToolError => {
    const { line, column } = locationAt(text, offset)
    return ToolError.of('ValidationError', `${file}:${line}:${column}: not JSON: ${why}`)
  }
  const deep = tooDeepAt(text)
  if (deep !== undefined) throw refuse(deep, `it is nested more than ${DEEPEST} levels deep`)
  const locations = new JsonLocations(text, 'jsonc')
  const [error] = locations.errors
  // A missing end is reported where the text ends, not after the blank lines that follow.
  if (error !== undefined)
    throw refuse(Math.min(error.offset, text.trimEnd().length), wordsFor(printParseErrorCode(error.error)))
  if (locations.tree === undefined) throw refuse(0, 'the file is empty')
  return {
    value: builtOf(locations.tree),
    duplicateKeys: locations.duplicates,
    locationOf: (path) => locations.locationOf(path),
  }
}

/** Built by hand: a member called __proto__ is a member like any other. */
function builtOf(node: Node): unknown {
  const { type, children = [] } = node
  if (type === 'array') return children.map(builtOf)
  if (type !== 'object') return node.value
  return Object.fromEntries(
    children.flatMap(({ children: [key, child] = [] }) =>
      key === undefined || child === undefined ? [] : [[String(key.value), builtOf(child)]],
    ),
  )
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
