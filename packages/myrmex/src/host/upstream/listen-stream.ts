/**
 * The open `subscriptions/listen` request of a modern upstream. A changed filter opens a new stream before the old one is closed, so
 * nothing is missed. A stream that the upstream ends is opened again.
 */
import { CODE, RpcError, ToolError } from '../../protocol/errors.ts'
import { inTurn } from '../../protocol/in-turn.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Link } from '../link/link.ts'
import { describeFailure } from './upstream-errors.ts'

const MIN_WAIT_MS = 500
const MAX_WAIT_MS = 60_000
/** a missing acknowledgement delays a new link no longer than this */
const ACKNOWLEDGE_MS = 2000

export class ListenStream {
  readonly #link: Link
  readonly #warn: (line: string) => void
  readonly #inTurn = inTurn()
  #open: AbortController | undefined
  #onAcknowledged: (() => void) | undefined
  #retry: NodeJS.Timeout | undefined
  #wait = MIN_WAIT_MS
  #openedAt = 0
  #isStopped = false

  constructor(link: Link, warn: (line: string) => void) {
    this.#link = link
    this.#warn = warn
  }

  /** Resolves when the upstream has acknowledged the stream. `filter` is evaluated when its turn comes. */
  open(filter: () => JsonObject): Promise<void> {
    clearTimeout(this.#retry)
    return this.#inTurn(() => this.#listen(filter))
  }

  /** Like `open`, but logs a rejection and retries later. */
  async keepOpen(filter: () => JsonObject): Promise<void> {
    try {
      await this.open(filter)
    } catch (thrown) {
      if (!this.#isStopped) this.#warn(`subscriptions/listen was rejected: ${describeFailure(thrown)}`)
      this.#retryLater(thrown, filter)
    }
  }

  acknowledged(): void {
    this.#onAcknowledged?.()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#retry)
    this.#open?.abort()
  }

  async #listen(filter: () => JsonObject): Promise<void> {
    if (this.#isStopped) return
    const notifications = filter()
    const before = this.#open
    if (Object.keys(notifications).length === 0) {
      this.#open = undefined
      before?.abort()
      return
    }
    const opened = new AbortController()
    try {
      await this.#acknowledgement(notifications, opened, filter)
    } catch (thrown) {
      opened.abort()
      throw thrown
    }
    this.#open = opened
    this.#openedAt = performance.now()
    before?.abort()
    if (this.#isStopped) opened.abort()
  }

  #acknowledgement(notifications: JsonObject, opened: AbortController, filter: () => JsonObject): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(ToolError.of('TimeoutError', NOT_ACKNOWLEDGED)), ACKNOWLEDGE_MS)
      late.unref()
      this.#onAcknowledged = () => {
        this.#onAcknowledged = undefined
        clearTimeout(late)
        resolve()
      }
      const ended = (thrown: unknown): void => {
        clearTimeout(late)
        // Before the acknowledgement this attempt failed; after it, an open stream has ended.
        reject(thrown)
        if (opened.signal.aborted || this.#open !== opened) return
        this.#open = undefined
        this.#retryLater(thrown, filter)
      }
      this.#link.request('subscriptions/listen', { notifications }, { signal: opened.signal }).then(
        () => ended(ToolError.of('TransportError', 'the server ended the subscription')),
        (thrown) => ended(thrown),
      )
    })
  }

  #retryLater(why: unknown, filter: () => JsonObject): void {
    // A rejected filter leaves the previous stream open.
    if (this.#isStopped || this.#open !== undefined) return
    if (why instanceof RpcError && why.code === CODE.methodNotFound) return
    if (performance.now() - this.#openedAt > MAX_WAIT_MS) this.#wait = MIN_WAIT_MS
    const wait = this.#wait
    this.#wait = Math.min(MAX_WAIT_MS, wait * 2)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.keepOpen(filter), wait)
    this.#retry.unref()
  }
}

const NOT_ACKNOWLEDGED = `subscriptions/listen was not acknowledged within ${ACKNOWLEDGE_MS} ms`
