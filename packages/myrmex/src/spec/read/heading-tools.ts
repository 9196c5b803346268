/**
 * Tools whose heading gives their name. `## Tool: x` always opens one. A heading that is only a name opens one
 * - if parameters, results or a definition are below it,
 * - if it is below a heading of tools, or right below the title of a document about tools,
 * - or if a heading beside it, written in the same way, opens one.
 */
import { locationOf } from '../markdown/nodes.ts'
import type { HeadingTree } from './heading-tree.ts'
import type { HeadingPiece, Piece } from './pieces.ts'
import { isOutside } from './section-names.ts'
import type { BlockDefinition } from './sections/definition-block.ts'
import { isAboutMissingTools, isHeadingOfTools, isTitleOfTools } from './tool-context.ts'
import { parseToolHeading, type ToolHeading } from './tool-heading.ts'
import { bareName, isPlaceholder } from './tool-name.ts'
import type { Definitions, FoundTools, ToolOutline } from './tool-outline.ts'
import { scanTool, type ToolSection } from './tool-sections.ts'

interface Candidate {
  readonly index: number
  readonly piece: HeadingPiece
  readonly heading: ToolHeading
}

export function findHeadingTools(pieces: readonly Piece[], tree: HeadingTree, definitions: Definitions): FoundTools {
  const candidates = candidatesIn(pieces, tree, definitions)
  const accepted = new Acceptance(pieces, tree, definitions, candidates).run()
  const levels = Map.groupBy(accepted.values(), ({ piece }) => piece.node.depth)
  const found: FoundTools = new Map()
  for (const [index, { piece, heading }] of accepted) {
    const { depth } = piece.node
    const isOneOfMany = (levels.get(depth)?.length ?? 0) > 1
    const { end, before, parts } = scanTool(pieces, index + 1, { level: depth, stops: accepted, isOneOfMany })
    const inside = definitionsBetween(index, end, definitions, pieces, parts)
    const words = inside.length === 0 ? before : beforeDefinition(before)
    const outlines = heading.names.map((name) => outlineOf(piece, heading, name, { before: words, parts }, inside))
    found.set(index, { outlines, end })
  }
  return found
}

function outlineOf(
  piece: HeadingPiece,
  { version, title, signature }: ToolHeading,
  name: string,
  { before, parts }: Pick<ToolOutline, 'before' | 'parts'>,
  definitions: readonly BlockDefinition[],
): ToolOutline {
  const location = locationOf(piece.node)
  const said = (value: string | undefined) => (value === undefined ? undefined : { value, location })
  const own = definitions.find((one) => bareName(one.name.value) === bareName(name))
  return {
    origin: 'section',
    location,
    heading: piece,
    name: { value: name, location },
    version: said(version),
    title: said(title),
    before,
    parts,
    definition: own ?? (definitions.length === 1 ? definitions[0] : undefined),
    signature: said(signature),
  }
}

/** The words about a tool that a block defines: neither the block nor a heading above it is part of the description. */
function beforeDefinition(before: readonly Piece[]): Piece[] {
  const heading = before.findIndex(({ kind }) => kind === 'heading')
  return before.slice(0, heading < 0 ? before.length : heading).filter(({ node }) => node.type !== 'code')
}

function definitionsBetween(
  from: number,
  to: number,
  definitions: Definitions,
  pieces: readonly Piece[],
  parts: readonly ToolSection[],
): BlockDefinition[] {
  const found: BlockDefinition[] = []
  if (definitions.size === 0) return found
  // Examples may show how a tool is registered.
  const examples = new Set(parts.filter(({ id }) => id === 'examples').flatMap((part) => part.pieces))
  for (let at = from + 1; at < to; at++) {
    if (!examples.has(pieces[at] as Piece)) found.push(...(definitions.get(at) ?? []))
  }
  return found
}

/** Headings that could open a tool. */
function candidatesIn(
  pieces: readonly Piece[],
  tree: HeadingTree,
  definitions: Definitions,
): ReadonlyMap<number, Candidate> {
  const defined = soleDefinitions(tree, definitions)
  const candidates = new Map<number, Candidate>()
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'heading') continue
    const heading = parseToolHeading(piece)
    const isName =
      heading !== undefined && (heading.explicit || (piece.section === undefined && !isOutside(piece.text)))
    const definition = defined.get(index)
    if (isName) candidates.set(index, { index, piece, heading })
    else if (definition !== undefined) candidates.set(index, { index, piece, heading: titled(piece, definition) })
  }
  return candidates
}

/** Headings with a title below which there is one definition, which has the name. */
function soleDefinitions(tree: HeadingTree, definitions: Definitions): ReadonlyMap<number, BlockDefinition> {
  const owned = new Map<number, BlockDefinition[]>()
  for (const [index, blocks] of definitions) {
    // One for a placeholder shows the format, and functions are mostly examples.
    if (blocks.some(({ name, signature }) => isPlaceholder(name.value) || signature !== undefined)) continue
    for (const { index: owner, piece } of tree.above(index)) {
      if (piece.section !== undefined || GENERIC.test(piece.text)) continue
      if (piece.node.depth > 1 && !isHeadingOfTools(piece.text))
        owned.set(owner, [...(owned.get(owner) ?? []), ...blocks].slice(0, 2))
      break
    }
  }
  return new Map([...owned].flatMap(([index, [first, second]]) => (first && !second ? [[index, first]] : [])))
}

/** Headings between that of a tool and its definition. */
const GENERIC = /\b(?:schemas?|definitions?|json|specifications?|signature|code|implementation)\b/i

const titled = ({ text }: HeadingPiece, { name }: BlockDefinition): ToolHeading => ({
  names: [name.value],
  title: text.replace(/^\d+(?:\.\d+)*[.)]?\s+/, ''),
  version: undefined,
  explicit: false,
  shape: 'strong',
  code: true,
  signature: undefined,
})

/** Decides which of the candidates open a tool. */
class Acceptance {
  private readonly accepted = new Map<number, Candidate>()
  /** how and where names are written that open tools */
  private readonly styles = new Set<string>()
  private readonly pieces: readonly Piece[]
  private readonly tree: HeadingTree
  private readonly definitions: Definitions
  private readonly candidates: ReadonlyMap<number, Candidate>
  /** the first heading */
  private readonly title: HeadingPiece | undefined
  /** a heading has the word */
  private readonly isAboutTools: boolean

  constructor(
    pieces: readonly Piece[],
    tree: HeadingTree,
    definitions: Definitions,
    candidates: ReadonlyMap<number, Candidate>,
  ) {
    this.pieces = pieces
    this.tree = tree
    this.definitions = definitions
    this.candidates = candidates
    this.title = pieces.find((piece) => piece.kind === 'heading')
    this.isAboutTools = pieces.some((piece) => piece.kind === 'heading' && /\btools?\b|\bmcp\b/i.test(piece.text))
  }

  run(): ReadonlyMap<number, Candidate> {
    const weak = new Set<Candidate>()
    for (const candidate of this.candidates.values()) {
      const { explicit, shape } = candidate.heading
      if (!explicit && (this.isPlanned(candidate) || !this.isEvident(candidate))) continue
      if (explicit || shape === 'strong') this.accept(candidate)
      else weak.add(candidate)
    }
    for (const candidate of this.candidates.values()) {
      if (!this.isPlanned(candidate) && this.isListed(candidate, weak.has(candidate))) this.accept(candidate)
    }
    return new Map([...this.accepted].sort(([a], [b]) => a - b))
  }

  /** Whether the headings around it say that it is a tool. One word needs more than a heading above it. */
  private isListed(candidate: Candidate, isEvident: boolean): boolean {
    const { shape, code } = candidate.heading
    const isBeside = this.isBesideTool(candidate)
    if (shape === 'strong') return isBeside || this.isBelowTools(candidate) || this.isBelowTitle(candidate)
    return isEvident ? isBeside || this.isBelowTools(candidate) : code && isBeside
  }

  /** Below a heading about tools that do not exist yet. */
  private isPlanned({ index }: Candidate): boolean {
    for (const { piece } of this.tree.above(index)) if (isAboutMissingTools(piece.text)) return true
    return false
  }

  private accept(candidate: Candidate): void {
    if (this.accepted.has(candidate.index) || this.isInsideSection(candidate)) return
    this.accepted.set(candidate.index, candidate)
    if (!candidate.heading.explicit) this.styles.add(this.styleOf(candidate))
  }

  /** Whether what is below the heading, up to the next name, is about a tool. */
  private isEvident({ index, piece, heading }: Candidate): boolean {
    // Every library has functions.
    if (heading.signature !== undefined && this.isAboutTools) return true
    const { end, parts } = scanTool(this.pieces, index + 1, { level: piece.node.depth, stops: this.strong })
    if (heading.names[0].includes('.') && parts.length > 0) return true
    if (parts.some(({ id }) => id === 'input' || id === 'output' || id === 'name')) return true
    for (let at = index + 1; at < end; at++) if (this.definitions.has(at)) return true
    return false
  }

  /** Where another tool may begin. */
  private readonly strong = {
    has: (index: number): boolean => {
      const heading = this.candidates.get(index)?.heading
      return heading !== undefined && (heading.explicit || heading.shape === 'strong')
    },
  }

  /** Code may be below a heading of its group, such as "Files", which is below one of tools. */
  private isBelowTools({ index, heading }: Candidate): boolean {
    const headings = [...this.tree.above(index)].map(({ piece }) => piece).filter((piece) => piece !== this.title)
    return (heading.code ? headings : headings.slice(0, 1)).some(({ text }) => isHeadingOfTools(text))
  }

  private isBelowTitle({ index, piece, heading }: Candidate): boolean {
    const parent = this.tree.heading(this.tree.parent(index))
    const isTop = parent === undefined ? piece !== this.title : parent === this.title
    return isTop && heading.code && this.title !== undefined && isTitleOfTools(this.title.text)
  }

  private isBesideTool(candidate: Candidate): boolean {
    return this.styles.has(this.styleOf(candidate))
  }

  private readonly styleOf = ({ index, piece, heading }: Candidate): string =>
    `${this.tree.parent(index)} ${piece.node.depth} ${heading.code}`

  /** A name below a section of a tool is part of that section, such as a parameter with a heading of its own. */
  private isInsideSection({ index, heading }: Candidate): boolean {
    if (heading.explicit) return false
    let isBelowSection = false
    for (const above of this.tree.above(index)) {
      if (isBelowSection && this.accepted.has(above.index)) return true
      isBelowSection ||= above.piece.section !== undefined
    }
    return false
  }
}
