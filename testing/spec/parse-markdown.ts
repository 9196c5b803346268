/** The mdast parser, an independent judge of what Markdown means, with GitHub's tables. */
import type { Nodes, PhrasingContent, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { parseInline } from '../../packages/myrmex/src/spec/markdown/inline.ts'
import type { Lines } from '../../packages/myrmex/src/spec/markdown/lines.ts'

/**
 * Definitions (`[a]: b`) are switched off with the rest, as they would give brackets a meaning in places far away from them.
 */
const NOT_ASKED = [
  ...['attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'definition', 'hardBreakEscape'],
  ...['htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink'],
]
const tables = [gfmTable()]
const blocksOnly = [gfmTable(), { disable: { null: NOT_ASKED } }]
const mdastExtensions = [gfmTableFromMarkdown()]

export const parseMarkdown = (text: string): Root => fromMarkdown(text, { extensions: tables, mdastExtensions })

/** The blocks of a text by this parser, with inline content as the reader of documents reads it. */
export function parseBlocks(lines: Lines): RootContent[] {
  const root = fromMarkdown(lines.text, { extensions: blocksOnly, mdastExtensions })
  readInlineContent(root, lines)
  return root.children
}

/** No recursion: nests can be deep. */
function readInlineContent(root: Root, lines: Lines): void {
  const todo: { node: Nodes; quotes: number }[] = [{ node: root, quotes: 0 }]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { node, quotes } = next
    if (!('children' in node)) continue
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
      node.children = inlineOf(node.children, lines, { quotes, cell: node.type === 'tableCell' })
      continue
    }
    const deeper = node.type === 'blockquote' ? quotes + 1 : quotes
    for (const child of node.children) todo.push({ node: child, quotes: deeper })
  }
}

function inlineOf(
  nodes: readonly PhrasingContent[],
  lines: Lines,
  context: { quotes: number; cell: boolean },
): PhrasingContent[] {
  const from = nodes[0]?.position?.start.offset
  const to = nodes.at(-1)?.position?.end.offset
  return from === undefined || to === undefined ? [] : parseInline(lines, { from, to, ...context })
}
