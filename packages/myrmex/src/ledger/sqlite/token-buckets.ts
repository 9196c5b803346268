/**
 * Token buckets on SQLite: exact over all processes on one file, without a transaction for each call while one process uses a
 * bucket.
 *
 * - The last state is kept in memory. It is valid until another connection writes to the file, so a call that finds its bucket
 *   empty is refused from memory.
 * - A process that takes again and again reserves some tokens in one write and hands them out from memory. The row says how many
 *   are reserved, and until when. Unused tokens are returned then.
 * - Another process that finds tokens reserved waits for them. It leaves a request in the row, and for SHARED_MS after it nobody
 *   reserves anything: each call is one transaction.
 * - Reserved tokens of a process that died, or that did nothing for GRACE_MS while another one waited, count as used.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Bucket, TakeResult } from '../counters.ts'
import { guarded, type SqliteDb } from './db.ts'
import { inTransaction } from './transaction.ts'

/** How long tokens are reserved, and so how long another process usually waits at most. */
const RESERVE_MS = 5
/** How long another process waits for tokens that were not returned in time. */
const GRACE_MS = 1000
/** After another process has used a bucket, for how long nothing of it is reserved. */
const SHARED_MS = 1000
/** Each reservation is larger than the one before it, up to a share of the limit: a crash costs at most that. */
const FIRST_BLOCK = 4
const MAX_BLOCK = 256
const MAX_SHARE = 1 / 16
/** Each principal may have a bucket. Forgetting one costs a read. */
const MAX_KNOWN = 10_000

const READ = 'SELECT tokens, filled_at, reserved, reserved_until, requests FROM buckets WHERE id = ?'
const WRITE = `INSERT INTO buckets (id, tokens, filled_at, reserved, reserved_until) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET tokens = excluded.tokens, filled_at = excluded.filled_at, reserved = excluded.reserved,
  reserved_until = excluded.reserved_until`
const REQUEST = 'UPDATE buckets SET requests = requests + 1 WHERE id = ?'

interface Row {
  /** without the reserved ones */
  readonly tokens: number
  readonly filled_at: number
  readonly reserved: number
  readonly reserved_until: number
  /** how often a process found tokens reserved by another */
  readonly requests: number
}

/** A bucket as this process knows it. */
interface Known {
  readonly bucket: Bucket
  /** with those that this process has reserved */
  tokens: number
  filledAt: number
  /** how many this process has reserved */
  readonly reserved: number
  /** how many of them are left */
  unused: number
  /** when it reserved them, on the process's own clock */
  readonly reservedAt: number
  /** when another process was last seen to use it */
  readonly sharedAt: number
  /** as it is in the file */
  readonly row: Row | undefined
  /** the change counter of the file when it was read */
  readonly state: number
}

type Refusal = Extract<TakeResult, { taken: false }>
const TAKEN: TakeResult = { taken: true }
const NOTHING_YET = { result: undefined, known: [] }

export class TokenBuckets {
  readonly #db: SqliteDb
  readonly #known = new Map<string, Known>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: SqliteDb) {
    this.#db = db
  }

  /** Takes one token from each bucket or from none. Waits only for tokens that another process has reserved. */
  take(buckets: readonly Bucket[]): TakeResult | Promise<TakeResult> {
    return this.#takeFromMemory(buckets) ?? this.#takeFromStore(buckets, true) ?? this.#takeLater(buckets)
  }

  /** Undefined: the store decides. */
  #takeFromMemory(buckets: readonly Bucket[]): TakeResult | undefined {
    const now = Date.now()
    let refused: Refusal | undefined
    let isReserved = true
    for (const bucket of buckets) {
      const known = this.#known.get(bucket.id)
      // If the clock was set back, the row must get the new time.
      if (known === undefined || now < known.filledAt) return undefined
      const tokens = tokensAt(known, bucket, now)
      if (tokens < 1) refused = longer(refused, bucket, tokens)
      else if (known.unused < 1 || now >= (known.row?.reserved_until ?? 0)) isReserved = false
    }
    if (refused !== undefined) return this.#isCurrent(buckets) ? refused : undefined
    if (!isReserved) return undefined
    for (const bucket of buckets) {
      const known = this.#known.get(bucket.id) as Known
      known.tokens = tokensAt(known, bucket, now) - 1
      known.filledAt = now
      known.unused--
    }
    return TAKEN
  }

  /** An operator may have emptied the table, for example. */
  #isCurrent(buckets: readonly Bucket[]): boolean {
    const state = this.#db.changeCounter()
    return buckets.every(({ id }) => this.#known.get(id)?.state === state)
  }

  /** Undefined: another process has reserved tokens of one of them, and this one waits for them. */
  #takeFromStore(buckets: readonly Bucket[], waits: boolean): TakeResult | undefined {
    // From before reading: whatever others write from here on changes it again.
    const state = this.#db.changeCounter()
    const { result, known } = this.#inTransaction(() => {
      const now = Date.now()
      const found = buckets.map((bucket) => this.#find(bucket, state, now))
      return waits && this.#request(found, now) ? NOTHING_YET : this.#takeAll(found, now)
    })
    // Only now: memory must not say more than the file.
    for (const each of known) this.#remember(each)
    return result
  }

  /** Whether another process has reserved tokens of one of them. It will see that this one waits. */
  #request(found: readonly Known[], now: number): boolean {
    const elsewhere = found.filter((each) => isReservedElsewhere(each, now))
    for (const { bucket } of elsewhere) this.#db.prepared(REQUEST).run(bucket.id)
    return elsewhere.length > 0
  }

  #takeAll(found: readonly Known[], now: number): { result: TakeResult; known: readonly Known[] } {
    let refused: Refusal | undefined
    for (const each of found) {
      const tokens = tokensAt(each, each.bucket, now)
      if (tokens < 1) refused = longer(refused, each.bucket, tokens)
    }
    if (refused === undefined) return { result: TAKEN, known: found.map((each) => this.#takeOne(each, now)) }
    // A bucket that was filled before the clock was set back fills again from now on.
    const known = found.map((each) => (each.filledAt > now ? this.#write(each, each.tokens, 0, now) : each))
    return { result: refused, known }
  }

  #find(bucket: Bucket, state: number, now: number): Known {
    const row = this.#db.prepared(READ).get(bucket.id) as Row | undefined
    const known = this.#known.get(bucket.id)
    if (known !== undefined && isUnchanged(known.row, row)) {
      const sharedAt = known.row?.requests === row?.requests ? known.sharedAt : now
      return { ...known, bucket, row, state, sharedAt }
    }
    const { tokens, filled_at } = row ?? { tokens: bucket.calls, filled_at: 0 }
    const sharedAt = known === undefined ? Number.NEGATIVE_INFINITY : now
    return { bucket, tokens, filledAt: filled_at, reserved: 0, unused: 0, reservedAt: 0, sharedAt, row, state }
  }

  #takeOne(found: Known, now: number): Known {
    const left = tokensAt(found, found.bucket, now) - 1
    return this.#write(found, left, this.#blockOf(found, left, now), now)
  }

  /** How many tokens to reserve: none for the first call in a while, and none while others use the bucket. */
  #blockOf({ bucket, reserved, sharedAt }: Known, left: number, now: number): number {
    const before = this.#known.get(bucket.id)
    if (before === undefined || now - before.filledAt >= RESERVE_MS || now - sharedAt < SHARED_MS) return 0
    const wanted = Math.min(MAX_BLOCK, Math.max(FIRST_BLOCK, 2 * reserved))
    return Math.max(0, Math.floor(Math.min(wanted, bucket.calls * MAX_SHARE, left)))
  }

  #write({ bucket, sharedAt, row: before, state }: Known, tokens: number, reserved: number, now: number): Known {
    const row: Row = {
      tokens: tokens - reserved,
      filled_at: now,
      reserved,
      reserved_until: reserved === 0 ? 0 : now + RESERVE_MS,
      requests: before?.requests ?? 0,
    }
    this.#db.prepared(WRITE).run(bucket.id, row.tokens, row.filled_at, row.reserved, row.reserved_until)
    const reservedAt = performance.now()
    return { bucket, tokens, filledAt: now, reserved, unused: reserved, reservedAt, sharedAt, row, state }
  }

  #remember(known: Known): void {
    if (this.#known.size >= MAX_KNOWN && !this.#known.has(known.bucket.id)) {
      for (const [id, { reserved }] of this.#known) if (reserved === 0) this.#known.delete(id)
    }
    this.#known.set(known.bucket.id, known)
    if (known.reserved > 0) this.#timer ??= setTimeout(this.#returnDue, RESERVE_MS)
  }

  async #takeLater(buckets: readonly Bucket[]): Promise<TakeResult> {
    // On the process's own clock: that of the row may have been set back.
    const until = performance.now() + RESERVE_MS + GRACE_MS
    for (;;) {
      await delay(RESERVE_MS)
      const result = this.#takeFromStore(buckets, performance.now() < until)
      if (result !== undefined) return result
    }
  }

  readonly #returnDue = (): void => {
    this.#timer = undefined
    // Timers are exact to a millisecond.
    const before = performance.now() - RESERVE_MS + 1
    try {
      this.#return(({ reservedAt }) => reservedAt <= before)
    } catch {
      // Calls that come now fail as well, and their errors say why. Until this works, the tokens count as used.
      this.#timer = setTimeout(this.#returnDue, GRACE_MS).unref()
    }
  }

  /** Returns those reservations; the others are looked at again soon. */
  #return(isDue: (known: Known) => boolean): void {
    const reserved = [...this.#known.values()].filter((known) => known.reserved > 0)
    const due = reserved.filter(isDue)
    const returned = due.length === 0 ? [] : this.#inTransaction(() => due.map((known) => this.#returnOne(known)))
    for (const known of returned) this.#remember(known)
    if (due.length < reserved.length) this.#timer ??= setTimeout(this.#returnDue, RESERVE_MS)
  }

  #returnOne({ bucket, state }: Known): Known {
    const found = this.#find(bucket, state, Date.now())
    // With the time of the last call, as if nothing had been reserved. Otherwise another process has counted them as used.
    return found.reserved > 0 ? this.#write(found, found.tokens, 0, found.filledAt) : found
  }

  #inTransaction<T>(work: () => T): T {
    return guarded('could not count the call', () => inTransaction(this.#db.database, work))
  }

  /** Returns all that is reserved. */
  close(): void {
    clearTimeout(this.#timer)
    this.#return(() => true)
  }
}

function tokensAt({ tokens, filledAt }: Known, { calls, per_ms }: Bucket, now: number): number {
  // A clock that was set back fills nothing; it does not empty either.
  return Math.min(calls, tokens + (Math.max(0, now - filledAt) * calls) / per_ms)
}

/** Of two empty buckets, the one that is empty for longer. */
function longer(other: Refusal | undefined, { id, calls, per_ms }: Bucket, tokens: number): Refusal {
  const retry_after_ms = Math.ceil(((1 - tokens) * per_ms) / calls)
  if (other !== undefined && other.retry_after_ms >= retry_after_ms) return other
  return { taken: false, bucket: id, retry_after_ms }
}

const isReservedElsewhere = ({ reserved, row }: Known, now: number): boolean =>
  row !== undefined && row.reserved > 0 && reserved === 0 && now < row.reserved_until + GRACE_MS

const isUnchanged = (before: Row | undefined, now: Row | undefined): boolean =>
  before?.tokens === now?.tokens &&
  before?.filled_at === now?.filled_at &&
  before?.reserved === now?.reserved &&
  before?.reserved_until === now?.reserved_until
