/**
 * Follows what other processes change of the tokens and switches, so that requests read neither from the store. A change takes effect here
 * within FOLLOW_MS. If the store cannot be read, what was known before stays, and the failure is reported once.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Ledger } from './ledger.ts'

export const FOLLOW_MS = 200

/** Until other processes have taken over what was just written, so that a command prints what is true for the next call. */
export const untilFollowed = (): Promise<void> => pause(1.5 * FOLLOW_MS)

/** How often the time of the last use of tokens is written. */
const USE_MS = 30_000

/**
 * Every decision raises the time of its own row, so their sum changes with each, also after the clock was set back and within a millisecond.
 */
const VERSION = `SELECT (SELECT count(*) || ' ' || coalesce(sum(coalesce(revoked_at, created_at)), 0) FROM tokens) || '/' ||
  (SELECT count(*) || ' ' || coalesce(sum(set_at), 0) FROM switches) AS version`

export class LedgerFollower {
  readonly #ledger: Ledger
  readonly #onFailure: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #started: Promise<void> | undefined
  #turn: Promise<void> | undefined
  #counter: number | undefined
  #version: string | undefined
  #hasFailed = false
  #wroteUse = Date.now()

  constructor(ledger: Ledger, onFailure: (error: unknown) => void) {
    this.#ledger = ledger
    this.#onFailure = onFailure
  }

  /** Resolves when what is stored now is known. */
  start(): Promise<void> {
    this.#started ??= this.#follow().then(() => {
      this.#timer = setInterval(() => this.#tick(), FOLLOW_MS).unref()
    })
    return this.#started
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#turn
    await this.#ledger.tokens.writeUse().catch(this.#onFailure)
  }

  #tick(): void {
    this.#ledger.tokens.endExpired()
    // One at a time, for slow stores.
    this.#turn ??= this.#safely().finally(() => {
      this.#turn = undefined
    })
  }

  async #safely(): Promise<void> {
    try {
      await this.#follow()
      if (Date.now() - this.#wroteUse > USE_MS) {
        this.#wroteUse = Date.now()
        await this.#ledger.tokens.writeUse()
      }
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed && !this.#ledger.closed) this.#onFailure(error)
      this.#hasFailed = true
    }
  }

  async #follow(): Promise<void> {
    const { db, tokens, switches } = this.#ledger
    // Cheaper than the query, where there is one.
    const counter = db.changeCounter?.()
    if (counter !== undefined && counter === this.#counter) return
    const [row] = await db.query<{ version: string }>(VERSION)
    if (row?.version !== this.#version) {
      await tokens.refresh()
      await switches.refresh()
    }
    this.#version = row?.version
    this.#counter = counter
  }
}
