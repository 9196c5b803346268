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
  // `tool_name` as code is a name, not the words "tool name".
  const isCode = node.children.length === 1 && node.children[0]?.type === 'inlineCode' && text.includes('_')
  return { kind: 'heading', node, text, section: isCode ? undefined : findSection(text) }
}

export function paragraphPieces(node: Paragraph, lines: Lines): Piece[] {
  const pieces = boldPieces(node, lines)
  return pieces.length === 0 ? [plainLabel(node, lines) ?? { kind: 'block', node }] : pieces
}

/** The parts of a paragraph with bold labels; none if it has none. */
function boldPieces(node: Paragraph, lines: Lines): Piece[] {
  const openings = labelsIn(node)
  if (openings.length === 0) return []
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
  /** the line gives a fact, such as a title, which may be any text */
  let isFact = false
  for (const [index, child] of children.entries()) {
    const [before, after] = [children[index - 1], children[index + 1]]
    if (opensLine(before)) isFact = false
    if (child.type !== 'strong') continue
    if (!opensLine(before) && (isFact || !opensSentence(before, child.children, after))) continue
    if (wordsOf(child.children).trim() === '' || !endsLabel(child.children, after)) continue
    found.push(index)
    isFact ||= findFact(wordsOf(child.children).replace(/\s*:\s*$/, '')) !== undefined
  }
  return found
}

const opensLine = (before: PhrasingContent | undefined): boolean =>
  before === undefined || before.type === 'break' || (before.type === 'text' && before.value.endsWith('\n'))

/** `No parameters. **Returns:** the sum`: a label of what a tool takes or returns may follow a sentence on its line. */
function opensSentence(
  before: PhrasingContent | undefined,
  label: readonly PhrasingContent[],
  after: PhrasingContent | undefined,
): boolean {
  if (before?.type !== 'text' || !/[.!?;]\s+$/.test(before.value)) return false
  const words = wordsOf(label)
  const hasColon = /:\s*$/.test(words) || (after?.type === 'text' && /^\s*:/.test(after.value))
  return hasColon && isTakenOrReturned(findSection(words.replace(/\s*:\s*$/, '')))
}

const isTakenOrReturned = (section: SectionName | undefined): boolean =>
  section?.clear === true && (section.id === 'input' || section.id === 'output')

const endsLabel = (label: readonly PhrasingContent[], after: PhrasingContent | undefined): boolean =>
  /:\s*$/.test(wordsOf(label)) ||
  after === undefined ||
  after.type === 'break' ||
  (after.type === 'text' && (/^\s*(?:[:：]|[-–—]\s|\n)/.test(after.value) || remarkIn(after.value) !== ''))

/** The remark of `**Returns** (success):`. Not the type of `**path** (string, required):`, which is a parameter. */
function remarkIn(after: string): string {
  const [, remark = ''] = /^[ \t]*(\([^()\n]{1,80}\))[ \t]*:/.exec(after) ?? []
  return TYPE_WORD.test(remark) ? '' : remark
}

const TYPE_WORD =
  /\b(?:str(?:ing)?s?|int(?:eger)?s?|numbers?|floats?|bool(?:ean)?s?|arrays?|lists?|dict|objects?|any|optional|required|enum|null|none|default)\b|[[\]|]/i

const PLAIN_LABEL = /^([A-Za-z][A-Za-z ()]{2,40}):(?=\s|$)/

/** `Parameters:` without marks. `Input:` is one if it is alone on its line, or if `vague` words are enough. */
export function plainLabel(node: Paragraph, lines: Lines, vague = false): LabelPiece | undefined {
  const [first] = node.children
  const text = first?.type === 'text' ? PLAIN_LABEL.exec(first.value)?.[1] : undefined
  if (first === undefined || text === undefined || findFact(text) !== undefined) return undefined
  const section = findSection(text)
  const rest = restOf(node, startOffset(first) + text.length + 1, lines)
  const isEnough = vague || rest === undefined
  if (section === undefined || !isTakenOrReturned(isEnough ? { ...section, clear: true } : section)) return undefined
  return { kind: 'label', node, text, section, rest }
}

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
  const [strong, next] = node.children as [PhrasingContent, PhrasingContent | undefined]
  const words = wordsOf([strong])
    .replace(/\s*:\s*$/, '')
    .trim()
  const remark = next?.type === 'text' ? remarkIn(next.value) : ''
  const text = undecorated(`${words} ${remark}`.trim())
  const end = remark === '' ? endOffset(strong) : lines.text.indexOf(')', endOffset(strong)) + 1
  SEPARATOR.lastIndex = end
  SEPARATOR.exec(lines.text)
  const from = Math.max(SEPARATOR.lastIndex, end)
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

/**
 * Taken apart only where every item opens with a label: of a section or a fact, with the name or the purpose among them, or of
 * anything, with what the tool takes or returns among them.
 */
function listPieces(node: List, lines: Lines): Piece[] {
  const items = node.children.map((item) => itemPieces(item, lines))
  const labels = items.map(([first]) => (first?.kind === 'label' ? first : undefined))
  if (!labels.every((label) => label !== undefined)) return [{ kind: 'block', node }]
  const known = labels.every((label) => label.section !== undefined || findFact(label.text))
  const opens = labels.some(({ section }) => section?.clear && OPENS_TOOL.has(section.id))
  const takes = labels.some(({ section }) => isTakenOrReturned(section))
  return (known && opens) || takes ? items.flat() : [{ kind: 'block', node }]
}

const OPENS_TOOL: ReadonlySet<string> = new Set(['name', 'purpose'])

function itemPieces({ children }: ListItem, lines: Lines): Piece[] {
  return children.flatMap((child): Piece[] => {
    const pieces = child.type === 'paragraph' ? boldPieces(child, lines) : []
    return pieces.length === 0 ? [{ kind: 'block', node: child }] : pieces
  })
}
