/** Writes the chain of this process into segments that are written synchronously: files and memory. */
import type { ChainHead, ChainLinks } from './chain.ts'
import type { LedgerKey } from './key.ts'
import type { ChainMark, Mark } from './mark.ts'
import { type NextGroup, OwnChain, type SegmentLimits } from './own-chain.ts'
import { segmentName } from './segment.ts'
import type { SegmentFile, SegmentStorage } from './store.ts'

export interface ChainOptions extends SegmentLimits {
  /** Waits for the disk after each group. */
  readonly sync?: boolean
}

export class ChainWriter {
  readonly #chain: OwnChain
  readonly #storage: SegmentStorage
  readonly #sync: boolean
  #file: SegmentFile

  /** Its first group says which other chains there were. */
  constructor(journal: string, links: ChainLinks, key: LedgerKey, storage: SegmentStorage, options: ChainOptions = {}) {
    this.#chain = new OwnChain(journal, links, key, options)
    this.#storage = storage
    this.#sync = options.sync === true
    this.#file = this.#open(this.#chain.next(''))
  }

  get id(): string {
    return this.#chain.id
  }

  get head(): ChainHead {
    return this.#chain.head
  }

  /** Durable when it returns. Throws if it cannot be written; the chain is then as before. */
  append(lines: string): void {
    this.#append(this.#chain.next(lines))
  }

  /** Signs everything so far, in a group of its own. */
  seal(mark: Mark, closed: boolean): void {
    this.#append(this.#chain.next('', { mark, closed }))
  }

  #append(next: NextGroup): void {
    if (!next.isFirst) return this.#write(this.#file, next)
    const full = this.#file
    this.#file = this.#open(next)
    full.close()
  }

  #write(file: SegmentFile, next: NextGroup): void {
    file.append(next.bytes, this.#sync)
    this.#chain.advance(next)
  }

  #open(next: NextGroup): SegmentFile {
    const file = this.#storage.create(next.segment)
    try {
      this.#write(file, next)
      return file
    } catch (error) {
      file.discard()
      throw error
    }
  }

  /** Where the chain is now, for the mark. */
  mark(closed: boolean): ChainMark {
    return this.#chain.mark(closed)
  }

  /** Says what others did to the segment that is being written, as the end of a sentence; undefined if nothing. */
  damage(): string | undefined {
    const why = this.#file.damage()
    return why === undefined ? undefined : `segment ${segmentName(this.#chain.segment)} ${why}`
  }

  close(): void {
    this.#file.close()
  }
}
