/**
 * The journal of an embedded ledger. Records gather in memory until the first result of their group leaves; then the whole group
 * is one write to a segment file. Every process writes its own chain. The mark is in SQLite.
 *
 * 1. `record` adds a record to the open group.
 * 2. `commit` (by the first result of the group, at the latest when the turn ends) writes the group.
 * 3. Within SEAL_MS the head is signed, and the mark moves on.
 */
import type { CallRecord } from '../audit/call-record.ts'
import type { Statement } from '../db.ts'
import type { ChainLinks } from '../journal/chain.ts'
import { type ChainOptions, ChainWriter } from '../journal/chain-writer.ts'
import { type Decision, decisionEntry } from '../journal/decision.ts'
import { type BreakEntry, renderEntry } from '../journal/entry.ts'
import { GroupDraft, type PendingWrite } from '../journal/group.ts'
import type { Journal } from '../journal/journal.ts'
import { JournalBreak } from '../journal/journal-break.ts'
import type { LedgerKey } from '../journal/key.ts'
import {
  type Mark,
  SELECT_MARK,
  SeenMark,
  type SignedMark,
  STORE_MARK,
  UNMARKED_MS,
  withChain,
  withOperator,
} from '../journal/mark.ts'
import { MAX_GROUP_LENGTH } from '../journal/read-groups.ts'
import type { RecoveredChains } from '../journal/recovery.ts'
import type { SegmentStorage } from '../journal/store.ts'
import { Timer } from '../journal/timer.ts'
import { LedgerError } from '../ledger-error.ts'
import { guarded, type SqliteDb } from './db.ts'
import { inTransaction } from './transaction.ts'

/** How long a group may be unsigned. Signing takes longer than writing a group. */
const SEAL_MS = 100
/** After a failed write, calls are refused without another try for this long. */
const PAUSE_MS = 250

/** The lines of one turn of the event loop. */
class Group extends GroupDraft implements PendingWrite {
  readonly #journal: SqliteJournal
  state: 'open' | 'written' | 'failed' = 'open'

  constructor(journal: SqliteJournal) {
    super()
    this.#journal = journal
  }

  get isCommitted(): boolean {
    return this.state === 'written'
  }

  commit(): void {
    if (this.state === 'open') this.#journal.commit(this)
    if (this.state === 'failed') throw new LedgerError('could not record the call')
  }
}

export interface SqliteJournalOptions extends ChainOptions {
  /** called now and then with the number of characters written since */
  readonly onWritten?: (length: number) => void
}

export class SqliteJournal implements Journal {
  readonly store: SegmentStorage
  readonly #db: SqliteDb
  readonly #key: LedgerKey
  readonly #options: SqliteJournalOptions
  readonly #recovered: RecoveredChains
  readonly #onFailure: (error: unknown) => void
  #chain: ChainWriter | undefined
  /** a chain that is not in the mark yet: it is tried again, so that a mark that cannot be written leaves one file */
  #newChain: ChainWriter | undefined
  #open: Group | undefined
  /** lines of calls that ran and could not be written: they go first when writing works again */
  #unwritten: GroupDraft | undefined
  #failedAt = Number.NEGATIVE_INFINITY
  /** the mark could not be moved since then */
  #unmarkedSince: number | undefined
  /** somebody else changed the journal: nothing is recorded any more */
  #broken: JournalBreak | undefined
  #isTurnEnding = false
  readonly #mark: SeenMark
  #sealedGroup = 0
  #isClosed = false
  #unreported = 0
  #markedGroup = 0
  readonly #sealing = new Timer(SEAL_MS, () => this.#sealLater())

  constructor(
    db: SqliteDb,
    key: LedgerKey,
    store: SegmentStorage,
    recovered: RecoveredChains,
    onFailure: (error: unknown) => void,
    options: SqliteJournalOptions = {},
  ) {
    this.#db = db
    this.#key = key
    this.#mark = new SeenMark(key)
    if (recovered.mark !== undefined) this.#mark.accept(recovered.mark)
    this.store = store
    this.#recovered = recovered
    this.#onFailure = onFailure
    this.#options = options
  }

  record(record: CallRecord): PendingWrite {
    let group = this.#open
    if (group === undefined) {
      group = new Group(this)
      this.#open = group
      if (!this.#isTurnEnding) {
        this.#isTurnEnding = true
        setImmediate(this.#endTurn)
      }
    }
    group.add(record)
    if (group.length > MAX_GROUP_LENGTH) this.commit(group)
    return group
  }

  /** Records that no caller waits for are written too. */
  readonly #endTurn = (): void => {
    this.#isTurnEnding = false
    if (this.#open !== undefined) this.commit(this.#open)
  }

  failing(): boolean {
    // Reading the clock would cost every call.
    if (this.#unmarkedSince !== undefined && performance.now() - this.#unmarkedSince > UNMARKED_MS) return true
    if (this.#unwritten === undefined && this.#broken === undefined) return false
    if (this.#broken !== undefined || performance.now() - this.#failedAt < PAUSE_MS) return true
    const group = new Group(this)
    this.commit(group)
    return group.state === 'failed'
  }

  commit(group: Group): void {
    if (group === this.#open) this.#open = undefined
    if (this.#unwritten !== undefined) {
      group.prepend(this.#unwritten)
      this.#unwritten = undefined
    }
    try {
      this.#append(group.lines)
      group.state = 'written'
    } catch (error) {
      group.state = 'failed'
      this.#failedAt = performance.now()
      this.#unwritten = new GroupDraft()
      this.#unwritten.prepend(group)
      this.#onFailure(error)
    }
  }

  #append(lines: string): void {
    if (this.#broken !== undefined) throw this.#broken
    if (this.#isClosed && this.#chain === undefined) throw new LedgerError('is closed')
    this.#chain ??= this.#openChain()
    writing(() => this.#chain?.append(lines))
    this.#unreported += lines.length
    this.#sealing.start()
  }

  /**
   * A chain is in the mark before it has a record, so that it cannot be removed unseen. The mark is there before the first
   * segment, so that a segment without a mark is never what a killed process left.
   */
  #openChain(): ChainWriter {
    if (this.#db.prepared(SELECT_MARK).get() === undefined) this.#changeMark((mark) => [undefined, mark])
    return this.#changeMark((mark) => {
      this.#newChain ??= this.#begin(mark)
      const { id } = this.#newChain
      return [this.#newChain, withChain(this.#recovered.withoutEnded(mark), id, this.#newChain.mark(false))]
    })
  }

  #begin(mark: Mark): ChainWriter {
    const links = this.#recovered.links(mark)
    return writing(() => new ChainWriter(mark.journal, links, this.#key, this.store, this.#options))
  }

  /** Under the lock no other process can change the mark in between. */
  #changeMark<T>(change: (mark: Mark) => readonly [T, Mark]): T {
    return guarded('could not be signed', () => {
      const { result, mark } = inTransaction(this.#db.database, () => {
        const stored = this.#db.prepared(SELECT_MARK).get() as SignedMark | undefined
        const [result, changed] = change(this.#mark.continued(stored))
        return { result, mark: this.#storeMark(changed) }
      })
      // Not before it is stored: what was rolled back must not be taken for the newest mark.
      this.#mark.accept(mark)
      return result
    })
  }

  #storeMark(changed: Mark): Mark {
    const { mark, signed } = this.#mark.sign(changed)
    this.#db.prepared(STORE_MARK).run(signed.body, signed.key_id, signed.signature)
    return mark
  }

  #sealLater(): void {
    try {
      this.#seal(false)
    } catch (error) {
      this.#unmarkedSince ??= performance.now()
      if (!(error instanceof JournalBreak)) this.#sealing.start()
      this.#onFailure(error)
    }
  }

  #seal(closed: boolean): void {
    try {
      this.#sealHead(closed)
    } catch (error) {
      if (error instanceof JournalBreak) this.#broken = error
      throw error
    }
  }

  #sealHead(closed: boolean): void {
    const chain = this.#chain
    if (chain === undefined || (chain.head.group === this.#markedGroup && !closed)) return
    if (this.#broken !== undefined) throw this.#broken
    const damage = chain.damage()
    if (damage !== undefined) throw new JournalBreak(damage)
    // Under the lock: a seal links to what all other chains have reached.
    this.#changeMark((mark) => {
      if (chain.head.group !== this.#sealedGroup || closed) this.#sign(chain, mark, closed)
      return [undefined, withChain(mark, chain.id, chain.mark(closed))]
    })
    this.#markedGroup = chain.head.group
    this.#unmarkedSince = undefined
  }

  #sign(chain: ChainWriter, mark: Mark, closed: boolean): void {
    writing(() => chain.seal(mark, closed))
    this.#sealedGroup = chain.head.group
    this.#options.onWritten?.(this.#unreported)
    this.#unreported = 0
  }

  async decide<Row extends object>(
    statements: readonly Statement[],
    decided: (rows: Row[][]) => readonly Decision[],
  ): Promise<Row[][]> {
    // What was recorded before comes first.
    if (this.#open !== undefined) this.#open.commit()
    this.#chain ??= this.#openChain()
    let entries: readonly { readonly id: string }[] = []
    try {
      return guarded('could not be changed', () =>
        inTransaction(this.#db.database, () => {
          const rows = statements.map(({ sql, params = [] }) => this.#db.prepared(sql).all(...params) as Row[])
          const made = decided(rows).map(decisionEntry)
          if (made.length > 0) this.#append(made.map(renderEntry).join(''))
          entries = made
          return rows
        }),
      )
    } catch (error) {
      if (entries.length > 0) this.#withdraw(entries.map(({ id }) => id))
      throw error
    }
  }

  /** The journal has them and the tables do not: without this line a check would find a difference. It is owed if it fails. */
  #withdraw(decisions: string[]): void {
    const group = new Group(this)
    group.addLine(renderEntry({ kind: 'withdrawal', decisions }))
    this.commit(group)
  }

  async setOperator(publicKey: string | undefined): Promise<void> {
    this.#chain ??= this.#openChain()
    this.#changeMark((mark) => [undefined, withOperator(mark, publicKey)])
  }

  async acceptBreak(entry: BreakEntry, before: Mark, links: ChainLinks): Promise<void> {
    guarded('could not be changed', () => {
      const { chain, mark } = inTransaction(this.#db.database, () => {
        const chain = writing(() => new ChainWriter(before.journal, links, this.#key, this.store, this.#options))
        writing(() => chain.append(renderEntry(entry)))
        return { chain, mark: this.#storeMark(withChain(before, chain.id, chain.mark(false))) }
      })
      this.#chain = chain
      this.#mark.accept(mark)
    })
  }

  async flush(): Promise<void> {
    if (this.#open !== undefined || this.#unwritten !== undefined) (this.#open ?? new Group(this)).commit()
    this.#sealing.stop()
    this.#seal(false)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    try {
      if (this.#open !== undefined || this.#unwritten !== undefined) (this.#open ?? new Group(this)).commit()
      this.#seal(true)
    } finally {
      this.#isClosed = true
      this.#sealing.stop()
      this.#chain?.close()
      this.#newChain?.close()
    }
  }
}

/** Explains errors of the file system to the operator. */
function writing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof LedgerError || error instanceof JournalBreak) throw error
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new LedgerError(`could not be written: ${REASONS[code] ?? message}`, error)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file may not become larger',
  EROFS: 'the disk is read-only',
  EACCES: 'this user may not write to the folder of the journal',
  EPERM: 'this user may not write to the folder of the journal',
  EIO: 'the disk reported an error',
  EMFILE: 'this process has too many open files',
  ENFILE: 'the machine has too many open files',
}
