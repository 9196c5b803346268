/** The errors of a section: in a table, below their own headings, or as list items. */
import type { Paragraph, PhrasingContent, RootContent, Table } from 'mdast'
import type { DocumentError } from '../../document.ts'
import { wordsOf } from '../../markdown/inline.ts'
import type { Lines } from '../../markdown/lines.ts'
import { endOffset, inlineBetween, locationOf, nodesOf, nodesOfType, startOffset } from '../../markdown/nodes.ts'
import { readInline, readText } from '../../markdown/text.ts'
import type { Piece } from '../pieces.ts'
import { isDecoration } from '../section-names.ts'
import { isProseColumn } from './table.ts'

/** If there is a table, it is the list; other lists beside it are about errors that every tool has. */
export function errorsIn(pieces: readonly Piece[], lines: Lines): DocumentError[] {
  const nodes = nodesOf(pieces)
  const tables = nodes.filter((node) => node.type === 'table').flatMap((table) => fromTable(table, lines))
  if (tables.length > 0) return tables
  const headings = fromHeadings(pieces, lines)
  if (headings.length > 0) return headings
  return [...nodesOfType(nodes, 'paragraph')].flatMap((paragraph) => fromParagraph(paragraph, lines) ?? [])
}

function fromTable(node: Table, { text }: Lines): DocumentError[] {
  const [head, ...rows] = node.children
  const columns = (head?.children ?? []).map(({ children }) => wordsOf(children))
  // Some put the status of HTTP first.
  const named = Math.max(
    0,
    columns.findIndex((column) => TYPE_COLUMN.test(column)),
  )
  const prose = columns.findIndex((column, index) => index > 0 && index !== named && isProseColumn(column))
  const condition = prose > 0 ? prose : named === 1 ? 2 : 1
  return rows.flatMap((row) => {
    const type = wordsOf(row.children[named]?.children ?? []).trim()
    const when = readInline(row.children[condition]?.children ?? [], text)
    return type === '' ? [] : [{ location: locationOf(row), type, condition: when }]
  })
}

const TYPE_COLUMN = /^\W*(?:error[ _]?(?:types?|name|class)|exceptions?(?: types?)?)\W*$/i

/** As error types are written: one word that begins with a capital, or code. */
export const TYPE = /^[A-Za-z_][\w.-]*$/

function fromHeadings(pieces: readonly Piece[], { text }: Lines): DocumentError[] {
  const found: { piece: Exclude<Piece, { kind: 'block' }>; nodes: RootContent[] }[] = []
  let nodes: RootContent[] = []
  for (const piece of pieces) {
    if (piece.kind === 'block') {
      nodes.push(piece.node)
      continue
    }
    nodes = piece.kind === 'label' && piece.rest ? [piece.rest] : []
    const isType =
      TYPE.test(piece.text) && (piece.kind === 'heading' ? !REMARK.test(piece.text) : looksLikeType(piece.text))
    if (isType) found.push({ piece, nodes })
  }
  return found.map(({ piece, nodes }) => ({
    location: locationOf(piece.node),
    type: piece.text,
    condition: readText(nodes, text),
  }))
}

const looksLikeType = (word: string): boolean =>
  /^[A-Z]\w*[a-z]\w*$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(word) && !REMARK.test(word)

/** Words that open a remark about errors. */
const REMARK =
  /^(?:Notes?|Important|Warning|Tip|Hint|Caution|Throws|Raises|Returns?|Errors?|Exceptions?|Failures?|Examples?|Behaviou?r|Format|Response|Structure|Retry|Retries|Recovery|Logging|Common|Otherwise|Also|See)$/

const SEPARATOR = /[ \t]*(?:\([^()\n]*\)[ \t]*)?(?:[:：]|[-–—](?=[ \t\n])|=>|→)[ \t\n]*/y
const PLAIN = /^([A-Za-z_][\w.-]*)\s*(?:[:：]|[-–—](?=\s))/

/** `FileNotFoundError`: If there is no such file. */
function fromParagraph(node: Paragraph, lines: Lines): DocumentError | undefined {
  const opening = openingOf(node.children.find((child) => !isPicture(child)))
  if (opening === undefined) return undefined
  const { type, to } = opening
  SEPARATOR.lastIndex = to
  const found = SEPARATOR.exec(lines.text)
  if (found === null && !opening.parted && to < endOffset(node)) return undefined
  const from = Math.min(to + (found?.[0].length ?? 0), endOffset(node))
  const condition = readInline(inlineBetween(lines, from, endOffset(node)), lines.text)
  return { location: locationOf(node), type, condition }
}

/** Such as a warning sign before the type. */
const isPicture = (node: PhrasingContent): boolean => node.type === 'text' && isDecoration(node.value)

interface ItemOpening {
  readonly type: string
  /** where it ends */
  readonly to: number
  /** the colon is part of it */
  readonly parted: boolean
}

function openingOf(first: PhrasingContent | undefined): ItemOpening | undefined {
  if (first === undefined) return undefined
  if (first.type === 'text') {
    const word = PLAIN.exec(first.value)?.[1]
    return word !== undefined && looksLikeType(word)
      ? { type: word, to: startOffset(first) + word.length, parted: false }
      : undefined
  }
  const marked = first.type === 'inlineCode' || first.type === 'strong' || first.type === 'emphasis'
  const type = marked ? wordsOf([first]).replace(/:\s*$/, '').trim() : ''
  if (!TYPE.test(type) || (first.type !== 'inlineCode' && REMARK.test(type))) return undefined
  return { type, to: endOffset(first), parted: wordsOf([first]).trimEnd().endsWith(':') }
}
