/**
 * The audit on SQLite. Records gather in memory until the first result of their group leaves; then the whole group is one row
 * in one commit. Another process may write to the same file: if the position in the chain is taken, the group is appended
 * again under the lock.
 */

import type { CallRecord } from '../audit/call-record.ts'
import { type ChainHead, GROUP_COLUMNS, type GroupRow, headOf, nextGroup, SELECT_HEAD } from '../audit/chain.ts'
import { GroupDraft, type PendingWrite, type Recorder } from '../audit/group.ts'
import type { LedgerKey } from '../audit/key.ts'
import { INSERT_SEAL, Sealer } from '../audit/sealer.ts'
import { LedgerError } from '../ledger-error.ts'
import { Checkpointer } from './checkpoint.ts'
import { guarded, type SqliteDb } from './db.ts'
import { inTransaction } from './transaction.ts'

/** After a failed write, calls are refused without another try for this long: a try may wait for a lock. */
const PAUSE_MS = 250

/** The size of a group in the log besides its lines: about a page. */
const ROW_BYTES = 4096

const INSERT = `INSERT INTO audit_groups (${GROUP_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

/** The lines of one turn of the event loop. */
class Group extends GroupDraft implements PendingWrite {
  readonly #audit: SqliteAudit
  state: 'open' | 'written' | 'failed' = 'open'
  /** writes it at the latest */
  overdue: NodeJS.Immediate | undefined

  constructor(audit: SqliteAudit) {
    super()
    this.#audit = audit
  }

  get isCommitted(): boolean {
    return this.state === 'written'
  }

  commit(): void {
    if (this.state === 'open') this.#audit.commit(this)
    if (this.state === 'failed') throw new LedgerError('could not record the call')
  }
}

export class SqliteAudit implements Recorder {
  readonly #db: SqliteDb
  readonly #sealer: Sealer
  readonly #checkpointer: Checkpointer | undefined
  readonly #onFailure: (error: unknown) => void
  #head: ChainHead | undefined
  #open: Group | undefined
  /** lines of calls that ran and could not be written: they go first when writing works again */
  #unwritten: GroupDraft | undefined
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(db: SqliteDb, key: LedgerKey, onFailure: (error: unknown) => void) {
    this.#db = db
    this.#onFailure = onFailure
    const file = db.database.location()
    this.#checkpointer = file === null ? undefined : new Checkpointer(file, onFailure)
    this.#sealer = new Sealer(
      key,
      (...seal) => guarded('could not be signed', () => void db.prepared(INSERT_SEAL).run(...seal)),
      onFailure,
    )
  }

  record(line: CallRecord): PendingWrite {
    let group = this.#open
    if (group === undefined) {
      group = new Group(this)
      this.#open = group
      // At the latest: records that no caller waits for are written too.
      group.overdue = setImmediate(this.#overdue, group)
    }
    group.add(line)
    return group
  }

  readonly #overdue = (group: Group): void => {
    if (group.state === 'open') this.commit(group)
  }

  failing(): boolean {
    if (this.#unwritten === undefined) return false
    if (performance.now() - this.#failedAt < PAUSE_MS) return true
    const group = new Group(this)
    this.commit(group)
    return group.state === 'failed'
  }

  commit(group: Group): void {
    if (group === this.#open) this.#open = undefined
    clearImmediate(group.overdue)
    if (this.#unwritten !== undefined) {
      group.prepend(this.#unwritten)
      this.#unwritten = undefined
    }
    try {
      this.#append(group)
      group.state = 'written'
    } catch (error) {
      group.state = 'failed'
      // Another process may have written meanwhile.
      this.#head = undefined
      this.#failedAt = performance.now()
      this.#unwritten = new GroupDraft()
      this.#unwritten.prepend(group)
      // Drops cached pages: a page that was read damaged is read again by the next try.
      if (this.#db.database.isOpen) this.#db.database.exec('PRAGMA shrink_memory')
      this.#onFailure(error)
    }
  }

  #append(draft: GroupDraft): void {
    guarded('could not be written', () => {
      this.#head ??= this.#readHead()
      let row = nextGroup(this.#head, draft)
      try {
        this.#insert(row)
      } catch (error) {
        if (!isTaken(error)) throw error
        row = this.#appendLocked(draft)
      }
      this.#head = headOf(row)
      this.#sealer.due(this.#head)
      this.#checkpointer?.wrote(row.lines.length + ROW_BYTES)
    })
  }

  /** Under the lock no other process can write between reading the head and appending. */
  #appendLocked(draft: GroupDraft): GroupRow {
    return inTransaction(this.#db.database, () => {
      const row = nextGroup(this.#readHead(), draft)
      this.#insert(row)
      return row
    })
  }

  #insert(row: GroupRow): void {
    const { seq, first_line, line_count, first_time, last_time, prev, hash, lines } = row
    this.#db.prepared(INSERT).run(seq, first_line, line_count, first_time, last_time, prev, hash, lines)
  }

  #readHead(): ChainHead {
    return headOf(this.#db.prepared(SELECT_HEAD).get() as unknown as GroupRow | undefined)
  }

  /** Everything recorded so far is durable and signed when this resolves. */
  async flush(): Promise<void> {
    if (this.#open !== undefined || this.#unwritten !== undefined) (this.#open ?? new Group(this)).commit()
    await this.#sealer.seal()
  }

  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      await this.#checkpointer?.close()
    }
  }
}

/** SQLITE_CONSTRAINT_PRIMARYKEY: another process was first. */
const isTaken = (error: unknown): boolean => (error as { errcode?: number }).errcode === 1555
