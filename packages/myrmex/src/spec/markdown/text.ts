/**
 * Writes texts of a definition to a document and reads them back without loss. Simple Markdown (words, lists, code) stays as it
 * is, everything else is escaped.
 */
import type { Node, Nodes, PhrasingContent, RootContent } from 'mdast'
import { escapeInline, escapeText } from './escape.ts'
import { parseMarkdown } from './parse.ts'

/** As blocks of their own: paragraphs, perhaps lists. */
export function writeText(text: string): string {
  if (isWild(text)) return escapeText(text)
  const { children } = parseMarkdown(text)
  const tame = children.every((node) => isTame(node, TAME_BLOCKS)) && readText(children, text) === text
  return tame ? text : escapeText(text)
}

/** On one line: in a cell of a table, a heading, or anywhere else. */
export function inLine(text: string): string {
  if (/[|\n\r]/.test(text) || FIRST_ON_LINE.test(text) || isWild(text)) return escapeInline(text)
  const [paragraph, ...others] = parseMarkdown(text).children
  const tame = paragraph?.type === 'paragraph' && others.length === 0 && isTame(paragraph, TAME_INLINE)
  return tame && readInline(paragraph.children, text) === text ? text : escapeInline(text)
}

/** As code, where that can be told apart from what is around it; otherwise as plain text. */
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

/** The same for what stands on one line. */
export function readInline(nodes: readonly PhrasingContent[], source: string): string {
  const shown = sourceOf(nodes, source)
  const plain = plainInline(nodes)
  return plain !== undefined && escapeInline(plain) === shown ? plain : shown.replaceAll('\\|', '|')
}

const sourceOf = (nodes: readonly Node[], source: string): string => {
  const [from, to] = [nodes[0]?.position?.start.offset, nodes.at(-1)?.position?.end.offset]
  return from === undefined || to === undefined
    ? ''
    : source.slice(from, to).replaceAll('\r\n', '\n').replace(BLANKS, '')
}

/** Other blanks, such as one that does not break, are part of the text. */
const BLANKS = /^[ \t\n]+|[ \t\n]+$/g

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

/** The parser takes the square of their number; a text of somebody else must not hold us up. */
const MOST_MARKS = 400
const MARKS = /[*_[<]/g
const NESTED = /^(?:[ \t]*(?:\d{1,9}[.)]|[-+*>])[ \t]+){10}/m
/** Footnotes, formulas and words struck out: GitHub has them, and the parser has not. */
const GITHUB_ONLY = /\[\^|\$[^\s$](?:[^$]*[^\s$])?\$(?!\d)|~[^\s~](?:[^~]*[^\s~])?~/
const CODE = /`[^`\n]*`/g

/** Escaped without a look at what it means. */
const isWild = (text: string): boolean =>
  GITHUB_ONLY.test(text.replace(CODE, '')) || NESTED.test(text) || (text.match(MARKS)?.length ?? 0) > MOST_MARKS

const TAME_INLINE = new Set(['paragraph', 'text', 'inlineCode', 'emphasis', 'strong'])
const TAME_BLOCKS = new Set([...TAME_INLINE, 'list', 'listItem', 'break'])
/** Tame as a paragraph, but not where something else stands before it on the line. */
const FIRST_ON_LINE = /^\s|\s$/

/** No heading, link, picture, HTML, table or quote; and nothing that looks like the label of a section. */
function isTame(node: Nodes, types: ReadonlySet<string>): boolean {
  if (!types.has(node.type)) return false
  if (!('children' in node)) return true
  if (node.type === 'paragraph' && node.children[0]?.type === 'strong') return false
  return (node.children as Nodes[]).every((child) => isTame(child, types))
}
