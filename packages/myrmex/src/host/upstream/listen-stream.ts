/**
 * The one `subscriptions/listen` that is open at a modern upstream. Another set of wishes opens another before the old one is
 * let go, so nothing is missed between them; one that the upstream ends by itself is opened again.
 */
import { CODE, RpcError, ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Link } from '../link/link.ts'
import { describeFailure } from './upstream-errors.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000

export interface ListenStreamOptions {
  readonly log: (line: string) => void
  /** how long the acknowledgement may take */
  readonly ackMs: number
}

export class ListenStream {
  readonly #link: Link
  readonly #options: ListenStreamOptions
  #turn: Promise<void> = Promise.resolve()
  #open: AbortController | undefined
  #onAcknowledged: (() => void) | undefined
  #again: NodeJS.Timeout | undefined
  #wait = FIRST_WAIT_MS
  #openedAt = 0
  #isOver = false

  constructor(link: Link, options: ListenStreamOptions) {
    this.#link = link
    this.#options = options
  }

  /** Resolves when the upstream has acknowledged it. What is wished for is asked when it is its turn. */
  open(wishes: () => JsonObject): Promise<void> {
    clearTimeout(this.#again)
    const turn = this.#turn.then(() => this.#listen(wishes))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** The same; what the upstream does not take is told, and asked again later. */
  async keepOpen(wishes: () => JsonObject): Promise<void> {
    try {
      await this.open(wishes)
    } catch (thrown) {
      if (!this.#isOver) this.#options.log(`subscriptions/listen was refused: ${describeFailure(thrown)}`)
      this.#later(thrown, wishes)
    }
  }

  acknowledged(): void {
    this.#onAcknowledged?.()
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#again)
    this.#open?.abort()
  }

  async #listen(wishes: () => JsonObject): Promise<void> {
    if (this.#isOver) return
    const notifications = wishes()
    const before = this.#open
    if (Object.keys(notifications).length === 0) {
      this.#open = undefined
      before?.abort()
      return
    }
    const opened = new AbortController()
    try {
      await this.#acknowledgement(notifications, opened, wishes)
    } catch (thrown) {
      opened.abort()
      throw thrown
    }
    this.#open = opened
    this.#openedAt = performance.now()
    before?.abort()
    if (this.#isOver) opened.abort()
  }

  #acknowledgement(notifications: JsonObject, opened: AbortController, wishes: () => JsonObject): Promise<void> {
    const { ackMs } = this.#options
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(ToolError.of('TimeoutError', NOT_ACKNOWLEDGED(ackMs))), ackMs)
      late.unref()
      this.#onAcknowledged = () => {
        this.#onAcknowledged = undefined
        clearTimeout(late)
        resolve()
      }
      const ended = (thrown: unknown): void => {
        clearTimeout(late)
        // Before the acknowledgement it is this attempt that failed; after it, a stream that stood has ended.
        reject(thrown)
        if (opened.signal.aborted || this.#open !== opened) return
        this.#open = undefined
        this.#later(thrown, wishes)
      }
      this.#link.request('subscriptions/listen', { notifications }, { signal: opened.signal }).then(
        () => ended(ToolError.of('TransportError', 'it ended the subscription')),
        (thrown) => ended(thrown),
      )
    })
  }

  #later(why: unknown, wishes: () => JsonObject): void {
    // A set of wishes that was refused leaves the one before it standing.
    if (this.#isOver || this.#open !== undefined) return
    if (why instanceof RpcError && why.code === CODE.methodNotFound) return
    if (performance.now() - this.#openedAt > LONGEST_WAIT_MS) this.#wait = FIRST_WAIT_MS
    const wait = this.#wait
    this.#wait = Math.min(LONGEST_WAIT_MS, wait * 2)
    clearTimeout(this.#again)
    this.#again = setTimeout(() => void this.keepOpen(wishes), wait)
    this.#again.unref()
  }
}

const NOT_ACKNOWLEDGED = (ms: number): string => `subscriptions/listen was not acknowledged within ${ms} ms`
