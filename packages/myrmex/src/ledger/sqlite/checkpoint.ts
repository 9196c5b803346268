/**
 * Moves what the write-ahead log has gathered into the database file, in a thread of its own: it takes as long as writing it
 * did, waits for the disk, and would otherwise do so in the middle of somebody's call. The thread starts when there is
 * first something to move; a server with few calls never has it.
 */
import type { Worker } from 'node:worker_threads'

/** Move after about this much was written. */
const AFTER_BYTES = 32 * 1024 * 1024

/**
 * PASSIVE stops no writer, however slow the disk is. The log starts again from its beginning when it has been moved whole,
 * which under unbroken load it never is: then the writer moves the little that is left itself, at MAX_LOG_PAGES.
 */
const WORK = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const database = new DatabaseSync(workerData, { timeout: 1000 })
parentPort.on('message', () => {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    parentPort.postMessage(null)
  } catch (error) {
    parentPort.postMessage(String(error.message))
  }
})`

/** In pages: about 200 MB. */
export const MAX_LOG_PAGES = 50_000

export class Checkpointer {
  readonly #path: string
  readonly #onFailure: (error: unknown) => void
  #written = 0
  #worker: Worker | undefined
  #busy = false

  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path
    this.#onFailure = onFailure
  }

  /** Counts written bytes and starts a checkpoint after AFTER_BYTES. */
  wrote(bytes: number): void {
    this.#written += bytes
    if (this.#written < AFTER_BYTES || this.#busy) return
    this.#written = 0
    this.#busy = true
    this.#worker ??= this.#start()
    this.#worker.postMessage(null)
  }

  #start(): Worker {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const worker = new Worker(WORK, {
      eval: true,
      workerData: this.#path,
      name: 'ledger checkpoint',
    })
    worker.unref()
    worker.on('message', (failed: string | null) => {
      this.#busy = false
      // The next checkpoint moves it: nothing is lost, the log is only longer.
      if (failed !== null) this.#onFailure(new Error(`the ledger's log could not be moved: ${failed}`))
    })
    worker.on('error', (error) => {
      this.#worker = undefined
      this.#busy = false
      this.#onFailure(error)
    })
    return worker
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }
}
