/**
 * Assigns the pieces of a document to tools and their sections. A tool starts with a heading that names it, or with one that is
 * followed by sections only. It ends at the next tool or at a heading of its own level or above.
 */
import type { SectionId } from '../document.ts'
import type { HeadingPiece, Piece } from './pieces.ts'
import { isOutside } from './section-names.ts'
import { nameOnly } from './sections/name.ts'
import { parseToolHeading, type ToolHeading } from './tool-heading.ts'
import { scanTool, type ToolSection } from './tool-sections.ts'

export interface ToolOutline {
  readonly heading: HeadingPiece | undefined
  readonly opening: ToolHeading | undefined
  /** the piece that it begins with */
  readonly first: Piece
  /** what stands before its first section */
  readonly before: readonly Piece[]
  readonly parts: readonly ToolSection[]
}

export function outlineTools(pieces: readonly Piece[]): ToolOutline[] {
  const found = new Map<number, { outline: ToolOutline; end: number }>()
  findNamed(pieces, found)
  findTitled(pieces, found)
  return [...found].sort(([a], [b]) => a - b).map(([, { outline }]) => outline)
}

type Found = Map<number, { outline: ToolOutline; end: number }>

/** Tools whose heading gives their name. */
function findNamed(pieces: readonly Piece[], found: Found): void {
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece
    const opening = piece.kind === 'heading' ? parseToolHeading(piece) : undefined
    if (piece.kind !== 'heading' || opening === undefined) continue
    const { end, before, parts } = scanTool(pieces, index + 1, { level: piece.node.depth, stops: undefined })
    if (!opening.explicit && parts.length === 0) continue
    found.set(index, { outline: { heading: piece, opening, first: piece, before, parts }, end })
    index = end - 1
  }
}

/** Sections that stand below the same heading, or below none. */
interface Group {
  readonly heading: HeadingPiece | undefined
  readonly first: number
  /** the level at which another heading ends the tool */
  readonly level: number
  readonly ids: Set<SectionId>
  /** its name stands where it should */
  named: boolean
  /** it has a table or a block of code: more than a list of what sections there are */
  solid: boolean
}

/** Tools whose heading is a title, or that have none: known by their sections. */
function findTitled(pieces: readonly Piece[], found: Found): void {
  const groups = new Groups()
  for (let index = 0; index < pieces.length; index++) {
    const covered = found.get(index)
    if (covered === undefined) groups.add(pieces, index)
    else {
      groups.part()
      index = covered.end - 1
    }
  }
  take(pieces, groups.all, found)
}

/** Gathers sections under the headings that they stand below. */
class Groups {
  readonly all: Group[] = []
  private above: Group[] = []
  /** of sections that stand below no heading */
  private none: Group | undefined
  /** where it would begin: facts may stand before the first section */
  private early: number | undefined

  /** A tool that is known already stands between what was and what comes. */
  part(): void {
    this.above = []
    this.none = undefined
    this.early = undefined
  }

  add(pieces: readonly Piece[], index: number): void {
    const piece = pieces[index] as Piece
    if (piece.kind === 'heading') this.early = undefined
    else if (piece.node.type !== 'html') this.early ??= index
    if (piece.kind === 'block') {
      const group = this.above.at(-1) ?? this.none
      if (group !== undefined) group.solid ||= piece.node.type === 'table' || piece.node.type === 'code'
      return
    }
    const depth = piece.kind === 'heading' ? piece.node.depth : LABEL_DEPTH
    this.above = this.above.filter(({ level }) => level < depth)
    if (piece.section !== undefined) this.section(pieces, index, piece.section.id, depth)
    else if (piece.kind === 'heading') this.above.push(this.open(index, piece, depth))
  }

  private section(pieces: readonly Piece[], index: number, id: SectionId, depth: number): void {
    // Without a heading of its own, a tool of labels ends at the next chapter.
    if (this.above.length === 0)
      this.none ??= this.open(this.early ?? index, undefined, depth === LABEL_DEPTH ? 2 : depth - 1)
    const group = this.above.at(-1) ?? this.none
    group?.ids.add(id)
    if (group !== undefined) group.named ||= id === 'name' && nameOnly(pieces, index) !== undefined
  }

  private open(first: number, heading: HeadingPiece | undefined, level: number): Group {
    const group: Group = { heading, first, level, ids: new Set(), named: false, solid: false }
    this.all.push(group)
    return group
  }
}

const LABEL_DEPTH = 7

const isTool = ({ named, solid, ids, heading }: Group): boolean =>
  (named || (solid && ids.size >= 3 && (ids.has('input') || ids.has('output')))) &&
  !(heading && isOutside(heading.text))

function take(pieces: readonly Piece[], groups: readonly Group[], found: Found): void {
  let free = 0
  const stops = new Set(found.keys())
  for (const group of groups) {
    if (!isTool(group) || group.first < free) continue
    const { heading, first, level } = group
    const from = heading === undefined ? first : first + 1
    const { end, before, parts } = scanTool(pieces, from, { level, stops })
    const outline = { heading, opening: undefined, first: pieces[first] as Piece, before, parts }
    found.set(first, { outline, end })
    free = end
  }
}
