/**
 * Inline content of paragraphs, headings and cells: text, code, breaks, emphasis, links. It takes linear time for any input,
 * unlike the Markdown parser. Texts escaped by spec/markdown/text.ts are read back exactly.
 */
import type { PhrasingContent } from 'mdast'
import { type Lines, positionOf } from './lines.ts'

/** Deeper than this, asterisks are only asterisks. */
const MAX_DEPTH = 4

export interface InlineRange {
  readonly from: number
  readonly to: number
  /** how many `>` may be before each further line */
  readonly quotes?: number
  /** in a cell of a table a pipe within code is escaped too */
  readonly cell?: boolean
}

export function parseInline(lines: Lines, at: InlineRange): PhrasingContent[] {
  return new Inline(lines, at, 0).nodes()
}

/** The words of it, without any marks: code without backticks, links as what they show. */
export function wordsOf(nodes: readonly PhrasingContent[]): string {
  let words = ''
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'inlineCode') words += node.value
    else if (node.type === 'break' || node.type === 'html') words += '\n'
    else if (node.type === 'image') words += node.alt ?? ''
    else if ('children' in node) words += wordsOf(node.children)
  }
  return words
}

const ESCAPABLE = /[!-/:-@[-`{-~]/
const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|nbsp|copy));/y
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00A0', copy: '©' }
const LINE_BREAK_TAG = /<br[ \t]*\/?>/iy
const LINK = /(!?)\[((?:[^[\]\\\n]|\\.)*)\]\(([^()\s]*)(?:[ \t]+"[^"\n]*")?\)/y
/** A pipe means nothing here, but it ends a cell: nobody looks further than the next one. */
const SPECIAL = /[\\`*_[!&<\n|]/g
const RUN = /([*_])\1*/y
const TICKS = /`+/y
const WORD = /[\p{L}\p{N}]/u

class Inline {
  private readonly text: string
  private readonly done: PhrasingContent[] = []
  private readonly at: InlineRange
  /** marks that have no closing one any more, so that nobody looks twice */
  private readonly unclosed = new Set<string>()
  private plain: string[] = []
  /** the last part is unchanged from the source */
  private raw = false
  private plainFrom: number
  private here: number
  private readonly to: number
  private readonly lines: Lines
  private readonly depth: number

  constructor(lines: Lines, at: InlineRange, depth: number) {
    this.lines = lines
    this.text = lines.text
    this.at = at
    this.depth = depth
    let { from, to } = at
    while (from < to && isBlank(this.text.charCodeAt(from))) from++
    while (to > from && isBlank(this.text.charCodeAt(to - 1))) to--
    this.here = from
    this.plainFrom = from
    this.to = to
  }

  nodes(): PhrasingContent[] {
    while (this.here < this.to) {
      SPECIAL.lastIndex = this.here
      const next = Math.min(SPECIAL.exec(this.text)?.index ?? this.to, this.to)
      if (next > this.here) {
        this.say(this.text.slice(this.here, next), next)
        this.raw = true
      }
      if (next < this.to) this.special(this.text[next] as string)
    }
    this.flush(this.to)
    return this.done
  }

  private special(character: string): void {
    if (character === '\\') this.backslash()
    else if (character === '`') this.code()
    else if (character === '*' || character === '_') this.bold()
    else if (character === '[' || character === '!') this.link()
    else if (character === '&') this.reference()
    else if (character === '<') this.tag()
    else if (character === '|') this.say('|', this.here + 1)
    else this.lineEnd()
  }

  /** Plain text; what it is called in the source ends at `end`. */
  private say(text: string, end: number): void {
    if (this.plain.length === 0) this.plainFrom = this.here
    this.plain.push(text)
    this.raw = false
    this.here = end
  }

  private flush(end: number): void {
    const value = this.plain.join('')
    if (value !== '') {
      this.done.push({ type: 'text', value, position: positionOf(this.lines, this.plainFrom, end) })
    }
    this.plain = []
  }

  private push(node: PhrasingContent, end: number): void {
    this.flush(this.here)
    node.position = positionOf(this.lines, this.here, end)
    this.done.push(node)
    this.here = end
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.here
    const found = pattern.exec(this.text)
    return found !== null && pattern.lastIndex <= this.to ? found : undefined
  }

  private backslash(): void {
    const next = this.here + 1 < this.to ? (this.text[this.here + 1] as string) : ''
    if (next === '\n') {
      this.push({ type: 'break' }, this.here + 1)
      this.nextLine()
    } else if (next !== '' && ESCAPABLE.test(next)) this.say(next, this.here + 2)
    else this.say('\\', this.here + 1)
  }

  private code(): void {
    const ticks = this.match(TICKS)?.[0] ?? this.text.slice(this.here, this.to)
    const close = this.closer(ticks, () => true)
    if (close === undefined) return this.say(ticks, this.here + ticks.length)
    const value = this.codeText(this.text.slice(this.here + ticks.length, close))
    this.push({ type: 'inlineCode', value }, close + ticks.length)
  }

  private codeText(raw: string): string {
    let value = raw.replace(this.at.quotes ? /\n[ \t>]*/g : /\n[ \t]*/g, ' ')
    if (this.at.cell) value = value.replaceAll('\\|', '|')
    return value.startsWith(' ') && value.endsWith(' ') && value.trim() !== '' ? value.slice(1, -1) : value
  }

  private bold(): void {
    const run = this.match(RUN)?.[0] ?? (this.text[this.here] as string)
    const inner = this.here + run.length
    const closes = (before: string, after: string): boolean =>
      !/[\s\\]/.test(before) && !(run[0] === '_' && WORD.test(after))
    const close = run.length <= 3 && this.depth < MAX_DEPTH && this.opens(run) ? this.closer(run, closes) : undefined
    if (close === undefined) return this.say(run, inner)
    const children = new Inline(this.lines, { ...this.at, from: inner, to: close }, this.depth + 1).nodes()
    this.push({ type: run.length === 1 ? 'emphasis' : 'strong', children }, close + run.length)
  }

  private opens(run: string): boolean {
    const after = this.text[this.here + run.length] ?? ' '
    const before = this.text[this.here - 1] ?? ' '
    return !/\s/.test(after) && !(run[0] === '_' && WORD.test(before))
  }

  /** Where the next run of the same length is that closes this one. */
  private closer(run: string, closes: (before: string, after: string) => boolean): number | undefined {
    if (this.unclosed.has(run)) return undefined
    const from = this.here + run.length
    let at = from
    while (true) {
      at = this.text.indexOf(run, at)
      if (at < 0 || at + run.length > this.to) break
      let end = at
      while (this.text[end] === run[0]) end++
      if (end - at === run.length && at > from && closes(this.text[at - 1] ?? ' ', this.text[end] ?? ' ')) return at
      at = end
    }
    this.unclosed.add(run)
    return undefined
  }

  private link(): void {
    const found = this.match(LINK)
    if (found === undefined) return this.say(this.text[this.here] as string, this.here + 1)
    const [whole, image, text = '', url = ''] = found
    const end = this.here + whole.length
    if (image) return this.push({ type: 'image', alt: text, url }, end)
    const from = this.here + 1
    const deeper = this.depth < MAX_DEPTH
    const at = { ...this.at, from, to: from + text.length }
    this.push(
      { type: 'link', url, children: deeper ? new Inline(this.lines, at, this.depth + 1).nodes() : [] } as never,
      end,
    )
  }

  private reference(): void {
    const found = this.match(REFERENCE)
    if (found === undefined) return this.say('&', this.here + 1)
    const [whole, decimal, hexadecimal, name] = found
    const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hexadecimal ?? '', 16)
    this.say(name ? (NAMED[name] as string) : characterOf(code), this.here + whole.length)
  }

  private tag(): void {
    const found = this.match(LINE_BREAK_TAG)
    if (found === undefined) return this.say('<', this.here + 1)
    this.push({ type: 'html', value: found[0] }, this.here + found[0].length)
  }

  /** Blanks before it are dropped; two or more of them make it a break. Those of references stay. */
  private lineEnd(): void {
    const last = this.raw ? (this.plain.pop() ?? '') : ''
    const trimmed = last.replace(/[ \t]+$/, '')
    if (trimmed !== '') this.plain.push(trimmed)
    if (/ {2,}$/.test(last)) this.push({ type: 'break' }, this.here)
    else this.say('\n', this.here)
    this.nextLine()
  }

  /** Past the line end and whatever opens the next line without being part of the text. */
  private nextLine(): void {
    this.here++
    let quotes = this.at.quotes ?? 0
    while (this.here < this.to) {
      const code = this.text.charCodeAt(this.here)
      if (code === 62 && quotes > 0) quotes--
      else if (!isBlank(code)) break
      this.here++
    }
  }
}

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10

/** Characters that no reference may stand for are shown as the replacement character. */
const NO_CHARACTER = /[\p{Cs}\p{Noncharacter_Code_Point}]|[^\P{Cc}\t\n\f\r]/u

function characterOf(code: number): string {
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
  return NO_CHARACTER.test(character) ? '\uFFFD' : character
}
