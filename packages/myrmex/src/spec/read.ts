/**
 * Reads a tool specification document, rendered or hand-written. It never throws: unreadable parts are reported as faults or
 * left out.
 */

import type { Nodes, RootContent } from 'mdast'
import type { MarkdownFault, SpecDocument, TextLocation } from './document.ts'
import { wordsOf } from './markdown/inline.ts'
import { type Lines, splitLines } from './markdown/lines.ts'
import { endOffset, locationOf, startOffset } from './markdown/nodes.ts'
import { type Blocks, readBlocks } from './markdown/read-blocks.ts'
import { unwrap, withoutFrontMatter } from './markdown/unwrap.ts'
import { mergeTools } from './read/merge-tools.ts'
import { outlineTools } from './read/outline.ts'
import { type Piece, splitPieces } from './read/pieces.ts'
import { readTool } from './read/tool.ts'
import { saysNoTool } from './read/tool-context.ts'

/** Characters. A larger document is not read: nobody wrote it for people. */
export const MAX_DOCUMENT = 8 << 20

/** `blocks` finds the blocks of a text; a test compares two ways to do so. */
export function readDocument(markdown: string, blocks: (lines: Lines) => Blocks = readBlocks): SpecDocument {
  if (markdown.length > MAX_DOCUMENT) return { tools: [], faults: [tooLarge(markdown.length)] }
  // The byte order mark is not part of the text, and a zero byte is shown as the replacement character.
  const plain = markdown
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD')
  const text = withoutFrontMatter(plain)
  const { outside, inside } = unwrap(text)
  const document = read(outside, blocks)
  if (document.tools.length > 0 || document.saysNoTool !== undefined || inside === undefined) return document
  // A document about documents: the tools are in fences.
  const { tools, faults } = read(inside, blocks)
  const real = tools.filter(({ sections }) => sections.length > 0)
  return real.length > 0 ? { tools: real, faults } : document
}

function read(text: string, blocks: (lines: Lines) => Blocks): SpecDocument {
  const lines = splitLines(text)
  const { nodes, faults } = blocks(lines)
  const open = openFence(nodes, lines)
  const pieces = splitPieces(nodes, lines)
  const tools = mergeTools(outlineTools(pieces, lines).map((outline) => readTool(outline, lines)))
  const none = tools.length === 0 ? statementOfNone(pieces) : undefined
  return {
    tools,
    faults: open === undefined ? faults : [...faults, open],
    ...(none !== undefined && { saysNoTool: none }),
  }
}

/** Where a heading or a paragraph says that there is no tool. */
function statementOfNone(pieces: readonly Piece[]): TextLocation | undefined {
  const said = pieces.find(({ node }) => {
    const isText = node.type === 'heading' || node.type === 'paragraph'
    return isText && saysNoTool(wordsOf(node.children))
  })
  return said === undefined ? undefined : locationOf(said.node)
}

const tooLarge = (length: number): MarkdownFault => ({
  location: { line: 1, column: 1 },
  rule: 'unreadable',
  message: `The document has ${length} characters. Documents of more than ${MAX_DOCUMENT} characters are not read. Write one document for each module.`,
})

function openFence(nodes: readonly RootContent[], { text }: Lines): MarkdownFault | undefined {
  let last: Nodes | undefined = nodes.at(-1)
  while (last !== undefined && 'children' in last) last = last.children.at(-1)
  if (last?.type !== 'code' || text.slice(endOffset(last)).trim() !== '') return undefined
  const source = text.slice(startOffset(last), endOffset(last)).trimEnd()
  const [fence] = /^(?:`{3,}|~{3,})/.exec(source) ?? []
  if (fence === undefined || isClosed(source, fence)) return undefined
  const message = `The fence that opens here is never closed, so everything after it is read as code. Close it with ${fence}.`
  return { location: locationOf(last), rule: 'open-fence', message }
}

function isClosed(source: string, fence: string): boolean {
  const from = source.lastIndexOf('\n')
  if (from < 0) return false
  const marks = source.slice(from + 1).replace(/^[ \t>]+/, '')
  return marks.length >= fence.length && marks === (fence[0] as string).repeat(marks.length)
}
