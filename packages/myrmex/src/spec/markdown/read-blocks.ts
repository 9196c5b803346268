/**
 * The blocks of a text as mdast nodes with their positions. markdown-it finds the blocks in linear time. Inline content and the
 * cells of tables are read here and in inline.ts, because markdown-it reports only the lines of a block.
 */
import MarkdownIt, { type Token } from 'markdown-it'
import type { Code, Heading, ListItem, RootContent, TableCell, TableRow } from 'mdast'
import type { MarkdownFault } from '../document.ts'
import { parseInline } from './inline.ts'
import { type Lines, lineAt, positionOf } from './lines.ts'

export interface Blocks {
  readonly nodes: readonly RootContent[]
  readonly faults: readonly MarkdownFault[]
}

/** Lists count twice, for the list and the item. */
const MAX_NESTING = 100

/** Makes no tokens for the rows and cells of a table, which are read here: they would take most of the time. */
class BlockState extends MarkdownIt.StateBlock {
  private static readonly ignored = new MarkdownIt.Token('', '', 0)

  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const isInTable = this.parentType === 'table' && !type.startsWith('table_')
    return isInTable ? BlockState.ignored : super.push(type, tag, nesting)
  }
}

const parser = new MarkdownIt({ html: true, maxNesting: MAX_NESTING })
parser.block.State = BlockState
const { ruler } = parser.block
// Definitions (`[a]: b`) would change the meaning of brackets far away from them.
ruler.disable('reference')

type Rule = ReturnType<typeof ruler.getRules>[number]
const [tableRule] = ruler.getRules('') as [Rule]
/** markdown-it ends a table at a line that `trim` empties. Only spaces and tabs make a line blank, so it gets other characters to see. */
const isTable: Rule = (state, line, end, silent) => {
  const { src } = state
  state.src = state.env.forTables as string
  try {
    return tableRule(state, line, end, silent)
  } finally {
    state.src = src
  }
}
/** Fences, quotes, rules, lists, HTML and headings. */
const otherBlocks = ruler.getRules('blockquote')
// markdown-it tries tables first, and so takes a heading or an item above a row of dashes for the header of one.
ruler.at(
  'table',
  (state, line, end, silent) =>
    isTable(state, line, end, true) &&
    !otherBlocks.some((isOther) => isOther(state, line, end, true)) &&
    isTable(state, line, end, silent),
  { alt: ['paragraph', 'reference'] },
)
// It never matches, but is asked before every block: it notes where the block of the next token starts.
ruler.before('table', 'start', ({ env, tokens, bMarks, tShift }, line) => {
  const starts = env.starts as number[]
  starts[tokens.length] = (bMarks[line] as number) + (tShift[line] as number)
  return false
})

export function readBlocks(lines: Lines): Blocks {
  const tokens: Token[] = []
  const starts: number[] = []
  parser.block.parse(lines.text, parser, { starts, forTables: withoutOddSpaces(lines) }, tokens)
  return { nodes: new BlockReader(lines, tokens, starts).blocks(0), faults: tooDeep(tokens) }
}

/** Only spaces and tabs are blank. Others, such as a byte order mark, are a character like any other, although `trim` removes them. */
const isBlank = (text: string): boolean => !/[^ \t]/.test(text)

/** The text, with a visible character for every odd space in a line that has nothing else. */
function withoutOddSpaces(lines: Lines): string {
  const parts: string[] = []
  let done = 0
  for (const [line, start] of lines.starts.entries()) {
    const text = lineAt(lines, line)
    if (text.trim() !== '' || isBlank(text)) continue
    parts.push(lines.text.slice(done, start), text.replace(/[^ \t]/g, '.'))
    done = start + text.length
  }
  return parts.length === 0 ? lines.text : parts.join('') + lines.text.slice(done)
}

/** One fault for every top-level block that is nested too deeply. */
function tooDeep(tokens: readonly Token[]): MarkdownFault[] {
  const faults: MarkdownFault[] = []
  let [first, next] = [0, 0]
  for (const { type, level, map } of tokens) {
    if (map === null) continue
    if (level === 0) [first, next] = map
    const isContainer = type === 'blockquote_open' || type === 'list_item_open'
    const isReported = faults.at(-1)?.location.line === first + 1
    if (isContainer && level >= MAX_NESTING - 1 && !isReported) faults.push(unreadable(first, next))
  }
  return faults
}

const unreadable = (first: number, next: number): MarkdownFault => {
  const which = next - first === 1 ? `Line ${next} was` : `Lines ${first + 1} to ${next} were`
  const message = `${which} not read completely: lists and quotes are nested more than ${MAX_NESTING} levels deep. Make this part simpler.`
  return { location: { line: first + 1, column: 1 }, rule: 'unreadable', message }
}

class BlockReader {
  private index = 0
  private readonly lines: Lines
  private readonly tokens: readonly Token[]
  /** offset of the block that begins with the token of this index */
  private readonly starts: readonly number[]

  constructor(lines: Lines, tokens: readonly Token[], starts: readonly number[]) {
    this.lines = lines
    this.tokens = tokens
    this.starts = starts
  }

  /** The blocks up to the end of their container. `quotes` is how many quotes they are in. */
  blocks(quotes: number): RootContent[] {
    const nodes: RootContent[] = []
    while (this.tokens[this.index]?.nesting !== -1 && this.index < this.tokens.length) nodes.push(this.block(quotes))
    this.index++
    return nodes
  }

  private block(quotes: number): RootContent {
    const { lines } = this
    const index = this.index++
    const token = this.tokens[index] as Token
    const [first, next] = token.map as [number, number]
    const from = this.startOfBlock(index, token.type)
    const to = this.endOf(first, next)
    const position = positionOf(lines, from, to)
    switch (token.type) {
      case 'heading_open':
        this.index += 2
        return { ...this.heading(token, this.tokens[index + 1] as Token, from, quotes), position }
      case 'paragraph_open':
        this.index += 2
        return { type: 'paragraph', children: parseInline(lines, { from, to, quotes }), position }
      case 'blockquote_open':
        return { type: 'blockquote', children: this.blocks(quotes + 1) as never, position }
      case 'bullet_list_open':
      case 'ordered_list_open':
        return { type: 'list', children: this.items(from, quotes), position }
      case 'table_open':
        this.index++
        return { type: 'table', children: this.rows(first, next, from, quotes), position }
      case 'fence':
      case 'code_block':
        return { ...codeNode(token), position }
      case 'html_block':
        return { type: 'html', value: lines.text.slice(from, to), position }
      default:
        return { type: 'thematicBreak', position }
    }
  }

  /** Indentation belongs to indented code and HTML, and to no other block. */
  private startOfBlock(index: number, type: string): number {
    let start = this.starts[index] as number
    if (type === 'code_block' || type === 'html_block') while (/[ \t]/.test(this.lines.text[start - 1] ?? '')) start--
    return start
  }

  /** The end of a block. The lines of lists and quotes include empty ones after them. */
  private endOf(first: number, next: number): number {
    let last = next - 1
    while (last > first && isBlank(lineAt(this.lines, last))) last--
    return this.lines.ends[last] as number
  }

  /** Where a further line of a list or a table starts, after the marks of the quotes that it is in. */
  private startOf(line: number): number {
    return (this.lines.starts[line] as number) + (/^[ \t>]*/.exec(lineAt(this.lines, line))?.[0].length ?? 0)
  }

  private heading({ tag, markup }: Token, { content, map }: Token, start: number, quotes: number): Heading {
    const isUnderlined = !markup.startsWith('#')
    const from = isUnderlined ? start : this.lines.text.indexOf(content, start + markup.length)
    const to = isUnderlined ? this.endOf(...(map as [number, number])) : from + content.length
    const children = parseInline(this.lines, { from, to, quotes })
    return { type: 'heading', depth: Number(tag.slice(1)) as Heading['depth'], children }
  }

  private items(start: number, quotes: number): ListItem[] {
    const items: ListItem[] = []
    while (this.tokens[this.index]?.type === 'list_item_open') {
      const [first, next] = (this.tokens[this.index++] as Token).map as [number, number]
      const from = items.length === 0 ? start : this.startOf(first)
      const position = positionOf(this.lines, from, this.endOf(first, next))
      items.push({ type: 'listItem', children: this.blocks(quotes) as never, position })
    }
    this.index++
    return items
  }

  private rows(first: number, next: number, start: number, quotes: number): TableRow[] {
    const rows = [this.row(start, first, quotes)]
    for (let line = first + 2; line < next; line++) rows.push(this.row(this.startOf(line), line, quotes))
    return rows
  }

  private row(start: number, line: number, quotes: number): TableRow {
    const end = this.lines.ends[line] as number
    const children = cellsOf(this.lines.text, start, end).map(
      ([from, to]): TableCell => ({
        type: 'tableCell',
        children: parseInline(this.lines, { from, to, quotes, cell: true }),
        position: positionOf(this.lines, from, to),
      }),
    )
    return { type: 'tableRow', children, position: positionOf(this.lines, start, end) }
  }
}

function codeNode({ info, content }: Token): Code {
  const [lang = ''] = parser.utils.unescapeAll(info.trim()).split(/[ \t]/)
  return { type: 'code', lang: lang === '' ? null : lang, value: content.replace(/\n$/, '') }
}

/** Where the cells of a row are. A pipe ends a cell even within code, unless a backslash is before it. */
function cellsOf(text: string, start: number, end: number): [from: number, to: number][] {
  const cells: [number, number][] = []
  let from = text[start] === '|' ? start + 1 : start
  for (let at = from; at < end; at++) {
    const character = text[at]
    if (character === '\\' && (text[at + 1] === '\\' || text[at + 1] === '|')) at++
    else if (character === '|') {
      cells.push([from, at])
      from = at + 1
    }
  }
  if (!isBlank(text.slice(from, end))) cells.push([from, end])
  return cells
}
