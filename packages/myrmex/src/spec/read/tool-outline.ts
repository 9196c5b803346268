/** A tool as it was found in a document, before its sections are read. */
import type { StatedValue, TextLocation, ToolOrigin } from '../document.ts'
import type { HeadingPiece, Piece } from './pieces.ts'
import type { BlockDefinition } from './sections/definition-block.ts'
import type { ToolSection } from './tool-sections.ts'

export interface ToolOutline {
  readonly origin: ToolOrigin
  /** where it begins */
  readonly location: TextLocation
  readonly heading: HeadingPiece | undefined
  readonly name: StatedValue | undefined
  readonly version: StatedValue | undefined
  readonly title: StatedValue | undefined
  /** what stands before its first section */
  readonly before: readonly Piece[]
  readonly parts: readonly ToolSection[]
  readonly definition: BlockDefinition | undefined
  /** the parameters of `name(a: str)` */
  readonly signature: StatedValue | undefined
}

/** Blocks that define tools, by the index of their piece. */
export type Definitions = ReadonlyMap<number, readonly BlockDefinition[]>

/** Tools that were found, by the index of the piece that they begin with. */
export type FoundTools = Map<number, { readonly outlines: readonly ToolOutline[]; readonly end: number }>
