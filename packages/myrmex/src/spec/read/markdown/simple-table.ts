/** Reads a table whose rows all begin with a pipe in the first column. The parser is slow with tables. */
import type { Table, TableCell, TableRow } from 'mdast'
import { parseInline } from './inline.ts'
import { type Lines, lineAt, positionOf } from './lines.ts'
import { isBlank, type SimpleBlock, startsBlock } from './simple-blocks.ts'

const DELIMITERS = /^\|(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?)?[ \t]*$/

export function simpleTable(lines: Lines, index: number): SimpleBlock | undefined {
  if (index + 1 >= lines.count || !DELIMITERS.test(lineAt(lines, index + 1))) return undefined
  const head = cellsOf(lines, index)
  const delimiters = cellsOf(lines, index + 1)
  if (head.length === 0 || head.length !== delimiters.length) return undefined
  const rows = [rowNode(lines, index, head)]
  let next = index + 2
  for (; next < lines.count; next++) {
    const line = lineAt(lines, next)
    if (isBlank(line) || startsBlock(line)) break
    if (!line.startsWith('|')) return undefined
    const cells = cellsOf(lines, next)
    if (cells.length === 0) return undefined
    rows.push(rowNode(lines, next, cells))
  }
  const position = positionOf(lines, lines.starts[index] as number, lines.ends[next - 1] as number)
  const node: Table = { type: 'table', children: rows, position }
  return { node, next }
}

type Span = readonly [from: number, to: number]

/** Where the cells of a row stand. A pipe parts two cells even within code, unless a backslash stands before it. */
function cellsOf(lines: Lines, index: number): Span[] {
  const { text } = lines
  const to = lines.ends[index] as number
  const cells: Span[] = []
  let from = (lines.starts[index] as number) + 1
  let at = from
  for (; at < to; at++) {
    const character = text[at]
    if (character === '\\' && (text[at + 1] === '\\' || text[at + 1] === '|')) at++
    else if (character === '|') {
      cells.push([from, at])
      from = at + 1
    }
  }
  if (text.slice(from, to).trim() !== '') cells.push([from, to])
  return cells
}

function rowNode(lines: Lines, index: number, cells: readonly Span[]): TableRow {
  const children = cells.map(([from, to]): TableCell => {
    return {
      type: 'tableCell',
      children: parseInline(lines, { from, to, cell: true }),
      position: positionOf(lines, from, to),
    }
  })
  const position = positionOf(lines, lines.starts[index] as number, lines.ends[index] as number)
  return { type: 'tableRow', children, position }
}
