/** The sections of a tool with their content, and where the tool ends. */
import { SECTIONS, type SectionId } from '../document.ts'
import { isAboutParameters } from './parameter-blocks.ts'
import type { BlockPiece, HeadingPiece, LabelPiece, Piece } from './pieces.ts'
import { isOutside, numbered } from './section-names.ts'

export interface ToolSection {
  readonly id: SectionId
  /** a block: it is its own section, such as a table of parameters right below the heading of the tool */
  readonly opener: Piece
  readonly pieces: readonly Piece[]
  /** the text below a heading "Migration" that follows it */
  readonly migration?: readonly Piece[]
}

export interface ToolScan {
  /** the piece after the tool */
  readonly end: number
  readonly before: readonly Piece[]
  readonly parts: readonly ToolSection[]
}

interface Bounds {
  /** a heading of this level or above ends the tool, if it opens no section */
  readonly level: number
  /** other tools begin at these */
  readonly stops: { has(index: number): boolean }
  /** there are other tools on its level, so a heading beside it is the document's own */
  readonly isOneOfMany?: boolean
}

export function scanTool(pieces: readonly Piece[], from: number, bounds: Bounds): ToolScan {
  const trusting = new Scan(bounds, true)
  const end = trusting.run(pieces, from)
  if (!trusting.contradicted) return { end, before: trusting.before, parts: trusting.parts }
  const careful = new Scan(bounds, false)
  return { end: careful.run(pieces, from), before: careful.before, parts: careful.parts }
}

interface OpenPart extends ToolSection {
  readonly pieces: Piece[]
  migration?: Piece[]
  /** of its heading; labels stand below all headings */
  readonly level: number
}

const LABEL_LEVEL = 7
const BEFORE_INPUT: ReadonlySet<SectionId> = new Set(['purpose', 'name'])

/** After which sections a vague label opens one: elsewhere it names a part of the section it is in. */
const VAGUE_AFTER: Readonly<Partial<Record<SectionId, readonly (SectionId | undefined)[]>>> = {
  purpose: [undefined, 'name'],
  name: [undefined, 'purpose'],
  input: [undefined, 'purpose', 'name', 'output', 'idempotency', 'security'],
  output: [undefined, 'purpose', 'name', 'input', 'errors'],
  errors: [undefined, 'input', 'output', 'idempotency', 'security'],
  examples: [undefined, 'errors', 'idempotency', 'security'],
}

class Scan {
  readonly before: Piece[] = []
  readonly parts: OpenPart[] = []
  /** a heading has the number of one section and the name of another */
  contradicted = false
  private current: OpenPart | undefined
  private inMigration = false
  private readonly bounds: Bounds
  private readonly byNumber: boolean
  private readonly seen = new Set<SectionId>()
  private labels = 0
  /** the level of the section headings */
  private sectionLevel: number | undefined

  constructor(bounds: Bounds, byNumber: boolean) {
    this.bounds = bounds
    this.byNumber = byNumber
  }

  run(pieces: readonly Piece[], from: number): number {
    for (let index = from; index < pieces.length; index++) {
      if (this.bounds.stops.has(index)) return index
      const piece = pieces[index] as Piece
      if (piece.kind === 'heading') {
        if (this.ends(piece)) return index
        this.heading(piece)
      } else if (piece.kind === 'label' && this.labelOpens(piece)) this.open(piece, LABEL_LEVEL)
      else if (piece.kind === 'block' && this.blockOpens(piece)) this.openBlock(piece)
      else this.add(piece)
    }
    return pieces.length
  }

  private ends(piece: HeadingPiece): boolean {
    const { depth } = piece.node
    const { level, isOneOfMany } = this.bounds
    if (depth > level) return false
    // Where the sections stand below the tool's heading, one beside it is the document's own.
    const below = this.sectionLevel !== undefined && this.sectionLevel > level
    return piece.section === undefined || below || this.labels >= 2 || isOneOfMany === true
  }

  private heading(piece: HeadingPiece): void {
    const { depth } = piece.node
    this.inMigration = false
    const inside = this.current !== undefined && depth > this.current.level
    if (this.headingOpens(piece, inside)) return this.open(piece, depth)
    if (isOutside(piece.text) || (this.current !== undefined && !inside && this.current.level < LABEL_LEVEL)) {
      // Neither this section nor a new one: what follows belongs to no section.
      this.current = undefined
      this.inMigration = this.parts.length > 0 && /^migration\b/i.test(piece.text)
      if (this.parts.length === 0) this.before.push(piece)
      return
    }
    this.add(piece)
  }

  private headingOpens({ section, text }: HeadingPiece, inside: boolean): boolean {
    if (section !== undefined) {
      const { number } = numbered(text)
      if (section.by === 'name' && number !== undefined && SECTIONS[number - 1] !== section.id) this.contradicted = true
      if (inside) return this.current?.id === 'purpose' && section.clear && !this.seen.has(section.id)
      if (this.current?.level === LABEL_LEVEL) return section.clear || this.vagueOpens(section.id)
      return true
    }
    const id = this.numberOf(text)
    return id !== undefined && !inside && !this.seen.has(id) && this.current?.level !== LABEL_LEVEL
  }

  private numberOf(text: string): SectionId | undefined {
    const { number } = numbered(text)
    return this.byNumber && number !== undefined ? SECTIONS[number - 1] : undefined
  }

  /** Where sections have headings, bold words within them are no sections. */
  private labelOpens({ section }: LabelPiece): boolean {
    if (section === undefined || this.parts.length - this.labels > this.labels) return false
    if (this.current?.id === 'examples') return section.clear && !this.seen.has(section.id)
    return section.clear || this.vagueOpens(section.id)
  }

  /** Where sections have headings, a table before the section about parameters is part of the description. */
  private blockOpens({ node }: BlockPiece): boolean {
    const isBefore =
      this.current === undefined || (this.current.level === LABEL_LEVEL && BEFORE_INPUT.has(this.current.id))
    return isBefore && !this.seen.has('input') && isAboutParameters(node)
  }

  private openBlock(piece: BlockPiece): void {
    this.labels++
    this.current = { id: 'input', opener: piece, pieces: [piece], level: LABEL_LEVEL }
    this.parts.push(this.current)
    this.seen.add('input')
  }

  private vagueOpens(id: SectionId): boolean {
    return !this.seen.has(id) && (VAGUE_AFTER[id]?.includes(this.current?.id) ?? false)
  }

  private open(opener: HeadingPiece | LabelPiece, level: number): void {
    const id = opener.section?.id ?? this.numberOf(opener.text)
    if (id === undefined) return
    if (level === LABEL_LEVEL) this.labels++
    else this.sectionLevel = Math.min(level, this.sectionLevel ?? level)
    const rest: Piece[] = opener.kind === 'label' && opener.rest ? [{ kind: 'block', node: opener.rest }] : []
    this.current = { id, opener, pieces: rest, level }
    this.parts.push(this.current)
    this.seen.add(id)
  }

  private add(piece: Piece): void {
    const last = this.parts.at(-1)
    if (this.inMigration && last !== undefined) last.migration = [...(last.migration ?? []), piece]
    else if (this.current !== undefined) this.current.pieces.push(piece)
    else if (this.parts.length === 0) this.before.push(piece)
  }
}
