/**
 * Tools that a document only lists: rows of a table of tools, items of a list of tools, and bold names below a heading of tools.
 */
import type { List, ListItem, Paragraph, PhrasingContent, RootContent, Table, TableRow } from 'mdast'
import type { SectionId, StatedValue, TextLocation } from '../document.ts'
import { parseInline, wordsOf } from '../markdown/inline.ts'
import { type Lines, positionOf } from '../markdown/lines.ts'
import { endOffset, locationOf, startOffset } from '../markdown/nodes.ts'
import type { HeadingTree } from './heading-tree.ts'
import { isAboutParameters, isParameterTable } from './parameter-blocks.ts'
import { type LabelPiece, type Piece, paragraphPieces, plainLabel } from './pieces.ts'
import {
  isAboutMissingTools,
  isHeadingOfTools,
  isTitleOfTools,
  opensListOfTools,
  opensOtherList,
} from './tool-context.ts'
import { nameShape } from './tool-name.ts'
import type { FoundTools, ToolOutline } from './tool-outline.ts'
import { scanTool, type ToolSection } from './tool-sections.ts'

export function findListedTools(pieces: readonly Piece[], tree: HeadingTree, lines: Lines, found: FoundTools): void {
  const finder = new ListedTools(pieces, tree, lines, found)
  for (let index = 0; index < pieces.length; index++) {
    const covered = found.get(index)
    if (covered === undefined) finder.look(index)
    else index = covered.end - 1
  }
}

class ListedTools {
  private readonly pieces: readonly Piece[]
  private readonly tree: HeadingTree
  private readonly lines: Lines
  private readonly found: FoundTools
  private readonly hasSections: boolean
  private readonly isAboutTools: boolean
  /** the words of the last paragraph */
  private lead = ''

  constructor(pieces: readonly Piece[], tree: HeadingTree, lines: Lines, found: FoundTools) {
    this.pieces = pieces
    this.tree = tree
    this.lines = lines
    this.found = found
    this.hasSections = found.size > 0
    const title = pieces.find((piece) => piece.kind === 'heading')
    this.isAboutTools = title !== undefined && isTitleOfTools(title.text)
  }

  look(index: number): void {
    const piece = this.pieces[index] as Piece
    if (piece.kind === 'heading') this.lead = ''
    else if (piece.kind === 'label') {
      this.label(index, piece)
      this.lead = wordsOf(piece.node.children)
    } else if (piece.node.type === 'paragraph') this.paragraph(index, piece.node)
    else if (piece.node.type === 'table') this.add(index, this.inTable(index, piece.node))
    else if (piece.node.type === 'list') this.add(index, this.inList(index, piece.node))
  }

  private add(index: number, outlines: readonly ToolOutline[]): void {
    if (outlines.length > 0) this.found.set(index, { outlines, end: index + 1 })
  }

  /** Whether the heading above or the sentence before says that tools follow. undefined: it says that they do not exist. */
  private context(index: number): boolean | undefined {
    const heading = this.tree.heading(this.tree.parent(index))?.text ?? ''
    if (isAboutMissingTools(heading) || isAboutMissingTools(this.lead)) return undefined
    return opensListOfTools(this.lead) || (isHeadingOfTools(heading) && !opensOtherList(this.lead))
  }

  /** `read_file`, `write_file`: nothing but names. Any other paragraph leads to what comes next. */
  private paragraph(index: number, node: Paragraph): void {
    const rest = wordsOf(node.children.filter(({ type }) => type !== 'inlineCode'))
    const isList = /^(?:[\s,.;·|]|\band\b)*$/.test(rest) && this.context(index) === true
    this.add(index, isList ? namesIn(node.children, true).map(listing) : [])
    this.lead = wordsOf(node.children)
  }

  private inTable(index: number, node: Table): ToolOutline[] {
    const context = this.context(index)
    const [head, ...rows] = node.children
    const columns = (head?.children ?? []).map(({ children }) => wordsOf(children).trim())
    const column = columns.findIndex((text) => TOOL_COLUMN.test(text))
    const named =
      column >= 0
        ? column
        : context === true && !isParameterTable(node)
          ? columns.findIndex((text) => NAME_COLUMN.test(text))
          : -1
    if (context === undefined || named < 0 || (this.hasSections && !context)) return []
    // Other documents have tables of tools, too: of programs, say.
    const isSure = context || this.isAboutTools
    return rows.flatMap((row) => this.inRow(row, columns, named, isSure))
  }

  private inRow(row: TableRow, columns: readonly string[], named: number, isSure: boolean): ToolOutline[] {
    const names = namesIn(row.children[named]?.children ?? [], isSure)
    const cell = (pattern: RegExp): Piece[] => {
      const children = row.children[columns.findIndex((text, index) => index !== named && pattern.test(text))]?.children
      return children === undefined || children.length === 0 ? [] : [this.asParagraph(children)]
    }
    return names.map((name) => ({
      ...listing(name),
      before: cell(DESCRIPTION_COLUMN),
      parts: [...part('input', cell(INPUT_COLUMN)), ...part('output', cell(OUTPUT_COLUMN))],
    }))
  }

  private inList(index: number, { children }: List): ToolOutline[] {
    if (this.context(index) !== true) return []
    const items = children.map((item) => this.inItem(item))
    const tools = items.filter((item) => item !== undefined)
    return tools.length * 2 >= items.length ? tools : []
  }

  /** An item that begins with a name: `- **read_file**: Reads a file`. Nested lists describe the tool. */
  private inItem({ children: [first, ...nested] }: ListItem): ToolOutline | undefined {
    if (first?.type !== 'paragraph') return undefined
    const opening = openingName(first, this.lines)
    if (opening === undefined) return undefined
    const { name, from } = opening
    const rest = this.rest(first, from)
    const { before, parts } = scanTool(this.nestedPieces(nested), 0, { level: 6, stops: new Set() })
    return { ...listing(name), before: [...rest, ...before], parts }
  }

  /** The items of a nested list, each as a paragraph that may open a section: `- Inputs:`. */
  private nestedPieces(nodes: readonly RootContent[]): Piece[] {
    return nodes.flatMap((node): Piece[] => {
      if (node.type !== 'list' || isAboutParameters(node)) return [{ kind: 'block', node }]
      return node.children.flatMap(({ children }) =>
        children.flatMap((child): Piece[] =>
          child.type === 'paragraph' ? itemPieces(child, this.lines) : [{ kind: 'block', node: child }],
        ),
      )
    })
  }

  /** `**read_file**` and what follows, up to the next one or a heading. */
  private label(index: number, piece: LabelPiece): void {
    const isName = piece.section === undefined && nameShape(piece.text.replace(COUNT, ''), true) === 'strong'
    if (!isName || this.context(index) !== true) return
    const name = { value: piece.text.replace(COUNT, ''), location: locationOf(piece.node) }
    const stops = { has: (at: number): boolean => this.found.has(at) || this.isNameLabel(at) }
    const { end, before, parts } = scanTool(this.pieces, index + 1, { level: 6, stops, isOneOfMany: true })
    const rest: Piece[] = piece.rest === undefined ? [] : [{ kind: 'block', node: piece.rest }]
    const outline: ToolOutline = {
      ...listing(name),
      origin: parts.length > 0 ? 'section' : 'listing',
      before: [...rest, ...before],
      parts,
    }
    this.found.set(index, { outlines: [outline], end })
  }

  private isNameLabel(index: number): boolean {
    const piece = this.pieces[index]
    return piece?.kind === 'label' && nameShape(piece.text.replace(COUNT, ''), true) === 'strong'
  }

  private asParagraph(children: PhrasingContent[]): Piece {
    const [first, last] = [children[0] as PhrasingContent, children.at(-1) as PhrasingContent]
    const position = positionOf(this.lines, startOffset(first), endOffset(last))
    return { kind: 'block', node: { type: 'paragraph', children, position } }
  }

  private rest(node: Paragraph, from: number): Piece[] {
    const children = parseInline(this.lines, { from, to: endOffset(node) })
    return children.length === 0 ? [] : [this.asParagraph(children)]
  }
}

/** In the item of a tool, `Input:` can only be about the tool. */
function itemPieces(node: Paragraph, lines: Lines): Piece[] {
  const label = plainLabel(node, lines, true)
  return label === undefined ? paragraphPieces(node, lines) : [label]
}

const COUNT = /^\d{1,4}[.)]\s+/
const TOOL_COLUMN = /\btools?(?: (?:names?|ids?|functions?))?$/i
const NAME_COLUMN =
  /^(?:(?:exposed|registered|public|invocation|function|command|full) )?names?$|^functions?$|^commands?$/i
const DESCRIPTION_COLUMN = /descri|summary|purpose|in short|what it does|function(?:ality)?$|details|notes?$/i
const INPUT_COLUMN = /^(?:key |main )?(?:parameters?|params|arguments?|args|inputs?)\b/i
const OUTPUT_COLUMN = /^(?:returns?|outputs?|results?)\b/i

const listing = (name: StatedValue): ToolOutline => ({
  origin: 'listing',
  location: name.location,
  heading: undefined,
  name,
  version: undefined,
  title: undefined,
  before: [],
  parts: [],
  definition: undefined,
  signature: undefined,
})

const part = (id: SectionId, pieces: readonly Piece[]): ToolSection[] =>
  pieces[0] === undefined ? [] : [{ id, opener: pieces[0], pieces }]

/** The names in a cell: code, or a single word. `a(x)` is the name a. */
function namesIn(children: readonly PhrasingContent[], isSure: boolean): StatedValue[] {
  const codes = codesIn(children)
  const [first] = children
  const words = wordsOf(children).trim()
  const texts =
    codes.length > 0
      ? codes.map(({ value, location }) => ({ value, location, code: true }))
      : first === undefined
        ? []
        : [{ value: words, location: locationOf(first), code: false }]
  return texts.flatMap(({ value, location, code }) => {
    const name = value.replace(/\(.*\)$/s, '').trim()
    const shape = nameShape(name, code)
    return shape === 'strong' || (shape === 'weak' && isSure) ? [{ value: name, location }] : []
  })
}

function codesIn(nodes: readonly PhrasingContent[]): { value: string; location: TextLocation }[] {
  return nodes.flatMap((node) => {
    if (node.type === 'inlineCode') return [{ value: node.value.trim(), location: locationOf(node) }]
    return 'children' in node ? codesIn(node.children) : []
  })
}

const PLAIN_NAME = /^([a-z][\w.-]*)(?=\s*(?:[:–—(]|-\s|$))/
const SEPARATOR = /[ \t]*(?:[:：]|[-–—]+(?=[ \t\n]))?[ \t\n]*/y

/** The name that an item begins with, and where what follows it begins. */
function openingName(node: Paragraph, lines: Lines): { name: StatedValue; from: number } | undefined {
  const [first] = node.children
  if (first === undefined) return undefined
  const isMarked = first.type === 'inlineCode' || first.type === 'strong' || first.type === 'link'
  const words = isMarked ? wordsOf([first]).trim().replace(/:$/, '') : ''
  const text = isMarked
    ? words.replace(/\(.*\)$/s, '')
    : first.type === 'text'
      ? (PLAIN_NAME.exec(first.value)?.[1] ?? '')
      : ''
  const shape = nameShape(text, isMarked)
  if (shape === undefined || (shape === 'weak' && !isMarked)) return undefined
  const end = isMarked ? endOffset(first) : startOffset(first) + text.length
  SEPARATOR.lastIndex = end
  SEPARATOR.exec(lines.text)
  return {
    name: { value: text, location: locationOf(first) },
    from: Math.min(Math.max(SEPARATOR.lastIndex, end), endOffset(node)),
  }
}
