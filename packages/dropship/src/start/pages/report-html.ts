/** Renders a report's Markdown as HTML: the few constructs that reports use. All data is escaped. */
import { escapeHtml } from 'myrmex/text'
import { htmlTable } from './layout.ts'

const FENCE = '```'

/** Headings, tables, lists, code blocks and paragraphs. The first heading is omitted, because the page has its own. */
export function reportHtml(text: string): string {
  const lines = text.split('\n')
  const parts: string[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const kind = blockKind(line)
    let end = at + 1
    if (kind === 'fence') while (end < lines.length && !(lines[end] ?? '').startsWith(FENCE)) end++
    else if (kind !== 'heading') while (end < lines.length && blockKind(lines[end] ?? '') === kind) end++
    parts.push(BLOCK_HTML[kind](lines.slice(at, end)))
    at = kind === 'fence' ? end + 1 : end
  }
  return parts.filter((part) => part !== '').join('\n')
}

type BlockKind = 'blank' | 'fence' | 'heading' | 'table' | 'list' | 'words'

function blockKind(line: string): BlockKind {
  if (line.trim() === '') return 'blank'
  if (line.startsWith(FENCE)) return 'fence'
  if (/^#{1,6} /.test(line)) return 'heading'
  if (line.startsWith('|')) return 'table'
  return line.startsWith('- ') ? 'list' : 'words'
}

const BLOCK_HTML: Readonly<Record<BlockKind, (lines: readonly string[]) => string>> = {
  blank: () => '',
  // It can be wider than the screen, and tabindex lets the keyboard scroll it.
  fence: ([, ...lines]) => `<pre tabindex="0">${escapeHtml(lines.join('\n'))}</pre>`,
  heading: ([line = '']) => (line.startsWith('# ') ? '' : `<h2>${inlineHtml(line.replace(/^#+ /, ''))}</h2>`),
  table,
  list: (lines) => `<ul>${lines.map((line) => `<li>${inlineHtml(line.slice(2))}</li>`).join('')}</ul>`,
  words: (lines) => `<p>${inlineHtml(lines.join(' '))}</p>`,
}

function table([head = '', rule = '', ...rows]: readonly string[]): string {
  const isNumber = tableCells(rule).map((one) => one.endsWith(':'))
  const cells = (line: string): string[] => tableCells(line).map(inlineHtml)
  return `<div class="scroll" tabindex="0">${htmlTable(cells(head), rows.map(cells), isNumber)}</div>`
}

/** The texts between the bars. A bar after a backslash is part of the text. */
const tableCells = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

/** A backslash escapes the next character, so that stars after one are not bold. */
const inlineHtml = (text: string): string =>
  escapeHtml(text)
    .replace(/(?<!\\)\*\*(.+?)(?<!\\)\*\*/g, '<strong>$1</strong>')
    .replace(/\\(&(?:lt|gt|amp|quot|#39);|[!-/:-@[-`{-~])/g, '$1')
