/** Helpers for Markdown nodes that several readers use. */
import type { Code, Nodes, RootContent } from 'mdast'
import type { TextLocation } from '../document.ts'
import type { Piece } from '../read/pieces.ts'
import { parseInline, wordsOf } from './inline.ts'
import type { Lines } from './lines.ts'

type Placed = Pick<Nodes, 'position'>

export const startOffset = ({ position }: Placed): number => position?.start.offset ?? 0
export const endOffset = ({ position }: Placed): number => position?.end.offset ?? 0

export const locationOf = ({ position }: Placed): TextLocation => ({
  line: position?.start.line ?? 1,
  column: position?.start.column ?? 1,
})

export const nodesOf = (pieces: readonly Piece[]): RootContent[] => pieces.map(({ node }) => node)

/** All nodes of these types at any depth, in document order. Not recursive, because nesting can be deep. */
export function* nodesOfType<T extends Nodes['type']>(
  nodes: readonly Nodes[],
  ...types: readonly T[]
): Generator<Extract<Nodes, { type: T }>> {
  const todo: Nodes[] = [...nodes].reverse()
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if ((types as readonly string[]).includes(node.type)) yield node as Extract<Nodes, { type: T }>
    else if ('children' in node)
      for (let at = node.children.length - 1; at >= 0; at--) todo.push(node.children[at] as Nodes)
  }
}

const JSON_LANGUAGES = /^(?:json|jsonc|json5|json-?schema|jsonl?|geojson)$/i

/** A fence for JSON, or one without a language that looks like JSON. */
export const isJson = ({ lang, value }: Code): boolean =>
  lang ? JSON_LANGUAGES.test(lang.replace(/^[{.]+|\}$/g, '')) : /^\s*(?:[{[]|\/\/|\/\*)/.test(value)

/** The words of all paragraphs, also in lists and quotes. Code blocks and tables are not included. */
export const wordsIn = (nodes: readonly RootContent[]): string =>
  [...nodesOfType(nodes, 'paragraph')].map(({ children }) => wordsOf(children)).join('\n')

export const inlineBetween = (lines: Lines, from: number, to: number) => parseInline(lines, { from, to })
