/**
 * Texts of others (callers, models, upstreams) on the screens on which a person decides. What it guarantees, on every terminal:
 *
 * 1. Each screen line begins with a mark of ours: `│` begins a line, `↳` continues the one above. So no text can look like one of our
 *    lines, and the continuation of one value cannot look like the next value.
 * 2. Everything that is there is seen: hidden characters and unusual blanks are written out, and long runs of blanks are counted.
 * 3. Two different values look different: JSON has quotes and escapes, and our own marks are escaped in it.
 */
import { isObject } from '../protocol/json.ts'
import { clip } from '../protocol/text.ts'
import { escapeHidden } from '../tool/text/hidden-characters.ts'

const FIRST = '  │ '
const NEXT = '  ↳ '

/** The width of a terminal that does not say its own. */
const USUAL_COLUMNS = 80

/** What fits beside the marks. `│` takes two columns in some terminals. */
const roomBesideMarks = (): number =>
  Math.max(20, (process.stdout.columns || process.stderr.columns || USUAL_COLUMNS) - FIRST.length - 1)

/** A character takes at most two columns. Which ones take two depends on the terminal, so every one outside ASCII counts as two. */
const columnsOf = (character: string): number => (character <= '~' ? 1 : 2)

/** The most columns that a text takes on one line. */
export function textColumns(text: string): number {
  let columns = 0
  for (const character of text) columns += columnsOf(character)
  return columns
}

/** Cuts a text into pieces of at most `width` columns, at any character. */
function foldColumns(text: string, width: number): string[] {
  const pieces: string[] = []
  let [begin, end, columns] = [0, 0, 0]
  for (const character of text) {
    const wide = columnsOf(character)
    if (columns + wide > width && end > begin) {
      pieces.push(text.slice(begin, end))
      begin = end
      columns = 0
    }
    end += character.length
    columns += wide
  }
  return [...pieces, text.slice(begin)]
}

/** More blanks than the indentation of code has. */
const LONG_BLANKS = / {9,}/g
/** Blanks outside ASCII, characters that are drawn as nothing or that no font has, and the marks that are ours. */
const UNUSUAL = /(?! )[\p{Zs}\p{Cn}\u2800\u{1d159}\u{16fe4}\u{13441}\u{13442}│↳␠␤]/gu
/** More marks on one letter than any script needs: they would be drawn over the lines around it. */
const STACKED = /(?<=\p{M}{4})\p{M}/gu
const ASCII = /^[ -~]*$/

const writtenOut = (character: string): string => `\\u{${(character.codePointAt(0) as number).toString(16)}}`

/** On one line, with every character written out that is not seen, is drawn over others, or is a mark of ours. */
export const escapeUnseen = (text: string): string =>
  ASCII.test(text) ? text : escapeHidden(text).replace(UNUSUAL, writtenOut).replace(STACKED, writtenOut)

/** The same, with long runs of blanks counted. */
const visibleLine = (text: string): string => escapeUnseen(text).replace(LONG_BLANKS, ({ length }) => `[␠×${length}]`)

/** Lines of others, with marks. Each is one line of text, which is made visible and folded. */
export const foreignLines = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => marked(foldColumns(visibleLine(line), roomBesideMarks())))

/** The first piece begins a line, the others continue it. */
const marked = (pieces: readonly string[]): string[] =>
  pieces.map((piece, index) => `${index === 0 ? FIRST : NEXT}${piece}`)

/** JSON on as few lines as it needs, whole or cut at `most` characters. `more` follows the cut. */
export function foreignJsonLine(json: string, most: number, more: string): string[] {
  const line = visibleLine(json)
  const shown = line.length <= most ? line : `${clip(line, most)} ${more}`
  return marked(foldColumns(shown, roomBesideMarks()))
}

/** Prose: wrapped between words, in paragraphs, all of it indented by `by`. Rows of empty lines are counted. */
export function foreignProse(text: string, by = 0): string[] {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/(\n{3,})|\n/)
    .filter((line) => line !== undefined)
  return lines.flatMap((line) => {
    if (line.startsWith('\n')) return [`${FIRST}${' '.repeat(by)}[␤×${line.length}]`]
    const indent = by + Math.min(8, line.length - line.trimStart().length)
    const words = foldWords(visibleLine(line.replaceAll('\t', '  ').trim()), roomBesideMarks() - indent)
    return words.map((piece) => `${FIRST}${' '.repeat(indent)}${piece}`.trimEnd())
  })
}

/** Cut between words. A word that is wider than a line is cut anywhere. */
export function foldWords(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ +/)) {
    const joined = line === '' ? word : `${line} ${word}`
    if (textColumns(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = foldColumns(word, width)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return [...lines, line]
}

/** Deeper values are on one line: indentation is a run of blanks, too. */
const MAX_DEPTH = 8
const SHORT_LIST = 60
/** After a line break in a JSON text, unless the text ends there or another one follows. */
const AFTER_BREAK = /(?<=(?<!\\)(?:\\\\)*\\n)(?!\\n|")/

/** A value that is shown as words and not as JSON; undefined for every other value. Texts have quotes, so none looks like the words. */
type ValueWords = (value: unknown) => string | undefined

const NO_WORDS: ValueWords = () => undefined

/** JSON, indented, with one member a line. */
export function foreignJson(value: unknown, words: ValueWords = NO_WORDS): string[] {
  const lines: string[] = []
  writeJson({ value, depth: 0, before: '', after: '' }, words, lines)
  return lines
}

interface JsonPart {
  readonly value: unknown
  readonly depth: number
  /** the name, with its colon */
  readonly before: string
  /** a comma, or nothing */
  readonly after: string
}

function writeJson({ value, depth, before, after }: JsonPart, words: ValueWords, lines: string[]): void {
  const indent = '  '.repeat(depth)
  const write = (text: string): void => {
    const width = roomBesideMarks() - indent.length
    // A text of several lines is read line by line.
    const pieces = text.split(AFTER_BREAK).flatMap((part) => foldColumns(visibleLine(part), width))
    for (const line of marked(pieces.map((piece) => indent + piece))) lines.push(line)
  }
  const members = membersOf(value, depth, words)
  if (members === undefined) return write(`${before}${words(value) ?? JSON.stringify(value)}${after}`)
  const isList = Array.isArray(value)
  write(`${before}${isList ? '[' : '{'}`)
  for (const [index, [name, member]] of members.entries()) {
    const label = isList ? '' : `${JSON.stringify(name)}: `
    const comma = index === members.length - 1 ? '' : ','
    writeJson({ value: member, depth: depth + 1, before: label, after: comma }, words, lines)
  }
  write(`${isList ? ']' : '}'}${after}`)
}

/** Undefined: the value is on one line. */
function membersOf(value: unknown, depth: number, words: ValueWords): [string, unknown][] | undefined {
  if (depth >= MAX_DEPTH || words(value) !== undefined) return undefined
  if (Array.isArray(value)) {
    const isShort = value.every((item) => typeof item !== 'object' || item === null)
    return isShort && JSON.stringify(value).length <= SHORT_LIST ? undefined : Object.entries(value)
  }
  return isObject(value) && Object.keys(value).length > 0 ? Object.entries(value) : undefined
}
