/**
 * Reads blocks that need no Markdown parser, because their lines are unambiguous: headings, fences, tables, comments, paragraphs
 * and flat lists in the first column. Each function returns the block and the line after it, or undefined if the parser must
 * decide. Most of a document is read here, many times faster than by the parser.
 */
import type { Code, Heading, Html, List, Paragraph, RootContent, ThematicBreak } from 'mdast'
import { parseInline } from './inline.ts'
import { type Lines, lineAt, positionOf } from './lines.ts'
import { simpleTable } from './simple-table.ts'

export interface SimpleBlock {
  /** undefined: where it ends is certain, but what it holds is the parser's to read */
  readonly node: RootContent | undefined
  /** the line after it */
  readonly next: number
}

const HEADING = /^(#{1,6})(?=[ \t]|$)/
const TICKS = /^( {0,3})(`{3,})[ \t]*([^`]*)$/
const TILDES = /^( {0,3})(~{3,})[ \t]*(.*)$/
const THEMATIC = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const UNDERLINE = /^(?:=+|-+)$/
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) {1,4}(?=\S)/
/** Something of a list, though perhaps not of this one. */
const MARKER = /^(?:[-*+]|\d{1,9}[.)])(?=\s|$)/
const BULLET = /^[-*+] {1,4}/

/** What begins a paragraph, and can begin nothing else, wherever it stands in one. */
const WORDS = /^(?:[A-Za-z("'[!$%&,./;?@\\^{}\u0080-\uFFFF]|\d+(?![\d.)])|\*{1,2}[^\s*]|_+[^\s_]|`{1,2}[^`])/

export const isBlank = (line: string): boolean => /^[ \t]*$/.test(line)
export const isHeading = (line: string): boolean => line.startsWith('#') && HEADING.test(line)
export const isFence = (line: string): boolean => TICKS.test(line) || TILDES.test(line)
/** An item that surely begins a list even right below other text. */
const isBullet = (line: string): boolean => WORDS.test(line.slice(BULLET.exec(line)?.[0].length ?? line.length))
const isComment = (line: string): boolean => line.startsWith('<!--')

/** A line that surely begins a block of its own, whatever stands above it outside of fences and HTML. */
export const startsBlock = (line: string): boolean => isHeading(line) || (/^[`~]/.test(line) && isFence(line))

/** A line that surely begins a block of its own after an empty line. */
export const startsBlockAfterBlank = (line: string): boolean =>
  startsBlock(line) || line.startsWith('|') || isComment(line) || WORDS.test(line)

export function simpleBlock(lines: Lines, index: number): SimpleBlock | undefined {
  const line = lineAt(lines, index)
  if (line.startsWith('#')) return heading(lines, index, line)
  if (isFence(line)) return fence(lines, index, line)
  if (line.startsWith('|')) return simpleTable(lines, index)
  if (line.startsWith('<')) return lasting(lines, index)
  if (THEMATIC.test(line)) return { node: thematicBreak(lines, index), next: index + 1 }
  if (ITEM.test(line)) return list(lines, index)
  return WORDS.test(line) ? paragraph(lines, index) : undefined
}

const start = (lines: Lines, index: number): number => lines.starts[index] as number
const end = (lines: Lines, index: number): number => lines.ends[index] as number
const whole = (lines: Lines, first: number, last: number) => positionOf(lines, start(lines, first), end(lines, last))

const thematicBreak = (lines: Lines, index: number): ThematicBreak => ({
  type: 'thematicBreak',
  position: whole(lines, index, index),
})

function heading(lines: Lines, index: number, line: string): SimpleBlock | undefined {
  const found = HEADING.exec(line)
  if (found === null) return undefined
  const marks = found[0]
  // Marks may close it as well, where a blank stands before them.
  const content = line
    .slice(marks.length)
    .replace(/[ \t]+$/, '')
    .replace(/[ \t]+#+$/, '')
  const from = start(lines, index) + marks.length
  return { node: headingNode(lines, marks.length, [index, index], [from, from + content.length]), next: index + 1 }
}

const headingNode = (
  lines: Lines,
  depth: number,
  [first = 0, last = 0]: number[],
  [from = 0, to = 0]: number[],
): Heading => ({
  type: 'heading',
  depth: depth as Heading['depth'],
  children: parseInline(lines, { from, to }),
  position: whole(lines, first, last),
})

function fence(lines: Lines, index: number, line: string): SimpleBlock | undefined {
  const [, indent = '', marks = '', info = ''] = TICKS.exec(line) ?? TILDES.exec(line) ?? []
  const mark = marks[0] === '`' ? '`' : '~'
  let close = index + 1
  while (close < lines.count && !closes(lines, close, mark, marks.length)) close++
  const content = contentOf(lines, index + 1, close, indent.length)
  // Escapes and references in the words after a fence, and tabs that are cut in two, are the parser's to read.
  if (content === undefined || /[\\&]/.test(info)) return { node: undefined, next: close + 1 }
  const last = Math.min(close, lines.count - 1)
  const node: Code = {
    type: 'code',
    lang: /^[^ \t]+/.exec(info)?.[0] ?? null,
    value: content,
    position: positionOf(lines, start(lines, index) + indent.length, end(lines, last)),
  }
  return { node, next: close + 1 }
}

/** Does this line close a fence of so many marks? Looks at the line's first characters only, as most lines do not. */
function closes(lines: Lines, index: number, mark: string, count: number): boolean {
  const { text } = lines
  const [from, to] = [start(lines, index), end(lines, index)]
  let at = from
  while (at < to && at - from < 3 && text[at] === ' ') at++
  let marks = 0
  while (at < to && text[at] === mark) {
    at++
    marks++
  }
  if (marks < count) return false
  while (at < to && (text[at] === ' ' || text[at] === '\t')) at++
  return at === to
}

/** The lines of a fenced block, less the indent of its fence. */
function contentOf(lines: Lines, first: number, close: number, indent: number): string | undefined {
  // What ends the last line of the document is no line of the code that is cut off there.
  const cutOff = close === lines.count && close > first && start(lines, close - 1) === end(lines, close - 1)
  const next = cutOff ? close - 1 : close
  if (next <= first) return ''
  if (indent === 0) return lines.text.slice(start(lines, first), end(lines, next - 1)).replace(/\r\n?/g, '\n')
  const content: string[] = []
  for (let index = first; index < next; index++) {
    const line = lineAt(lines, index)
    if (/^ *\t/.test(line)) return undefined
    content.push(line.slice(Math.min(indent, /^ */.exec(line)?.[0].length ?? 0)))
  }
  return content.join('\n')
}

/** HTML that goes on to its end, whatever stands between. The end is looked for from this character on. */
const LASTING: readonly (readonly [begin: RegExp, end: RegExp, from: number])[] = [
  [/^<!--/, /-->/g, 2],
  [/^<\?/, /\?>/g, 1],
  [/^<![A-Za-z]/, />/g, 2],
  [/^<!\[CDATA\[/, /\]\]>/g, 9],
  [/^<(?:script|pre|style|textarea)(?=[ \t>]|$)/i, /<\/(?:script|pre|style|textarea)>/gi, 1],
]

/** It ends with the line that has its end, whatever else is on that line; or never. */
function lasting(lines: Lines, index: number): SimpleBlock | undefined {
  const line = lineAt(lines, index)
  const [, close, from] = LASTING.find(([begin]) => begin.test(line)) ?? []
  if (close === undefined || from === undefined) return undefined
  close.lastIndex = start(lines, index) + from
  const to = close.exec(lines.text) === null ? undefined : close.lastIndex
  let last = index
  if (to === undefined) last = lines.count - 1
  else while (end(lines, last) < to) last++
  const position = whole(lines, index, last)
  const node: Html = { type: 'html', value: lines.text.slice(position.start.offset, position.end.offset), position }
  return { node, next: last + 1 }
}

const NOT_CERTAIN = -1

/** The line after a paragraph whose first line is certain: it ends where another block surely begins. */
function afterWords(lines: Lines, index: number): number {
  let next = index + 1
  for (; next < lines.count; next++) {
    const line = lineAt(lines, next)
    if (isBlank(line) || startsBlock(line) || isComment(line) || isBullet(line)) return next
    if (UNDERLINE.test(line)) return next
    if (!WORDS.test(line.trimStart())) return NOT_CERTAIN
  }
  return next
}

function paragraph(lines: Lines, index: number): SimpleBlock | undefined {
  const next = afterWords(lines, index)
  if (next === NOT_CERTAIN) return undefined
  const text = [start(lines, index), end(lines, next - 1)]
  const under = next < lines.count ? lineAt(lines, next) : ''
  if (UNDERLINE.test(under)) {
    return { node: headingNode(lines, under[0] === '=' ? 1 : 2, [index, next], text), next: next + 1 }
  }
  if (THEMATIC.test(under)) return undefined
  return { node: paragraphNode(lines, text), next }
}

const paragraphNode = (lines: Lines, [from = 0, to = 0]: number[]): Paragraph => ({
  type: 'paragraph',
  children: parseInline(lines, { from, to }),
  position: positionOf(lines, from, to),
})

const markOf = (line: string): string | undefined => /^\d{0,9}([-*+.)]) {1,4}\S/.exec(line)?.[1]

/** A list in the first column with one paragraph an item. */
function list(lines: Lines, index: number): SimpleBlock | undefined {
  const mark = markOf(lineAt(lines, index))
  const items: List['children'] = []
  let next = index
  let last = index
  while (next < lines.count) {
    const line = lineAt(lines, next)
    const lead = ITEM.exec(line)?.[0]
    if (lead === undefined && MARKER.test(line)) return undefined
    if (lead === undefined || markOf(line) !== mark) break
    if (THEMATIC.test(line) || !WORDS.test(line.slice(lead.length))) return undefined
    const after = afterItem(lines, next, lead.length)
    if (after === NOT_CERTAIN) return undefined
    const content = paragraphNode(lines, [start(lines, next) + lead.length, end(lines, after - 1)])
    items.push({ type: 'listItem', spread: false, children: [content], position: whole(lines, next, after - 1) })
    last = after - 1
    next = after
    while (next < lines.count && isBlank(lineAt(lines, next))) next++
    // What is indented after an empty line may belong to the item.
    if (next > after && next < lines.count && /^[ \t]/.test(lineAt(lines, next))) return undefined
  }
  if (next < lines.count && next === last + 1 && !endsList(lineAt(lines, next))) return undefined
  return { node: { type: 'list', children: items, position: whole(lines, index, last) }, next }
}

const endsList = (line: string): boolean => startsBlock(line) || isComment(line) || isBullet(line)

function afterItem(lines: Lines, index: number, indent: number): number {
  let next = index + 1
  for (; next < lines.count; next++) {
    const line = lineAt(lines, next)
    if (isBlank(line) || ITEM.test(line) || endsList(line)) return next
    const words = line.trimStart()
    const lead = line.length - words.length
    if (!WORDS.test(words) || (lead > 0 && lead < indent) || line.startsWith('\t')) return NOT_CERTAIN
  }
  return next
}
