/**
 * A document as a sequence of pieces: headings, labels (bold words at the start of a line) and other blocks. A paragraph with
 * several labels is split, and so is a list that consists of labels of sections and facts only.
 */
import type { Heading, List, ListItem, Paragraph, PhrasingContent, RootContent } from 'mdast'
import { parseInline, wordsOf } from '../markdown/inline.ts'
import { type Lines, positionOf } from '../markdown/lines.ts'
import { endOffset, startOffset } from '../markdown/nodes.ts'
import { findFact, findSection, type SectionName, undecorated } from './section-names.ts'

export interface HeadingPiece {
  readonly kind: 'heading'
  readonly node: Heading
  readonly text: string
  readonly section: SectionName | undefined
}

export interface LabelPiece {
  readonly kind: 'label'
  /** the paragraph that the label opens, with it */
  readonly node: Paragraph
  readonly text: string
  readonly section: SectionName | undefined
  /** what follows the label in its paragraph */
  readonly rest: Paragraph | undefined
}

export interface BlockPiece {
  readonly kind: 'block'
  readonly node: RootContent
}

export type Piece = HeadingPiece | LabelPiece | BlockPiece

export function splitPieces(nodes: readonly RootContent[], lines: Lines): Piece[] {
  const pieces: Piece[] = []
  for (const node of nodes) {
    if (node.type === 'heading') pieces.push(headingPiece(node))
    else if (node.type === 'paragraph') pieces.push(...paragraphPieces(node, lines))
    else if (node.type === 'list') pieces.push(...listPieces(node, lines))
    else pieces.push({ kind: 'block', node })
  }
  return pieces
}

function headingPiece(node: Heading): HeadingPiece {
  const text = undecorated(wordsOf(node.children).trim())
  return { kind: 'heading', node, text, section: findSection(text) }
}

export function paragraphPieces(node: Paragraph, lines: Lines): Piece[] {
  const openings = labelsIn(node)
  if (openings.length === 0) return [{ kind: 'block', node }]
  const pieces: Piece[] = []
  if (openings[0] !== 0) pieces.push({ kind: 'block', node: part(node, 0, openings[0] as number, lines) })
  for (const [index, from] of openings.entries()) {
    pieces.push(labelPiece(part(node, from, openings[index + 1] ?? node.children.length, lines), lines))
  }
  return pieces
}

/** Which children of a paragraph are bold, open a line, and are followed by a colon or by nothing. */
function labelsIn({ children }: Paragraph): number[] {
  const found: number[] = []
  for (const [index, child] of children.entries()) {
    if (child.type !== 'strong' || !opensLine(children[index - 1])) continue
    if (wordsOf(child.children).trim() !== '' && endsLabel(child.children, children[index + 1])) found.push(index)
  }
  return found
}

const opensLine = (before: PhrasingContent | undefined): boolean =>
  before === undefined || before.type === 'break' || (before.type === 'text' && before.value.endsWith('\n'))

const endsLabel = (label: readonly PhrasingContent[], after: PhrasingContent | undefined): boolean =>
  /:\s*$/.test(wordsOf(label)) ||
  after === undefined ||
  after.type === 'break' ||
  (after.type === 'text' && /^\s*(?:[:：]|[-–—]\s|\n)/.test(after.value))

function part(node: Paragraph, from: number, to: number, lines: Lines): Paragraph {
  if (from === 0 && to === node.children.length) return node
  const children = node.children.slice(from, to)
  const [start, end] = [children[0], children.at(-1)]
  return {
    type: 'paragraph',
    children,
    position: positionOf(lines, start ? startOffset(start) : 0, end ? endOffset(end) : 0),
  }
}

/** Other blanks than Markdown's own belong to the text. */
const SEPARATOR = /[ \t]*(?:[:：]|[-–—](?=[ \t\n]))?[ \t\n]*/y

function labelPiece(node: Paragraph, lines: Lines): LabelPiece {
  const strong = node.children[0] as PhrasingContent
  const words = wordsOf([strong])
    .replace(/\s*:\s*$/, '')
    .trim()
  const text = undecorated(words)
  SEPARATOR.lastIndex = endOffset(strong)
  SEPARATOR.exec(lines.text)
  const from = Math.max(SEPARATOR.lastIndex, endOffset(strong))
  return { kind: 'label', node, text, section: findSection(text), rest: restOf(node, from, lines) }
}

/** What is left of a paragraph from this offset on, as a paragraph. */
function restOf(node: Paragraph, from: number, lines: Lines): Paragraph | undefined {
  const to = endOffset(node)
  if (from >= to) return undefined
  const children = parseInline(lines, { from, to })
  if (children.length === 0) return undefined
  return { type: 'paragraph', children, position: positionOf(lines, from, to) }
}

/** Taken apart only where every item opens with the label of a section or a fact, and the name or the purpose is one. */
function listPieces(node: List, lines: Lines): Piece[] {
  const items = node.children.map((item) => itemPieces(item, lines))
  const labels = items.map(([first]) => (first?.kind === 'label' ? first : undefined))
  const known = labels.every((label) => label !== undefined && (label.section !== undefined || findFact(label.text)))
  const opens = labels.some((label) => label?.section?.clear && OPENS_TOOL.has(label.section.id))
  return known && opens ? items.flat() : [{ kind: 'block', node }]
}

const OPENS_TOOL: ReadonlySet<string> = new Set(['name', 'purpose'])

function itemPieces({ children }: ListItem, lines: Lines): Piece[] {
  return children.flatMap((child): Piece[] =>
    child.type === 'paragraph' ? paragraphPieces(child, lines) : [{ kind: 'block', node: child }],
  )
}
