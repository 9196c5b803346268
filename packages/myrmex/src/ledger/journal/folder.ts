/** Segments as files in a folder, readable by their owner only. One write for a group. Nothing is ever written in the middle. */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { LedgerError } from '../ledger-error.ts'
import { makePrivateFolder, narrow, requireOwnFolder } from '../private-folder.ts'
import { lastGroupEnd, MAX_GROUP_BYTES } from './read-groups.ts'
import { compareSegments, type SegmentId, type SegmentPosition, segmentName, segmentOfName } from './segment.ts'
import type { SegmentFile, SegmentStorage } from './store.ts'

/** A search reads a group here and a group there: the first chunk is small. Chunks larger than the last are no faster. */
const FIRST_CHUNK_BYTES = 16 * 1024
const CHUNK_BYTES = 1024 * 1024

export class JournalFolder implements SegmentStorage {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** The file of the index, which can be deleted at any time. */
  get indexFile(): string {
    return join(this.path, 'index.db')
  }

  async segments(): Promise<readonly SegmentId[]> {
    const found = names(this.path).flatMap((name) => segmentOfName(name) ?? [])
    return found.sort(compareSegments)
  }

  async *read(segment: SegmentId, from?: SegmentPosition): AsyncGenerator<Buffer> {
    const file = await open(join(this.path, segmentName(segment)))
    if (file === undefined) return
    try {
      let position = from?.offset ?? 0
      for (let size = FIRST_CHUNK_BYTES; ; size = Math.min(size * 8, CHUNK_BYTES)) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, position)
        if (bytesRead === 0) return
        position += bytesRead
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      await file.close()
    }
  }

  async end(segment: SegmentId): Promise<SegmentPosition> {
    const file = await open(join(this.path, segmentName(segment)))
    if (file === undefined) return START
    try {
      const { size } = await file.stat()
      // The last group is usually short: look for its last line in ever larger pieces of the end. No group is larger than the last.
      const most = Math.min(size, 2 * MAX_GROUP_BYTES)
      for (let length = Math.min(size, TAIL_BYTES); ; length = Math.min(most, length * 8)) {
        const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
        const found = lastGroupEnd(buffer, size - length)
        if (found !== undefined) return found
        if (length === most) return START
      }
    } finally {
      await file.close()
    }
  }

  async remove(segment: SegmentId): Promise<void> {
    try {
      requireOwnFolder(this.path)
      await fs.promises.rm(join(this.path, segmentName(segment)), { force: true })
    } catch (error) {
      throw new LedgerError(`cannot remove ${segmentName(segment)}: ${(error as Error).message}`, error)
    }
  }

  create(segment: SegmentId): SegmentFile {
    requireOwnFolder(this.path)
    makePrivateFolder(this.path)
    narrow(this.path, 0o700)
    return new FileOfSegment(join(this.path, segmentName(segment)))
  }
}

const START: SegmentPosition = { group: 0, offset: 0 }
const TAIL_BYTES = 64 * 1024

function names(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new LedgerError(`cannot list its journal ${folder}: ${(error as Error).message}`, error)
  }
}

/** Opening a pipe would wait for somebody who writes to it. */
const READ = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0)

async function open(path: string): Promise<fs.promises.FileHandle | undefined> {
  let file: fs.promises.FileHandle | undefined
  try {
    file = await fs.promises.open(path, READ)
    if (!(await file.stat()).isFile()) throw new Error('it is not a file')
    return file
  } catch (error) {
    await file?.close()
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new LedgerError(`cannot read ${path}: ${(error as Error).message}`, error)
  }
}

/** How many bytes of the newest group are compared with what was written. Every group has at least as many. */
const PROBE_BYTES = 64

class FileOfSegment implements SegmentFile {
  readonly #path: string
  readonly #inode: bigint
  /** -1 when closed: the system gives the number to the next file that is opened */
  #fd: number
  size = 0
  /** a failed write may have left bytes after `size` */
  #isTorn = false
  #isListed = false
  /** the end of what was written when `damage` was last asked for */
  #probe: { readonly position: number; readonly bytes: Buffer } | undefined
  /** the last bytes of the newest group */
  readonly #last = Buffer.alloc(PROBE_BYTES)

  constructor(path: string) {
    this.#path = path
    this.#fd = fs.openSync(path, 'wx+', 0o600)
    this.#inode = fs.fstatSync(this.#fd, { bigint: true }).ino
  }

  append(bytes: Buffer, sync: boolean): void {
    if (this.#fd === -1) throw new LedgerError('was closed')
    if (this.#isTorn) this.#cut()
    this.#isTorn = true
    this.#write(bytes)
    if (sync) this.#syncToDisk()
    this.size += bytes.length
    this.#isTorn = false
    bytes.copy(this.#last, 0, Math.max(0, bytes.length - PROBE_BYTES))
  }

  /** A short write means a full disk: writing the rest fails with the reason. */
  #write(bytes: Buffer): void {
    for (let from = 0; from < bytes.length; ) {
      const count = fs.writeSync(this.#fd, bytes, from, bytes.length - from, this.size + from)
      if (count === 0) throw Object.assign(new Error('the disk takes no more bytes'), { code: 'ENOSPC' })
      from += count
    }
  }

  #cut(): void {
    fs.ftruncateSync(this.#fd, this.size)
    this.#isTorn = false
  }

  #syncToDisk(): void {
    fs.fdatasyncSync(this.#fd)
    if (this.#isListed) return
    // The name of a new file is in its folder, which has to reach the disk too.
    const folder = fs.openSync(dirname(this.#path), 'r')
    try {
      fs.fsyncSync(folder)
    } finally {
      fs.closeSync(folder)
    }
    this.#isListed = true
  }

  damage(): string | undefined {
    const there = fs.statSync(this.#path, { bigint: true, throwIfNoEntry: false })
    if (there === undefined) return 'was removed while it was being written'
    if (there.ino !== this.#inode) return 'was replaced by another file while it was being written'
    if (there.size < BigInt(this.size))
      return `was cut to ${there.size} of ${this.size} bytes while it was being written`
    if (!this.#isAsProbed()) return 'was overwritten while it was being written'
    this.#probe = { position: this.size - PROBE_BYTES, bytes: Buffer.from(this.#last) }
    return undefined
  }

  #isAsProbed(): boolean {
    if (this.#probe === undefined) return true
    const { position, bytes } = this.#probe
    const found = Buffer.alloc(bytes.length)
    fs.readSync(this.#fd, found, 0, bytes.length, position)
    return found.equals(bytes)
  }

  close(): void {
    const fd = this.#fd
    if (fd === -1) return
    try {
      if (this.#isTorn) this.#cut()
    } finally {
      this.#fd = -1
      fs.closeSync(fd)
    }
  }

  discard(): void {
    this.close()
    fs.rmSync(this.#path, { force: true })
  }
}
