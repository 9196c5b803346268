/**
 * Fills the index in a thread of its own: while the process has nothing else to do, and when somebody searches and much is not
 * indexed yet. So neither calls nor the event loop pay for it. The thread lives only while it has something to do.
 */
import type { Worker } from 'node:worker_threads'
import type { FillerMessage } from './index-thread.ts'
import type { Progress } from './record-index.ts'
import { Timer } from './timer.ts'

/** How long nothing must have been recorded before the index is filled by itself, and from how many bytes on. */
const IDLE_MS = 2000
const IDLE_BYTES = 8 * 1024 * 1024
/** How long the thread is kept for the next search. */
const REST_MS = 1000

export class IndexFiller {
  readonly #folder: string
  readonly #onFailure: (error: unknown) => void
  readonly #busy = new Int32Array(new SharedArrayBuffer(4))
  readonly #idle = new Timer(IDLE_MS, () => this.#fillWhileIdle())
  #worker: Worker | undefined
  #unindexed = 0
  #ended: Promise<unknown> = Promise.resolve()
  #waiting: { onProgress: Progress; resolve: (records: number) => void; reject: (error: Error) => void } | undefined
  #filling: Promise<number> = Promise.resolve(0)
  /** ends the thread, whose memory is then free again */
  readonly #rest = new Timer(REST_MS, () => this.#end())

  constructor(folder: string, onFailure: (error: unknown) => void) {
    this.#folder = folder
    this.#onFailure = onFailure
  }

  /** Call it now and then while records are written. */
  wrote(bytes: number): void {
    this.#unindexed += bytes
    Atomics.store(this.#busy, 0, 1)
    this.#idle.restart()
  }

  #fillWhileIdle(): void {
    if (this.#unindexed < IDLE_BYTES) return
    Atomics.store(this.#busy, 0, 0)
    this.#unindexed = 0
    this.#fill(true, () => {}).catch(this.#onFailure)
  }

  /** Brings the index up to date, whatever else the process does. */
  update(onProgress: Progress): Promise<number> {
    return this.#fill(false, onProgress)
  }

  #fill(yields: boolean, onProgress: Progress): Promise<number> {
    const fill = (): Promise<number> =>
      new Promise((resolve, reject) => {
        this.#rest.stop()
        this.#waiting = { onProgress, resolve, reject }
        this.#worker ??= this.#start()
        this.#worker.postMessage({ yields })
      })
    this.#filling = this.#filling.then(fill, fill)
    return this.#filling
  }

  #start(): Worker {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    // In the published form the files have another ending.
    const file = new URL(import.meta.url.endsWith('.ts') ? './index-thread.ts' : './index-thread.js', import.meta.url)
    const worker = new Worker(file, { workerData: { folder: this.#folder, busy: this.#busy }, name: 'journal index' })
    worker.unref()
    worker.on('message', (message: FillerMessage) => this.#hear(message))
    worker.on('error', (error: Error) => {
      this.#worker = undefined
      this.#waiting?.reject(error)
    })
    return worker
  }

  #hear(message: FillerMessage): void {
    if ('records' in message) return this.#waiting?.onProgress(message.records)
    this.#rest.start()
    if ('done' in message) this.#waiting?.resolve(message.done)
    else this.#waiting?.reject(new Error(`the index could not be filled: ${message.failed}`))
  }

  #end(): void {
    const worker = this.#worker
    this.#worker = undefined
    // Nothing is lost: what it did not finish is indexed the next time.
    this.#ended = worker?.terminate() ?? this.#ended
  }

  async close(): Promise<void> {
    this.#idle.stop()
    this.#rest.stop()
    this.#end()
    await this.#ended
  }
}
