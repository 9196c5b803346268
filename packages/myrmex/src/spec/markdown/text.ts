/**
 * Writes texts of a definition to a document and reads them back without loss. Simple Markdown (words, lists, code) stays as it
 * is, everything else is escaped.
 */
import MarkdownIt from 'markdown-it'
import type { List, Node, PhrasingContent, RootContent } from 'mdast'
import { paragraphPieces, splitPieces } from '../read/pieces.ts'
import { findFact } from '../read/section-names.ts'
import { escapeInline, escapeText } from './escape.ts'
import { parseInline } from './inline.ts'
import { type Lines, splitLines } from './lines.ts'
import { readBlocks } from './read-blocks.ts'

/** As blocks of their own: paragraphs, perhaps lists. */
export function writeText(text: string): string {
  if (isWild(text)) return escapeText(text)
  const isReadBack = (): boolean => {
    const lines = splitLines(text)
    const { nodes } = readBlocks(lines)
    return readText(nodes, text) === text && !hasLabels(nodes, lines)
  }
  return isTame(text, TAME_BLOCKS) && isReadBack() ? text : escapeText(text)
}

/** On one line: in a cell of a table, a heading, or anywhere else. */
export function inLine(text: string): string {
  if (/[|\n\r]/.test(text) || FIRST_ON_LINE.test(text) || isWild(text)) return escapeInline(text)
  const isReadBack = (): boolean =>
    readInline(parseInline(splitLines(text), { from: 0, to: text.length }), text) === text
  return isTame(text, TAME_INLINE) && isReadBack() ? text : escapeInline(text)
}

/** As code, if it can be distinguished from the text around it; otherwise as plain text. */
export function inCode(text: string): string {
  // A backslash before a pipe would be read as the pipe's own.
  if (text.trim() !== text || text === '' || /[\n\r`]|\\\||\\$/.test(text)) return escapeInline(text)
  return `\`${text.replaceAll('|', '\\|')}\``
}

/** The text that these blocks stand for: what `writeText` was given if it wrote them, otherwise their source. */
export function readText(nodes: readonly RootContent[], source: string): string {
  const shown = sourceOf(nodes, source)
  const plain = plainText(nodes)
  return plain !== undefined && escapeText(plain) === shown ? plain : shown
}

/** The same for text on one line. */
export function readInline(nodes: readonly PhrasingContent[], source: string): string {
  const shown = sourceOf(nodes, source)
  const plain = plainInline(nodes)
  return plain !== undefined && escapeInline(plain) === shown ? plain : shown.replaceAll('\\|', '|')
}

const sourceOf = (nodes: readonly Node[], source: string): string => {
  const [from, to] = [nodes[0]?.position?.start.offset, nodes.at(-1)?.position?.end.offset]
  return from === undefined || to === undefined ? '' : source.slice(from, to).replace(BLANKS, '')
}

/** Other blanks, such as one that does not break, are part of the text. */
const BLANKS = /^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g

function plainText(nodes: readonly RootContent[]): string | undefined {
  const paragraphs: string[] = []
  for (const node of nodes) {
    const plain = node.type === 'paragraph' ? plainInline(node.children) : undefined
    if (plain === undefined) return undefined
    paragraphs.push(plain)
  }
  return paragraphs.join('\n\n')
}

/** Undefined where there is more to it than text and line breaks. */
function plainInline(nodes: readonly PhrasingContent[]): string | undefined {
  let text = ''
  for (const node of nodes) {
    if (node.type === 'text') text += node.value
    else if (node.type === 'break' || (node.type === 'html' && node.value === '<br>')) text += '\n'
    else return undefined
  }
  return text
}

/** A text with more of them is escaped without a look at their meaning. */
const MAX_MARKS = 400
const MARKS = /[*_[<]/g
const NESTED = /^(?:[ \t]*(?:\d{1,9}[.)]|[-+*>])[ \t]+){10}/m
/** Footnotes, formulas and words struck out, which only GitHub has. */
const GITHUB_ONLY = /\[\^|\$[^\s$](?:[^$]*[^\s$])?\$(?!\d)|~[^\s~](?:[^~]*[^\s~])?~/
const CODE = /`[^`\n]*`/g

/** Escaped without a look at what it means. */
const isWild = (text: string): boolean =>
  text.includes('\r') ||
  GITHUB_ONLY.test(text.replace(CODE, '')) ||
  NESTED.test(text) ||
  (text.match(MARKS)?.length ?? 0) > MAX_MARKS

const opened = (...names: string[]): string[] => names.flatMap((name) => [`${name}_open`, `${name}_close`])
const TAME_INLINE = new Set(['inline', 'text', 'softbreak', 'code_inline', ...opened('paragraph', 'em', 'strong')])
const TAME_BLOCKS = new Set([...TAME_INLINE, 'hardbreak', ...opened('bullet_list', 'ordered_list', 'list_item')])
/** Tame as a paragraph, but not with something before it on the line. */
const FIRST_ON_LINE = /^\s|\s$/

const parser = new MarkdownIt({ html: true })

/** No heading, link, picture, HTML, table or quote. */
const isTame = (text: string, types: ReadonlySet<string>): boolean =>
  parser
    .parse(text, {})
    .every(({ type, children }) => types.has(type) && (children ?? []).every((child) => types.has(child.type)))

/** Whether the reader of a document would take something in a text for the label of a section or a fact. */
const hasLabels = (nodes: readonly RootContent[], lines: Lines): boolean =>
  splitPieces(nodes, lines).some(
    (piece) => piece.kind !== 'block' || (piece.node.type === 'list' && isLabelList(piece.node, lines)),
  )

/** Every item opens with the name of a section or a fact in bold. */
const isLabelList = ({ children: items }: List, lines: Lines): boolean =>
  items.every(({ children: [first] }) => {
    const piece = first?.type === 'paragraph' ? paragraphPieces(first, lines)[0] : undefined
    return piece?.kind === 'label' && (piece.section !== undefined || findFact(piece.text) !== undefined)
  })
