/**
 * Where the segments of a journal are, for everybody who reads them: a folder of files, memory, or tables of PostgreSQL. All of
 * them return the same bytes, so that reading, searching, verifying and exporting are written once.
 */
import type { SegmentId, SegmentPosition } from './segment.ts'

export interface JournalStore {
  /** All segments, by the start of their chain and by number. */
  segments(): Promise<readonly SegmentId[]>
  /** The bytes of a segment, from this position to its end. Chunks end anywhere. Nothing if the segment does not exist. */
  read(segment: SegmentId, from?: SegmentPosition): AsyncIterable<Buffer>
  /** The end of the last whole group of a segment. */
  end(segment: SegmentId): Promise<SegmentPosition>
  /** Removes a segment that retention has recorded as removed; see retention.ts. Nothing happens if it does not exist. */
  remove(segment: SegmentId): Promise<void>
}

/** A store that is written synchronously: files and memory. */
export interface SegmentStorage extends JournalStore {
  /** Throws if the segment exists. */
  create(segment: SegmentId): SegmentFile
}

/** A segment that this process writes. */
export interface SegmentFile {
  /** how many bytes were written; what follows them in the file is not ours */
  readonly size: number
  /**
   * Durable against the end of this process when it returns, with `sync` against a loss of power too. Throws if it cannot be
   * written whole; then nothing of it counts. The caller may reuse the memory of the bytes.
   */
  append(bytes: Buffer, sync: boolean): void
  /** What others have done to the segment, as the end of a sentence; undefined if it is as this process left it. */
  damage(): string | undefined
  close(): void
  /** Removes the segment, of which nothing counts. */
  discard(): void
}
