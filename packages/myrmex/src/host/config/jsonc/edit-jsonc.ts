/**
 * Sets or removes one member of a JSON file and leaves everything else byte for byte: comments, whitespace, member order and line
 * endings. Setting and then removing a member restores the original text.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Edit, Node } from 'jsonc-parser'
import { ToolError } from '../../../protocol/errors.ts'
import { isObject, type JsonObject, pointer, valueAtPath } from '../../../protocol/json.ts'
import { readJsonc } from './read-jsonc.ts'

export interface EditedText {
  readonly text: string
  /** empty if nothing has to change; offsets refer to the old text */
  readonly edits: readonly Edit[]
  /** the previous value */
  readonly before: unknown
}

type Parser = typeof import('jsonc-parser')

/** Throws ValidationError if the file is malformed or a value that should be an object is not. */
export async function setMember(
  text: string,
  file: string,
  steps: readonly string[],
  wanted: JsonObject | undefined,
): Promise<EditedText> {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const whole = text.slice(mark.length)
  const body = whole.trim() === '' ? '{}\n' : whole
  const jsonc = await readJsonc(body, file)
  for (let depth = 0; depth < steps.length; depth++) {
    const path = steps.slice(0, depth)
    const found = valueAtPath(jsonc.value, path)
    const where = pointer(path)
    const { line, column } = jsonc.locationOf(where)
    const refuse = (why: string): ToolError =>
      ToolError.of(
        'ValidationError',
        `${file}:${line}:${column}: ${where || 'the file'} ${why}; the file was not changed`,
      )
    if (found !== undefined && !isObject(found)) throw refuse('is not an object')
    if (jsonc.duplicateKeys.includes(where)) throw refuse('appears twice')
  }
  const before = valueAtPath(jsonc.value, steps)
  if (isDeepStrictEqual(before, wanted)) return { text, edits: [], before }
  const parser = await import('jsonc-parser')
  const tree = parser.parseTree(body, [], { allowTrailingComma: true }) as Node
  const edits =
    wanted === undefined ? removeEdits(parser, body, tree, steps) : setEdits(parser, body, tree, steps, wanted)
  return { text: mark + parser.applyEdits(body, [...edits]), edits, before }
}

/** Replaces the value, or inserts it into the innermost existing object, with any missing objects around it. */
function setEdits(parser: Parser, text: string, tree: Node, steps: readonly string[], wanted: JsonObject): Edit[] {
  const existing = parser.findNodeAtLocation(tree, [...steps])
  if (existing !== undefined) {
    const { offset, length } = existing
    const indent = indentAt(text, existing.parent?.offset ?? offset)
    const content =
      indent === undefined ? JSON.stringify(wanted) : linesOf(wanted, text).join(styleOf(text).eol + indent)
    return [{ offset, length, content }]
  }
  let depth = steps.length - 1
  while (parser.findNodeAtLocation(tree, steps.slice(0, depth)) === undefined) depth--
  const block = parser.findNodeAtLocation(tree, steps.slice(0, depth)) as Node
  const value = steps.slice(depth + 1).reduceRight<JsonObject>((inner, step) => ({ [step]: inner }), wanted)
  const name = steps[depth] as string
  const last = block.children?.at(-1)
  return last === undefined ? insertFirst(text, block, name, value) : insertAfter(parser, text, last, name, value)
}

/** Inserts into an empty object. */
function insertFirst(text: string, { offset, length }: Node, name: string, value: JsonObject): Edit[] {
  const { eol, unit } = styleOf(text)
  const inner = text.slice(offset + 1, offset + length - 1)
  const put = (content: string): Edit[] => [{ offset: offset + 1, length: 0, content }]
  // A file on one line stays on one line, unless it is just {}.
  if (!text.trim().includes('\n') && text.trim() !== '{}')
    return put(`${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset) + 1))?.[0] ?? ''
  const written = memberLines(name, value, text)
    .map((line) => eol + indent + unit + line)
    .join('')
  return put(inner.includes('\n') ? written : written + eol + indent)
}

/** Inserts after the last member: on its own line if that one has its own, and after a trailing comment. */
function insertAfter({ createScanner }: Parser, text: string, last: Node, name: string, value: JsonObject): Edit[] {
  const { eol } = styleOf(text)
  const end = last.offset + last.length
  const comma = commaAfter(createScanner(text, true), text, end)
  const from = comma === undefined ? end : comma + 1
  const indent = indentAt(text, last.offset)
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?[ \t]*(?=\r?\n)/.exec(text.slice(from))
  if (indent === undefined || rest === null) {
    const written = ` ${JSON.stringify(name)}: ${JSON.stringify(value)}`
    return [{ offset: from, length: 0, content: comma === undefined ? `,${written}` : `${written},` }]
  }
  const written = memberLines(name, value, text)
    .map((line) => eol + indent + line)
    .join('')
  const behind = from + rest[0].length
  if (comma !== undefined) return [{ offset: behind, length: 0, content: `${written},` }]
  // Two insertions at the same offset have no defined order, so they are one edit.
  if (behind === end) return [{ offset: end, length: 0, content: `,${written}` }]
  return [
    { offset: end, length: 0, content: ',' },
    { offset: behind, length: 0, content: written },
  ]
}

/** Short arrays stay on one line. */
const linesOf = (value: JsonObject, text: string): string[] =>
  JSON.stringify(value, null, styleOf(text).unit)
    .replace(/\[\n\s+([^[\]{}]*?)\n\s*\]/g, (list, inner: string) => {
      const short = `[${inner.split(/\n\s*/).join(' ')}]`
      return short.length <= MAX_LIST_LENGTH ? short : list
    })
    .split('\n')
const MAX_LIST_LENGTH = 100

/** Without the surrounding braces. */
const memberLines = (name: string, value: JsonObject, text: string): string[] =>
  linesOf({ [name]: value }, text)
    .slice(1, -1)
    .map((line) => line.slice(styleOf(text).unit.length))

/** Removes the member's lines and the comma that becomes superfluous. Other text on the same line stays. */
function removeEdits(parser: Parser, text: string, tree: Node, steps: readonly string[]): Edit[] {
  const { createScanner } = parser
  const own = parser.findNodeAtLocation(tree, [...steps])?.parent as Node
  const members = own.parent?.children ?? []
  const index = members.indexOf(own)
  const isAlone = indentAt(text, own.offset) !== undefined
  const start = text.lastIndexOf('\n', own.offset) + 1
  const end = own.offset + own.length
  const following = commaAfter(createScanner(text, true), text, end)
  if (following !== undefined) {
    const [rest] = /^[ \t]*(?:\r?\n)?/.exec(text.slice(following + 1)) as RegExpExecArray
    const from = isAlone && rest.endsWith('\n') ? start : own.offset
    const to = following + 1 + (from === start ? rest : rest.trimEnd()).length
    return [{ offset: from, length: to - from, content: '' }]
  }
  const newline = text[start - 2] === '\r' ? start - 2 : start - 1
  const previous = members[index - 1]
  // The space after the comma is removed with it.
  const behind = previous === undefined ? own.offset : text.slice(0, own.offset).trimEnd().length
  const from = isAlone ? newline : behind
  const lines = { offset: from, length: end - from, content: '' }
  const comma = previous && commaAfter(createScanner(text, true), text, previous.offset + previous.length)
  return comma === undefined ? [lines] : [{ offset: comma, length: 1, content: '' }, lines]
}

type Scanner = ReturnType<Parser['createScanner']>

/** The scanner skips comments, and with them the commas inside. */
function commaAfter(scanner: Scanner, text: string, offset: number): number | undefined {
  scanner.setPosition(offset)
  scanner.scan()
  const found = scanner.getTokenOffset()
  return text[found] === ',' ? found : undefined
}

/** Returns undefined if other text precedes it on the line. */
function indentAt(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const before = text.slice(start, offset)
  return start > 0 && /^[ \t]*$/.test(before) ? before : undefined
}

function styleOf(text: string): { eol: string; unit: string } {
  const [, unit = '  '] = /\n([ \t]+)["}]/.exec(text) ?? []
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: unit.startsWith('\t') ? '\t' : unit }
}
