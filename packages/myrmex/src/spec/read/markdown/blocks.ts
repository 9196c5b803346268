/**
 * The top-level blocks of a text as mdast nodes. Unambiguous lines are read directly. Other runs of lines go to the Markdown
 * parser, up to the next line that certainly starts a block. The result equals that of the parser, in a fraction of the time.
 */
import type { RootContent } from 'mdast'
import type { MarkdownFault } from '../../document.ts'
import { type Lines, lineAt } from './lines.ts'
import { parseBlocks } from './parsed-blocks.ts'
import { isBlank, isFence, simpleBlock, startsBlock, startsBlockAfterBlank } from './simple-blocks.ts'

export interface Blocks {
  readonly nodes: readonly RootContent[]
  readonly faults: readonly MarkdownFault[]
}

export function readBlocks(lines: Lines): Blocks {
  const nodes: RootContent[] = []
  const faults: MarkdownFault[] = []
  let [index, asked, told] = [0, 0, false]
  while (index < lines.count) {
    if (isBlank(lineAt(lines, index))) {
      index++
      continue
    }
    const certain = simpleBlock(lines, index)
    if (certain?.node !== undefined) {
      nodes.push(certain.node)
      index = certain.next
      continue
    }
    const next = Math.min(certain?.next ?? afterRun(lines, index), lines.count)
    const why = tooMuch(lines, index, next, asked)
    if (why === undefined) {
      for (const node of parseBlocks(lines, index, next)) nodes.push(node)
      asked += charactersIn(lines, index, next)
    } else if (why !== TOO_MUCH_IN_ALL || !told) {
      // There may be thousands of runs after this one: it is told once.
      told ||= why === TOO_MUCH_IN_ALL
      faults.push(unreadable(index, next, why))
    }
    index = next
  }
  return { nodes, faults }
}

/** For the tests: all of it by the Markdown parser. */
export const parseAllBlocks = (lines: Lines): Blocks => ({ nodes: parseBlocks(lines, 0, lines.count), faults: [] })

const LIST_ITEM = /^(?:([-*+])|(\d{1,9})[.)])( {1,4}(?=\S)| (?= {4}))/
const THEMATIC = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
/** HTML that can go on after an empty line. */
const LASTING_HTML = /^ {0,3}<(?:[!?]|script|pre|style|textarea)/i

/** What is known of the lines of a run so far. */
interface Run {
  /** lines indented so far are within a list item */
  item: number | undefined
  /** the line before was empty */
  blank: boolean
  /** HTML that the next empty line ends may be open */
  html: boolean
  /** a fence or HTML that an empty line does not end may be open, so that nothing is certain any more */
  lost: boolean
}

/** The line after a run that begins here: one that surely begins another block, at the top level. */
function afterRun(lines: Lines, first: number): number {
  const run: Run = { item: undefined, blank: true, html: false, lost: false }
  for (let index = first; index < lines.count; index++) {
    const line = lineAt(lines, index)
    if (index > first && isCut(run, line, charactersIn(lines, first, index))) return index
    goOn(run, line)
    if (run.lost) return lines.count
  }
  return lines.count
}

/** Each question to the parser has its price: quotes and HTML are parted only where there are enough of them. */
const ENOUGH = 4096

function isCut(run: Run, line: string, length: number): boolean {
  if (!run.html && startsBlock(line)) return true
  return run.blank && (startsBlockAfterBlank(line) || (length > ENOUGH && /^[<>]/.test(line)))
}

function goOn(run: Run, line: string): void {
  if (isBlank(line)) {
    run.blank = true
    run.html = false
    return
  }
  const indent = /^ */.exec(line)?.[0].length ?? 0
  const within = run.item !== undefined && indent >= run.item
  if (!within) {
    run.item = itemIndent(run, line)
    if (run.item === undefined) {
      run.lost = LASTING_HTML.test(line) || isFence(line)
      run.html ||= /^ {0,3}</.test(line)
    }
  }
  run.blank = false
}

/** How far lines must be indented to belong to the list item that this line begins, if it surely begins one. */
function itemIndent(run: Run, line: string): number | undefined {
  if (run.html || THEMATIC.test(line)) return undefined
  const [lead, bullet, number] = LIST_ITEM.exec(line) ?? []
  if (lead === undefined) return undefined
  const canBegin = bullet !== undefined || run.blank || run.item !== undefined || Number(number) === 1
  return canBegin ? lead.length : undefined
}

/** Of a run, and of all runs of a document: a real one has lists of some hundred lines at most. */
const MAX_LINES = 2000
const MAX_CHARACTERS = 1 << 16
const MAX_ALL_CHARACTERS = 1 << 19
const TOO_MUCH_IN_ALL = `with others before them more than ${MAX_ALL_CHARACTERS} characters`
const MAX_DEPTH = 100
const MAX_UNDERLINES = 1000
/** A line that opens this many lists and quotes, or a list this far to the right. */
const DEEP = new RegExp(
  `^[ \\t]*(?:>[ \\t]*|(?:[-*+]|\\d{1,9}[.)])[ \\t]+){${MAX_DEPTH}}|^[ \\t]{${2 * MAX_DEPTH},}(?:[-*+>]|\\d{1,9}[.)])`,
)
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/

/** Why the parser is not asked: its time grows with the square of these. */
function tooMuch(lines: Lines, first: number, next: number, asked: number): string | undefined {
  const characters = charactersIn(lines, first, next)
  if (next - first > MAX_LINES) return `more than ${MAX_LINES} lines`
  if (characters > MAX_CHARACTERS) return `more than ${MAX_CHARACTERS} characters`
  if (asked + characters > MAX_ALL_CHARACTERS) return TOO_MUCH_IN_ALL
  let underlines = 0
  for (let index = first; index < next; index++) {
    const line = lineAt(lines, index)
    if (DEEP.test(line)) return `more than ${MAX_DEPTH} levels`
    if (UNDERLINE.test(line) && ++underlines > MAX_UNDERLINES) return `more than ${MAX_UNDERLINES} underlines`
  }
  return undefined
}

const charactersIn = ({ starts, ends }: Lines, first: number, next: number): number =>
  (ends[next - 1] as number) - (starts[first] as number)

const unreadable = (first: number, next: number, why: string): MarkdownFault => ({
  location: { line: first + 1, column: 1 },
  rule: 'unreadable',
  message: `Lines ${first + 1} to ${next} were not read, as they have ${why} of nested lists, quotes, HTML or the like. Make this part simpler, or part it by headings.`,
})
