/**
 * Lines whose structure only a Markdown parser can decide: nested lists, quotes, HTML, indented code. The parser finds the blocks
 * only. Inline content is always read by inline.ts.
 */
import type { Nodes, PhrasingContent, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { parseInline } from './inline.ts'
import type { Lines } from './lines.ts'

/**
 * Definitions (`[a]: b`) are switched off with the rest, as they would give brackets a meaning in places far away from them.
 */
const NOT_ASKED = [
  ...['attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'definition', 'hardBreakEscape'],
  ...['htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink'],
]
const extensions = [gfmTable(), { disable: { null: NOT_ASKED } }]
const mdastExtensions = [gfmTableFromMarkdown()]

/** The blocks on these lines, with their places in the whole text. */
export function parseBlocks(lines: Lines, first: number, next: number): RootContent[] {
  const from = lines.starts[first] as number
  const to = lines.ends[next - 1] as number
  const root = fromMarkdown(lines.text.slice(from, to), { extensions, mdastExtensions })
  settle(root, lines, { offset: from, line: first })
  return root.children
}

interface Shift {
  readonly offset: number
  readonly line: number
}

/** Moves every node to where it stands in the text, and reads what stands within it. No recursion: nests can be deep. */
function settle(root: Root, lines: Lines, shift: Shift): void {
  const todo: { node: Nodes; quotes: number }[] = [{ node: root, quotes: 0 }]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { node, quotes } = next
    move(node, shift)
    if (node.type === 'code') node.value = node.value.replace(/\r\n?/g, '\n')
    if (!('children' in node)) continue
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
      node.children = within(node.children, lines, shift, { quotes, cell: node.type === 'tableCell' })
      continue
    }
    const deeper = node.type === 'blockquote' ? quotes + 1 : quotes
    for (const child of node.children) todo.push({ node: child, quotes: deeper })
  }
}

function move({ position }: Nodes, { offset, line }: Shift): void {
  if (position === undefined) return
  position.start.line += line
  position.end.line += line
  position.start.offset = (position.start.offset ?? 0) + offset
  position.end.offset = (position.end.offset ?? 0) + offset
}

function within(
  nodes: readonly PhrasingContent[],
  lines: Lines,
  { offset }: Shift,
  how: { quotes: number; cell: boolean },
): PhrasingContent[] {
  const from = nodes[0]?.position?.start.offset
  const to = nodes.at(-1)?.position?.end.offset
  return from === undefined || to === undefined
    ? []
    : parseInline(lines, { from: from + offset, to: to + offset, ...how })
}
