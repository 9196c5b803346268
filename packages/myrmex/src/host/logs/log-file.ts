/**
 * A log file that never grows beyond its limit: when it is full, `x.log` becomes `x.log.1`, and so on up to the number of files. Only its
 * owner can read it. Several processes may write to the same file (hosts on stdio): lines are appended whole, and one of them rotates.
 * Lines that cannot be written, because the disk is full or the folder is gone, are lost; that is reported once.
 */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { makePrivateFolder, requireOwnFile } from '../../ledger/private-folder.ts'

export interface LogLimits {
  /** of one file */
  readonly maxBytes: number
  /** including the one that is written */
  readonly files: number
}

export const DEFAULT_LOG_LIMITS: LogLimits = { maxBytes: 2 * 1024 * 1024, files: 5 }

/** A process that was killed while it rotated leaves its mark behind. */
const STALE_MS = 10_000

export class LogFile {
  readonly #path: string
  readonly #limits: LogLimits
  readonly #onFailure: (error: unknown) => void
  #descriptor: number | undefined
  #unwritten = ''
  #scheduled: NodeJS.Immediate | undefined
  #hasFailed = false

  constructor(path: string, limits: LogLimits, onFailure: (error: unknown) => void) {
    this.#path = path
    this.#limits = limits
    this.#onFailure = onFailure
  }

  /** The lines of one turn of the event loop are written together. */
  write(line: string): void {
    this.#unwritten += `${line}\n`
    this.#scheduled ??= setImmediate(() => this.flush())
  }

  flush(): void {
    clearImmediate(this.#scheduled)
    this.#scheduled = undefined
    const text = this.#unwritten
    this.#unwritten = ''
    if (text === '') return
    try {
      writeSync(this.#ready(Buffer.byteLength(text)), text)
      this.#hasFailed = false
    } catch (error) {
      this.#close()
      if (!this.#hasFailed) this.#onFailure(error)
      this.#hasFailed = true
    }
  }

  close(): void {
    this.flush()
    this.#close()
  }

  /** The file that has this name now, with room for so many bytes. */
  #ready(bytes: number): number {
    let descriptor = this.#current()
    const { size } = fstatSync(descriptor)
    if (size > 0 && size + bytes > this.#limits.maxBytes && this.#rotate()) descriptor = this.#open()
    return descriptor
  }

  #current(): number {
    if (this.#descriptor === undefined) return this.#open()
    // Another process may have rotated it.
    const now = statSync(this.#path, { throwIfNoEntry: false })
    return now?.ino === fstatSync(this.#descriptor).ino ? this.#descriptor : this.#open()
  }

  #open(): number {
    this.#close()
    makePrivateFolder(dirname(this.#path))
    requireOwnFile(this.#path)
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants
    this.#descriptor = openSync(this.#path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
    return this.#descriptor
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  /** Returns whether the file was replaced. While another process does it, this one appends a little more. */
  #rotate(): boolean {
    const mark = `${this.#path}.rotating`
    if (!take(mark)) return false
    try {
      // Another process was faster.
      if (statSync(this.#path, { throwIfNoEntry: false })?.ino !== fstatSync(this.#descriptor as number).ino)
        return true
      const { files } = this.#limits
      const name = (index: number): string => (index === 0 ? this.#path : `${this.#path}.${index}`)
      rmSync(name(files - 1), { force: true })
      for (let index = files - 2; index >= 0; index--) {
        if (statSync(name(index), { throwIfNoEntry: false }) !== undefined) renameSync(name(index), name(index + 1))
      }
      return true
    } finally {
      rmdirSync(mark)
    }
  }
}

function take(mark: string): boolean {
  try {
    mkdirSync(mark)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const since = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > STALE_MS) rmdirSync(mark)
    return false
  }
}
