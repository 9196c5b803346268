/** Tools whose heading is a title, or that have none: known by their sections. */
import type { SectionId } from '../document.ts'
import { locationOf } from '../markdown/nodes.ts'
import type { HeadingPiece, Piece } from './pieces.ts'
import { isOutside } from './section-names.ts'
import { nameOnly } from './sections/name.ts'
import type { FoundTools, ToolOutline } from './tool-outline.ts'
import { scanTool } from './tool-sections.ts'

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
  /** tools with headings of their own are below it */
  hasTools: boolean
}

export function findTitledTools(pieces: readonly Piece[], found: FoundTools): void {
  const groups = new Groups()
  for (let index = 0; index < pieces.length; index++) {
    const covered = found.get(index)
    if (covered === undefined) groups.add(pieces, index)
    else {
      groups.part(pieces[index] as Piece)
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
  part(tool: Piece): void {
    const depth = tool.kind === 'heading' ? tool.node.depth : LABEL_DEPTH
    for (const group of this.above) group.hasTools ||= group.level < depth
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
    const group: Group = { heading, first, level, ids: new Set(), named: false, solid: false, hasTools: false }
    this.all.push(group)
    return group
  }
}

const LABEL_DEPTH = 7

const isTool = ({ named, solid, ids, heading, hasTools }: Group): boolean =>
  (named || (solid && !hasTools && ids.size >= 3 && (ids.has('input') || ids.has('output')))) &&
  !(heading && isOutside(heading.text))

function take(pieces: readonly Piece[], groups: readonly Group[], found: FoundTools): void {
  let free = 0
  const stops = new Set(found.keys())
  for (const group of groups) {
    if (!isTool(group) || group.first < free) continue
    const { heading, first, level } = group
    const from = heading === undefined ? first : first + 1
    const { end, before, parts } = scanTool(pieces, from, { level, stops })
    const outline: ToolOutline = {
      origin: 'section',
      location: locationOf((pieces[first] as Piece).node),
      heading,
      name: undefined,
      version: undefined,
      title: heading === undefined ? undefined : titleOf(heading),
      before,
      parts,
      definition: undefined,
      signature: undefined,
    }
    found.set(first, { outlines: [outline], end })
    free = end
  }
}

const OF_DOCUMENT = /\b(?:specifications?|documentation|reference|tools|mcp)\b/i

/** A heading that is no name is a title, unless it is the document's. */
function titleOf({ text, node }: HeadingPiece): ToolOutline['title'] {
  const words = text.replace(/^\d+(?:\.\d+)*[.)]?\s+/, '').replace(/^tool\s*:\s*/i, '')
  return words === '' || OF_DOCUMENT.test(words) ? undefined : { value: words, location: locationOf(node) }
}
