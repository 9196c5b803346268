/**
 * Puts one member into somebody's JSON, changes it or takes it out, and touches nothing else: comments, spaces, the order of
 * things and the kind of line ends stay byte for byte as they were. What was put in and taken out again leaves no trace.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Edit, Node } from 'jsonc-parser'
import { ToolError } from '../../../protocol/errors.ts'
import { isObject, type JsonObject, pointer, valueAtPath } from '../../../protocol/json.ts'
import { readJsonc } from './read-jsonc.ts'

export interface EditedText {
  readonly text: string
  /** none: it is as wanted already. In the order of the text, by offsets in the old one */
  readonly edits: readonly Edit[]
  /** what stood there before */
  readonly before: unknown
}

type Parser = typeof import('jsonc-parser')

/** Throws ToolError ValidationError where the file is broken, or something else stands where a block should. */
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
      ToolError.of('ValidationError', `${file}:${line}:${column}: ${where || 'the file'} ${why}; nothing was changed`)
    if (found !== undefined && !isObject(found)) throw refuse('is no object')
    if (jsonc.duplicateKeys.includes(where)) throw refuse('stands twice')
  }
  const before = valueAtPath(jsonc.value, steps)
  if (isDeepStrictEqual(before, wanted)) return { text, edits: [], before }
  const parser = await import('jsonc-parser')
  const tree = parser.parseTree(body, [], { allowTrailingComma: true }) as Node
  const edits = wanted === undefined ? removal(parser, body, tree, steps) : setting(parser, body, tree, steps, wanted)
  return { text: mark + parser.applyEdits(body, [...edits]), edits, before }
}

/** Changes what is there, or puts it into the innermost block that is there, with the blocks that are missing around it. */
function setting(parser: Parser, text: string, tree: Node, steps: readonly string[], wanted: JsonObject): Edit[] {
  const there = parser.findNodeAtLocation(tree, [...steps])
  if (there !== undefined) {
    const { offset, length } = there
    const indent = indentAt(text, there.parent?.offset ?? offset)
    const content =
      indent === undefined ? JSON.stringify(wanted) : linesOf(wanted, text).join(formOf(text).eol + indent)
    return [{ offset, length, content }]
  }
  let depth = steps.length - 1
  while (parser.findNodeAtLocation(tree, steps.slice(0, depth)) === undefined) depth--
  const block = parser.findNodeAtLocation(tree, steps.slice(0, depth)) as Node
  const value = steps.slice(depth + 1).reduceRight<JsonObject>((inner, step) => ({ [step]: inner }), wanted)
  const name = steps[depth] as string
  const last = block.children?.at(-1)
  return last === undefined ? first(text, block, name, value) : next(parser, text, last, name, value)
}

/** Into an empty block. */
function first(text: string, { offset, length }: Node, name: string, value: JsonObject): Edit[] {
  const { eol, unit } = formOf(text)
  const inner = text.slice(offset + 1, offset + length - 1)
  const put = (content: string): Edit[] => [{ offset: offset + 1, length: 0, content }]
  // What is all on one line stays so, unless there is nothing else.
  if (!text.trim().includes('\n') && text.trim() !== '{}')
    return put(`${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset) + 1))?.[0] ?? ''
  const written = memberLines(name, value, text)
    .map((line) => eol + indent + unit + line)
    .join('')
  return put(inner.includes('\n') ? written : written + eol + indent)
}

/** Behind the last member: on lines of its own where that has some, and then behind whatever is said of it. */
function next({ createScanner }: Parser, text: string, last: Node, name: string, value: JsonObject): Edit[] {
  const { eol } = formOf(text)
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
  // Both in one place are one edit: of two, nobody could say which comes first.
  if (behind === end) return [{ offset: end, length: 0, content: `,${written}` }]
  return [
    { offset: end, length: 0, content: ',' },
    { offset: behind, length: 0, content: written },
  ]
}

/** A list of a few words stands on one line, as people write it. */
const linesOf = (value: JsonObject, text: string): string[] =>
  JSON.stringify(value, null, formOf(text).unit)
    .replace(/\[\n\s+([^[\]{}]*?)\n\s*\]/g, (list, inner: string) => {
      const short = `[${inner.split(/\n\s*/).join(' ')}]`
      return short.length <= LONGEST_LIST ? short : list
    })
    .split('\n')
const LONGEST_LIST = 100

/** Without the braces around it. */
const memberLines = (name: string, value: JsonObject, text: string): string[] =>
  linesOf({ [name]: value }, text)
    .slice(1, -1)
    .map((line) => line.slice(formOf(text).unit.length))

/** Its own lines, and the comma that is one too many without it. What shares a line with it stays. */
function removal(parser: Parser, text: string, tree: Node, steps: readonly string[]): Edit[] {
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
  // With the comma goes the space behind it.
  const behind = previous === undefined ? own.offset : text.slice(0, own.offset).trimEnd().length
  const from = isAlone ? newline : behind
  const lines = { offset: from, length: end - from, content: '' }
  const comma = previous && commaAfter(createScanner(text, true), text, previous.offset + previous.length)
  return comma === undefined ? [lines] : [{ offset: comma, length: 1, content: '' }, lines]
}

type Scanner = ReturnType<Parser['createScanner']>

/** Commas in comments are none: the scanner steps over those. */
function commaAfter(scanner: Scanner, text: string, offset: number): number | undefined {
  scanner.setPosition(offset)
  scanner.scan()
  const found = scanner.getTokenOffset()
  return text[found] === ',' ? found : undefined
}

/** Undefined where something else stands before it on its line. */
function indentAt(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const before = text.slice(start, offset)
  return start > 0 && /^[ \t]*$/.test(before) ? before : undefined
}

function formOf(text: string): { eol: string; unit: string } {
  const [, unit = '  '] = /\n([ \t]+)["}]/.exec(text) ?? []
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: unit.startsWith('\t') ? '\t' : unit }
}
