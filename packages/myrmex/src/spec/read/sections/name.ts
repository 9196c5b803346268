/** The tool name in a section: in code, or as the only word. */
import type { InlineCode, Nodes, PhrasingContent, RootContent } from 'mdast'
import { wordsOf } from '../../markdown/inline.ts'
import { startOffset } from '../../markdown/nodes.ts'
import type { Piece } from '../pieces.ts'
import { IS_DOTTED_NAME, nameShape } from '../tool-name.ts'

export interface NameAt {
  readonly value: string
  readonly offset: number
}

/** The name in a section, and where. What looks like one comes first; then any code; then the words themselves. */
export function nameIn(nodes: readonly RootContent[]): NameAt | undefined {
  const codes: NameAt[] = []
  let words: NameAt | undefined
  for (const node of nodes) {
    if (node.type === 'code' && NAME_LINE.test(node.value)) codes.push(at(node.value.trim().split('\n')[0] ?? '', node))
    if (node.type !== 'paragraph') continue
    for (const child of codesOf(node.children)) if (child.value.trim() !== '') codes.push(at(child.value.trim(), child))
    words ??= at(wordsOf(node.children).trim(), node)
  }
  const isName = (one: NameAt): boolean => IS_DOTTED_NAME.test(one.value)
  return codes.find(isName) ?? codes[0] ?? (words?.value ? words : undefined)
}

/** Code whose first line can be a name, and is not JSON. */
const NAME_LINE = /^\s*[^\s{[]/

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
  return nameShape(first, true) === 'strong' ? first : undefined
}
