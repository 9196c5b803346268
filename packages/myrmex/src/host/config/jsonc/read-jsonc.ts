/**
 * Reads JSON with comments and trailing commas. Every other error is reported with line and column, including duplicate keys.
 */
import type { Node } from 'jsonc-parser'
import { ToolError } from '../../../protocol/errors.ts'

export type JsoncDocument = Awaited<ReturnType<typeof readJsonc>>

/** Deeper values are rejected, because they are processed recursively. */
const MAX_DEPTH = 200

/** Throws ValidationError with file, line and column. */
export async function readJsonc(text: string, file: string) {
  const { printParseErrorCode } = await import('jsonc-parser')
  const { deeperThan, JsonLocations, locationAt } = await import('../../../protocol/json-location.ts')
  const refuse = (offset: number, why: string): ToolError => {
    const { line, column } = locationAt(text, offset)
    return ToolError.of('ValidationError', `${file}:${line}:${column}: invalid JSON: ${why}`)
  }
  // Brackets in comments are counted too, which is harmless at this depth.
  const deep = deeperThan(MAX_DEPTH, text)
  if (deep !== undefined) throw refuse(deep, `nested more than ${MAX_DEPTH} levels deep`)
  const locations = new JsonLocations(text, 'jsonc')
  const [error] = locations.errors
  // A missing end is reported where the text ends, not after the blank lines that follow.
  if (error !== undefined)
    throw refuse(Math.min(error.offset, text.trimEnd().length), errorText(printParseErrorCode(error.error)))
  if (locations.tree === undefined) throw refuse(0, 'the file is empty')
  return {
    value: toValue(locations.tree),
    /** JSON pointers of keys that appear twice in their object */
    duplicateKeys: locations.duplicates,
    /** The location of a JSON pointer, or of its nearest existing parent. */
    locationOf: (path: string) => locations.locationOf(path),
  }
}

/** Built by hand, so that `__proto__` is an ordinary key. */
function toValue(node: Node): unknown {
  const { type, children = [] } = node
  if (type === 'array') return children.map(toValue)
  if (type !== 'object') return node.value
  return Object.fromEntries(
    children.flatMap(({ children: [key, child] = [] }) =>
      key === undefined || child === undefined ? [] : [[String(key.value), toValue(child)]],
    ),
  )
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'an unknown word; strings need double quotes',
  InvalidNumberFormat: 'an invalid number',
  PropertyNameExpected: 'a member name is missing or lacks double quotes',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'unexpected text after the end',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed',
  UnexpectedEndOfNumber: 'a number is incomplete',
  InvalidUnicode: 'an invalid \\u escape',
  InvalidEscapeCharacter: 'an invalid escape; write \\\\ for a backslash',
  InvalidCharacter: 'a character that must be escaped in a string',
}
const errorText = (code: string): string => ERROR_TEXTS[code] ?? code
