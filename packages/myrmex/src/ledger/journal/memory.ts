/** Segments in memory: for a ledger that ends with its process. */
import { lastGroupEnd } from './read-groups.ts'
import { compareSegments, type SegmentId, type SegmentPosition, segmentName } from './segment.ts'
import type { SegmentFile, SegmentStorage } from './store.ts'

export class JournalMemory implements SegmentStorage {
  readonly #segments = new Map<string, { id: SegmentId; chunks: Buffer[] }>()

  async segments(): Promise<readonly SegmentId[]> {
    return [...this.#segments.values()].map(({ id }) => id).sort(compareSegments)
  }

  async *read(segment: SegmentId, from?: SegmentPosition): AsyncGenerator<Buffer> {
    const chunks = this.#segments.get(segmentName(segment))?.chunks ?? []
    yield Buffer.concat(chunks).subarray(from?.offset ?? 0)
  }

  async end(segment: SegmentId): Promise<SegmentPosition> {
    const bytes = Buffer.concat(this.#segments.get(segmentName(segment))?.chunks ?? [])
    return lastGroupEnd(bytes, 0) ?? { group: 0, offset: 0 }
  }

  async remove(segment: SegmentId): Promise<void> {
    this.#segments.delete(segmentName(segment))
  }

  create(id: SegmentId): SegmentFile {
    const chunks: Buffer[] = []
    this.#segments.set(segmentName(id), { id, chunks })
    return {
      size: 0,
      append(bytes) {
        chunks.push(Buffer.from(bytes))
        Object.assign(this, { size: this.size + bytes.length })
      },
      damage: () => undefined,
      close() {},
      discard: () => void this.#segments.delete(segmentName(id)),
    }
  }
}
