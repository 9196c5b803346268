/**
 * The way to an agent that is not in this process. It is opened when something is first asked, opened again after it broke, and
 * left alone for a while where that does not help. Closing it leaves no child behind.
 */
import { type Connection, connect } from '../../client/connect.ts'
import type { CommandTarget, UrlTarget } from '../../client/target.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { gone } from './gone.ts'

/** After the first failure in a row, doubled by each further one up to the longest. */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000

/** A connection and those who are using it: one that broke for one of them is closed when the last has its answer. */
interface Line {
  readonly connection: Connection
  readonly pid: number | undefined
  users: number
  isLost: boolean
}

export class Remote {
  readonly name: string
  readonly #target: CommandTarget | UrlTarget
  readonly #openMs: number | undefined
  readonly #stop = new AbortController()
  readonly #closing = new Set<Promise<void>>()
  readonly #lines = new Set<Line>()
  #line: Promise<Line> | undefined
  #failures = 0
  #notBefore = 0

  /** `openMs` is how long opening a connection may take. */
  constructor(name: string, target: CommandTarget | UrlTarget, openMs?: number) {
    this.name = name
    this.#target = target
    this.#openMs = openMs
  }

  /** Does something over the connection. A peer that is gone is an UnavailableError that says when to try again. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const line = await this.#open()
    line.users++
    try {
      const done = await work(line.connection)
      this.#failures = 0
      return done
    } catch (thrown) {
      if (!isBroken(thrown)) throw thrown
      this.#lost(line)
      throw this.#unavailable(thrown)
    } finally {
      line.users--
      if (line.isLost && line.users === 0) this.#end(line)
    }
  }

  /** The child, while there is one. */
  get pid(): number | undefined {
    return [...this.#lines].find(({ isLost }) => !isLost)?.pid
  }

  async close(): Promise<void> {
    this.#stop.abort()
    // One that is just being opened is ended by its own signal.
    await this.#line?.catch(() => undefined)
    for (const line of this.#lines) this.#end(line)
    await Promise.all(this.#closing)
  }

  #open(): Promise<Line> {
    if (this.#stop.signal.aborted) {
      return Promise.reject(new ToolError('UnavailableError', `${this.name}: the fleet was closed`))
    }
    if (this.#line !== undefined) return this.#line
    if (this.#wait > 0) return Promise.reject(this.#unavailable(undefined))
    const opening = this.#connect()
    this.#line = opening
    return opening
  }

  async #connect(): Promise<Line> {
    try {
      const connection = await connect(this.#target, {
        peer: this.name,
        signal: this.#stop.signal,
        timeoutMs: this.#openMs,
      })
      const line: Line = { connection, pid: connection.pid, users: 0, isLost: false }
      this.#lines.add(line)
      // A child that ended by itself is noticed now, not by the next call.
      connection.client.onclose = () => this.#lost(line)
      return line
    } catch (thrown) {
      this.#line = undefined
      this.#failed(1)
      throw this.#unavailable(thrown)
    }
  }

  /** Of all who find a connection broken only the first counts. */
  #lost(line: Line): void {
    if (line.isLost) return
    line.isLost = true
    this.#line = undefined
    // The first time it is opened again at once: most peers that end were ended once.
    this.#failed(2)
    if (line.users === 0) this.#end(line)
  }

  #end(line: Line): void {
    if (!this.#lines.delete(line)) return
    // The official client asks a child to end, tells it to, and kills it, two seconds apart.
    const ending = line.connection
      .close()
      // What cannot be closed in order is broken already, and whoever used it was told.
      .catch(() => undefined)
      .then(() => gone(line.pid))
      .finally(() => this.#closing.delete(ending))
    this.#closing.add(ending)
  }

  /** From the failure of this number on, the next attempt has to wait. */
  #failed(patience: number): void {
    this.#failures++
    const over = this.#failures - patience
    if (over >= 0) this.#notBefore = performance.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** over)
  }

  get #wait(): number {
    return Math.max(0, Math.ceil(this.#notBefore - performance.now()))
  }

  #unavailable(cause: unknown): ToolError {
    const retry_after_ms = Math.max(this.#wait, 1)
    const why =
      cause instanceof Error ? cause.message : `${this.name}: it could not be reached, and is left alone for now`
    const details = { agent: this.name, retry_after_ms }
    return new ToolError('UnavailableError', `${why}. Try again in ${retry_after_ms} ms.`, details, { cause })
  }
}

/** The peer is gone, or nobody can tell what it says. What a sound peer answered wrongly breaks nothing. */
function isBroken(thrown: unknown): boolean {
  if (!(thrown instanceof ToolError) || thrown.error_type !== 'TransportError') return false
  const codes = isObject(thrown.error_details) ? thrown.error_details.codes : undefined
  return !(Array.isArray(codes) && codes.includes('INVALID_RESULT'))
}
