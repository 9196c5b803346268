/**
 * The audit on PostgreSQL. While one group is written the next one gathers, so there is one write under way at most and a
 * group is as large as the server is slow. Several processes write to one chain: a place in it is taken under a lock.
 *
 * No line is written twice, though a connection may break before it says whether a write counted: a group is tried again
 * with the very same lines, and only after looking whether the row it would have become is there.
 */

import type { CallRecord } from '../audit/call-record.ts'
import { type ChainHead, GROUP_COLUMNS, type GroupRow, headOf, nextGroup, SELECT_HEAD } from '../audit/chain.ts'
import { GroupDraft, type Recorder } from '../audit/group.ts'
import type { LedgerKey } from '../audit/key.ts'
import { INSERT_SEAL, Sealer } from '../audit/sealer.ts'
import { LedgerError } from '../ledger-error.ts'
import type { PostgresDb } from './db.ts'
import { LOCK } from './migrate.ts'

/** After a failed write, calls are refused without another try for this long. */
const PAUSE_MS = 250
/** For this long after another process has written, its next write is expected, and the head is read before ours. */
const SHARED_MS = 2000

/** One round trip if the head is known. Returns no row if another process holds the lock or was faster. */
const APPEND = `INSERT INTO audit_groups (${GROUP_COLUMNS})
  SELECT ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?, ?, ? WHERE pg_try_advisory_xact_lock(${LOCK.audit})
  ON CONFLICT (seq) DO NOTHING RETURNING seq`
const WAIT = `SELECT pg_advisory_xact_lock(${LOCK.audit})`
const HASH_AT = 'SELECT hash FROM audit_groups WHERE seq = ?'

class Group extends GroupDraft {
  /** the row of the last try, which may have been written without an answer */
  tried: GroupRow | undefined = undefined
  readonly written = Promise.withResolvers<void>()

  constructor() {
    super()
    // Not every record has a caller that waits for it. A failed write is reported in any case.
    this.written.promise.catch(() => {})
  }

  fail(cause: unknown): void {
    this.written.reject(new LedgerError('could not record the call', cause))
  }
}

export class PostgresAudit implements Recorder {
  readonly #db: PostgresDb
  readonly #sealer: Sealer
  readonly #onFailure: (error: unknown) => void
  #head: ChainHead | undefined
  #sharedUntil = Number.NEGATIVE_INFINITY
  #open: Group | undefined
  /** oldest first; after a failed write, with those that nobody waits for any more: their calls have run */
  readonly #due: Group[] = []
  #writing: Promise<void> | undefined
  #failure: unknown
  #pause: NodeJS.Timeout | undefined
  #closed = false

  constructor(db: PostgresDb, key: LedgerKey, onFailure: (error: unknown) => void) {
    this.#db = db
    this.#onFailure = onFailure
    this.#sealer = new Sealer(key, async (...seal) => void (await db.query(INSERT_SEAL, seal)), onFailure)
  }

  record(line: CallRecord): Promise<void> {
    this.#open ??= new Group()
    const group = this.#open
    group.add(line)
    void this.#write()
    return group.written.promise
  }

  failing(): boolean {
    return this.#failure !== undefined
  }

  /** Everything recorded so far is durable and signed when this resolves. */
  async flush(): Promise<void> {
    clearTimeout(this.#pause)
    this.#pause = undefined
    if (this.#open !== undefined || this.#due.length > 0) await this.#write()
    if (this.#failure !== undefined) throw new LedgerError('could not write the last lines of the audit', this.#failure)
    await this.#sealer.seal()
  }

  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      this.#closed = true
      clearTimeout(this.#pause)
    }
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll()
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    // Records of the same turn of the event loop share a group.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      do {
        if (this.#open !== undefined) this.#due.push(this.#open)
        this.#open = undefined
        if (this.#pause === undefined) await this.#settle()
        else for (const group of this.#due) group.fail(this.#failure)
      } while (this.#open !== undefined)
    } finally {
      // Right after the last check: a later record starts it again.
      this.#writing = undefined
    }
  }

  async #settle(): Promise<void> {
    try {
      for (let group = this.#due[0]; group !== undefined; group = this.#due[0]) {
        await this.#append(group)
        this.#due.shift()
        group.written.resolve()
      }
      this.#failure = undefined
    } catch (error) {
      this.#failure = error
      for (const group of this.#due) group.fail(error)
      if (!this.#closed) this.#pause = setTimeout(this.#again, PAUSE_MS).unref()
      this.#onFailure(error)
    }
  }

  readonly #again = (): void => {
    this.#pause = undefined
    void this.#write()
  }

  async #append(group: Group): Promise<void> {
    const row = (await this.#appendAtOnce(group)) ?? (await this.#appendInTurn(group))
    this.#head = headOf(row)
    this.#sealer.due(this.#head)
  }

  async #appendAtOnce(group: Group): Promise<GroupRow | undefined> {
    if (this.#head === undefined || group.tried !== undefined || performance.now() < this.#sharedUntil) return undefined
    group.tried = nextGroup(this.#head, group)
    const placed = await this.#db.query(APPEND, valuesOf(group.tried))
    return placed.length > 0 ? group.tried : undefined
  }

  /** Under the lock no other process can write between reading the head and appending. */
  #appendInTurn(group: Group): Promise<GroupRow> {
    return this.#db.inTransaction(async (run) => {
      await run(WAIT)
      for (;;) {
        if (group.tried !== undefined) {
          const [there] = await run<{ hash: string }>(HASH_AT, [group.tried.seq])
          if (there?.hash === group.tried.hash) return group.tried
        }
        const [newest] = await run<GroupRow>(SELECT_HEAD)
        const head = headOf(newest)
        if (this.#head !== undefined && head.hash !== this.#head.hash) this.#sharedUntil = performance.now() + SHARED_MS
        group.tried = nextGroup(head, group)
        const placed = await run(APPEND, valuesOf(group.tried))
        if (placed.length > 0) return group.tried
        // An earlier try of ours arrived only now, from a connection that we had given up.
      }
    })
  }
}

const COLUMN_NAMES = GROUP_COLUMNS.split(', ') as (keyof GroupRow)[]
const valuesOf = (row: GroupRow) => COLUMN_NAMES.map((name) => row[name])
