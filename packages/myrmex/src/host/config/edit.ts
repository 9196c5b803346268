/**
 * Puts one member into somebody's JSON, changes it or takes it out, and touches nothing else: comments, spaces, the order of
 * things and the kind of line ends stay byte for byte as they were. What was put in and taken out again leaves no trace.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Edit, Node } from 'jsonc-parser'
import { ToolError } from '../../protocol/errors.ts'
import { at, isObject, type JsonObject, pointer } from '../../protocol/json.ts'
import { readJsonc } from './jsonc.ts'

export interface Edited {
  readonly text: string
  /** none: it is as wanted already. In the order of the text, by offsets in the old one */
  readonly edits: readonly Edit[]
  /** what stood there before */
  readonly before: unknown
}

type Parser = typeof import('jsonc-parser')

/** Throws ToolError ValidationError where the file is broken, or something else stands where a block should. */
export async function withMember(
  text: string,
  file: string,
  steps: readonly string[],
  wanted: JsonObject | undefined,
): Promise<Edited> {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const whole = text.slice(mark.length)
  const body = whole.trim() === '' ? '{}\n' : whole
  const jsonc = await readJsonc(body, file)
  const block = steps.slice(0, -1)
  for (let depth = 0; depth < steps.length; depth++) {
    const path = steps.slice(0, depth)
    const found = at(jsonc.value, path)
    const where = pointer(path)
    const { line, column } = jsonc.placeOf(where)
    const refuse = (why: string): ToolError =>
      new ToolError('ValidationError', `${file}:${line}:${column}: ${where || 'the file'} ${why}; nothing was changed`)
    if (found !== undefined && !isObject(found)) throw refuse('is no object')
    if (jsonc.repeated.includes(where)) throw refuse('stands twice')
  }
  const before = at(jsonc.value, steps)
  if (isDeepStrictEqual(before, wanted)) return { text, edits: [], before }
  const parser = await import('jsonc-parser')
  const tree = parser.parseTree(body, [], { allowTrailingComma: true })
  const parent = tree && parser.findNodeAtLocation(tree, [...block])
  const edits =
    (wanted === undefined
      ? parent && removal(parser, body, parent, steps.at(-1) ?? '')
      : before === undefined
        ? parent && insertion(parser, body, parent, steps.at(-1) ?? '', wanted)
        : undefined) ?? parser.modify(body, [...steps], wanted, { formattingOptions: formatOf(body) })
  return { text: mark + parser.applyEdits(body, [...edits]), edits, before }
}

/** A block over several lines gets the new member on lines of its own, behind whatever is said of the last one. */
function insertion(
  { createScanner }: Parser,
  text: string,
  block: Node,
  name: string,
  value: JsonObject,
): Edit[] | undefined {
  const last = block.children?.at(-1)
  if (last === undefined) return undefined
  const end = last.offset + last.length
  const comma = commaAfter(createScanner(text, true), text, end)
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)?[ \t]*(?=\r?\n)/.exec(
    text.slice(comma === undefined ? end : comma + 1),
  )
  const indent = indentAt(text, last.offset)
  if (rest === null || indent === undefined) return undefined
  const { eol, unit } = formOf(text)
  const lines = JSON.stringify({ [name]: value }, null, unit)
    .split('\n')
    .slice(1, -1)
  const written = lines.map((line) => eol + indent + line.slice(unit.length)).join('')
  const behind = (comma === undefined ? end : comma + 1) + rest[0].length
  if (comma !== undefined) return [{ offset: behind, length: 0, content: `${written},` }]
  // Both in one place are one edit: of two, nobody could say which comes first.
  if (behind === end) return [{ offset: end, length: 0, content: `,${written}` }]
  return [
    { offset: end, length: 0, content: ',' },
    { offset: behind, length: 0, content: written },
  ]
}

/** Its own lines, and the comma that is one too many without it. */
function removal({ createScanner }: Parser, text: string, block: Node, name: string): Edit[] | undefined {
  const members = block.children ?? []
  const index = members.findLastIndex(({ children = [] }) => children[0]?.value === name)
  const own = members[index]
  if (own === undefined || indentAt(text, own.offset) === undefined) return undefined
  const end = own.offset + own.length
  const following = commaAfter(createScanner(text, true), text, end)
  const start = text.lastIndexOf('\n', own.offset) + 1
  if (following !== undefined) {
    const [line] = /^[ \t]*\r?\n/.exec(text.slice(following + 1)) ?? []
    return line === undefined
      ? undefined
      : [{ offset: start, length: following + 1 + line.length - start, content: '' }]
  }
  const newline = text[start - 2] === '\r' ? start - 2 : start - 1
  const lines = { offset: newline, length: end - newline, content: '' }
  const previous = members[index - 1]
  if (previous === undefined) return [lines]
  const comma = commaAfter(createScanner(text, true), text, previous.offset + previous.length)
  return comma === undefined ? undefined : [{ offset: comma, length: 1, content: '' }, lines]
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

function formatOf(text: string): { eol: string; insertSpaces: boolean; tabSize: number } {
  const { eol, unit } = formOf(text)
  return { eol, insertSpaces: unit !== '\t', tabSize: unit === '\t' ? 4 : unit.length }
}
