/** Which heading each piece of a document is below. */
import type { HeadingPiece, Piece } from './pieces.ts'

export class HeadingTree {
  private readonly pieces: readonly Piece[]
  private readonly parents: Int32Array

  constructor(pieces: readonly Piece[]) {
    this.pieces = pieces
    this.parents = new Int32Array(pieces.length)
    const above: number[] = []
    for (const [index, piece] of pieces.entries()) {
      if (piece.kind === 'heading') while (this.depth(above.at(-1)) >= piece.node.depth) above.pop()
      this.parents[index] = above.at(-1) ?? -1
      if (piece.kind === 'heading') above.push(index)
    }
  }

  /** Index of the heading that a piece is below; -1 if there is none. */
  parent(index: number): number {
    return this.parents[index] ?? -1
  }

  heading(index: number): HeadingPiece | undefined {
    const piece = this.pieces[index]
    return piece?.kind === 'heading' ? piece : undefined
  }

  /** The headings that a piece is below, the nearest first. */
  *above(index: number): Generator<{ readonly index: number; readonly piece: HeadingPiece }> {
    for (let at = this.parent(index); at >= 0; at = this.parent(at)) {
      yield { index: at, piece: this.pieces[at] as HeadingPiece }
    }
  }

  private depth(index: number | undefined): number {
    return index === undefined ? 0 : (this.heading(index)?.node.depth ?? 0)
  }
}
