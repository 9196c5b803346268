/**
 * Facts about a tool: version, limits, whether it changes state. They are in a table of two columns, in bold labels or in list
 * items. The remaining text is the description.
 */
import type { List, Paragraph, PhrasingContent, RootContent, Table } from 'mdast'
import { wordsOf } from '../../markdown/inline.ts'
import type { Lines } from '../../markdown/lines.ts'
import { endOffset, inlineBetween, startOffset } from '../../markdown/nodes.ts'
import { readInline } from '../../markdown/text.ts'
import { type LabelPiece, type Piece, paragraphPieces } from '../pieces.ts'
import { type FactId, findFact } from '../section-names.ts'

export interface Fact {
  /** as plain words */
  readonly words: string
  /** exactly as written, for a title */
  readonly text: string
  readonly offset: number
}

export interface Facts {
  readonly facts: ReadonlyMap<FactId, Fact>
  /** what is not part of any fact */
  readonly rest: readonly RootContent[]
}

/** `known`: facts that are given elsewhere. A plain line that looks like one of them is text. */
export function factsIn(pieces: readonly Piece[], lines: Lines, known?: Facts['facts']): Facts {
  const reader = new FactReader(lines, known?.has('version') === true)
  for (const piece of pieces) reader.read(piece)
  return { facts: reader.facts, rest: reader.finish() }
}

const PLAIN_VERSION = /^version\s*:?\s*v?(\d+\.\d+\S*)$/i
const PLAIN_FACT = /^([A-Za-z][A-Za-z -]{2,40}):\s*(\S.*)$/

class FactReader {
  readonly facts = new Map<FactId, Fact>()
  private readonly others: RootContent[] = []
  private readonly lines: Lines
  private readonly hasVersion: boolean
  private hasTable = false

  constructor(lines: Lines, hasVersion: boolean) {
    this.lines = lines
    this.hasVersion = hasVersion
  }

  read(piece: Piece): void {
    if (piece.kind === 'label' && this.label(piece)) return
    const { node } = piece
    if (node.type === 'table' && this.table(node)) return
    if (node.type === 'list' && this.list(node)) return
    if (node.type === 'html' && node.value.startsWith('<!--')) return
    this.others.push(node)
  }

  /** A version that stands alone on a line of plain text counts only if no other was given. */
  finish(): RootContent[] {
    if (!this.hasVersion && !this.facts.has('version')) {
      const index = this.others.findIndex((node) => node.type === 'paragraph' && this.plainVersion(node))
      if (index >= 0) this.others.splice(index, 1)
    }
    if (!this.hasTable) for (const node of this.others) if (node.type === 'list') this.plainItems(node)
    return this.others
  }

  private add(id: FactId, nodes: readonly PhrasingContent[]): boolean {
    const first = nodes[0]
    if (this.facts.has(id) || first === undefined) return false
    const words = wordsOf(nodes).trim()
    this.facts.set(id, { words, text: readInline(nodes, this.lines.text), offset: startOffset(first) })
    return true
  }

  private label({ text, rest }: LabelPiece): boolean {
    const id = findFact(text)
    return id !== undefined && rest !== undefined && this.add(id, rest.children)
  }

  private table(node: Table): boolean {
    const [head, ...rows] = node.children
    if (head?.children.length !== 2) return false
    const found = rows.flatMap(({ children: [name, value] }) => {
      const id = name && value ? findFact(wordsOf(name.children)) : undefined
      return id !== undefined && value !== undefined ? [{ id, value }] : []
    })
    const isFacts = found.length > 0 && found.length * 2 >= rows.length
    if (!isFacts && !isPropertyHead(head.children.map(({ children }) => wordsOf(children)))) return false
    for (const { id, value } of found) this.add(id, value.children)
    this.hasTable = true
    return true
  }

  /** A list of which every item is a bold fact. */
  private list(node: List): boolean {
    const labels = node.children.map(({ children }) => {
      const piece = children[0]?.type === 'paragraph' ? paragraphPieces(children[0], this.lines)[0] : undefined
      return piece?.kind === 'label' && findFact(piece.text) !== undefined ? piece : undefined
    })
    if (labels.length === 0 || labels.includes(undefined)) return false
    for (const label of labels) if (label !== undefined) this.label(label)
    return true
  }

  private plainVersion(node: Paragraph): boolean {
    const found = PLAIN_VERSION.exec(wordsOf(node.children).trim())
    if (found === null) return false
    this.facts.set('version', { words: found[1] ?? '', text: found[1] ?? '', offset: startOffset(node) })
    return true
  }

  /** `- Timeout: 30 s`: read, but left in the description. */
  private plainItems(node: List): void {
    for (const item of node.children) {
      const paragraph = item.children[0]
      if (paragraph?.type !== 'paragraph') continue
      const [, name = '', value = ''] = PLAIN_FACT.exec(wordsOf(paragraph.children).trim()) ?? []
      const id = findFact(name)
      if (id !== undefined && value !== '')
        this.add(id, inlineBetween(this.lines, endOffset(paragraph) - value.length, endOffset(paragraph)))
    }
  }
}

const isPropertyHead = ([name = '', value = '']: string[]): boolean =>
  /^(property|fact|attribute|field|key|item)$/i.test(name.trim()) && /^value|setting$/i.test(value.trim())
