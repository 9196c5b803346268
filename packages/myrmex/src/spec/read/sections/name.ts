/** The tool name in a section: in code, or as the only word. */
import type { InlineCode, Nodes, PhrasingContent, RootContent } from 'mdast'
import { wordsOf } from '../../markdown/inline.ts'
import { startOffset } from '../../markdown/nodes.ts'
import type { Piece } from '../pieces.ts'
import { IS_NAME } from '../tool-heading.ts'

export interface NameAt {
  readonly value: string
  readonly offset: number
}

/** The name in a section, and where. What looks like one comes first; then any code; then the words themselves. */
export function nameIn(nodes: readonly RootContent[]): NameAt | undefined {
  const codes: NameAt[] = []
  let words: NameAt | undefined
  for (const node of nodes) {
    if (node.type === 'code' && node.value.trim() !== '') codes.push(at(node.value.trim().split('\n')[0] ?? '', node))
    if (node.type !== 'paragraph') continue
    for (const child of codesOf(node.children)) if (child.value.trim() !== '') codes.push(at(child.value.trim(), child))
    words ??= at(wordsOf(node.children).trim(), node)
  }
  return codes.find(({ value }) => IS_NAME.test(value)) ?? codes[0] ?? (words?.value ? words : undefined)
}

const at = (value: string, node: Nodes): NameAt => ({ value, offset: startOffset(node) })

const codesOf = (nodes: readonly PhrasingContent[]): InlineCode[] =>
  nodes.flatMap((node) => {
    if (node.type === 'inlineCode') return [node]
    return 'children' in node ? codesOf(node.children) : []
  })

/** The name below this heading or label, if it comes first there. */
export function nameOnly(pieces: readonly Piece[], index: number): string | undefined {
  const opener = pieces[index]
  const next = pieces[index + 1]
  const node = opener?.kind === 'label' && opener.rest ? opener.rest : next?.kind === 'block' ? next.node : undefined
  const words = node?.type === 'paragraph' ? wordsOf(node.children) : node?.type === 'code' ? node.value : ''
  const first =
    words
      .trim()
      .split(/\s+/)[0]
      ?.replace(/[.,;]$/, '') ?? ''
  return IS_NAME.test(first) ? first : undefined
}
