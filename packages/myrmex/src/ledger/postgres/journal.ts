/**
 * The journal on PostgreSQL. Every process writes its own chain, so processes do not wait for each other. Only the mark is
 * shared, and it moves on in the background.
 *
 * 1. `record` adds a record to the group that gathers. The promise is that of its group.
 * 2. One group at a time is written, in one statement.
 * 3. Within SEAL_MS the next group also signs what is before it, or a group of its own does. Then the mark moves on.
 *
 * No record is lost or written twice, though a connection may break before it says whether a write counted: a group is sent
 * again as it was, and its position in the chain can be taken once.
 */
import type { CallRecord } from '../audit/call-record.ts'
import type { Statement } from '../db.ts'
import type { ChainHead, ChainLinks } from '../journal/chain.ts'
import { type Decision, decisionEntry } from '../journal/decision.ts'
import { type BreakEntry, renderEntry } from '../journal/entry.ts'
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
import { type NextGroup, OwnChain, type SegmentLimits } from '../journal/own-chain.ts'
import type { RecoveredChains } from '../journal/recovery.ts'
import { Timer } from '../journal/timer.ts'
import { LedgerError } from '../ledger-error.ts'
import type { PostgresDb, Run } from './db.ts'
import type { PostgresJournalStore } from './journal-store.ts'
import { PAUSE_MS, QueuedGroup, WriteQueue } from './write-queue.ts'

/** How long a group may be unsigned. */
const SEAL_MS = 100

export class PostgresJournal implements Journal {
  readonly store: PostgresJournalStore
  readonly #db: PostgresDb
  readonly #key: LedgerKey
  readonly #recovered: RecoveredChains
  readonly #limits: SegmentLimits
  readonly #onFailure: (error: unknown) => void
  readonly #queue: WriteQueue
  readonly #mark: SeenMark
  #chain: OwnChain | undefined
  /** groups of decisions whose transactions failed: one of them may have the next position all the same */
  #doubtful: NextGroup[] = []
  #deciding: Promise<unknown> = Promise.resolve()
  #moving: Promise<unknown> = Promise.resolve()
  /** the newest head that was signed */
  #signed: ChainHead = { group: 0, hash: '' }
  /** the newest group signs all others */
  #isSealed = false
  #markedGroup = 0
  /** the mark could not be moved since then */
  #unmarkedSince: number | undefined
  #isClosed = false
  readonly #sealing = new Timer(SEAL_MS, () => this.#sealLater())
  readonly #markAgain = new Timer(PAUSE_MS, () => this.#moveMarkLater())

  constructor(
    db: PostgresDb,
    key: LedgerKey,
    store: PostgresJournalStore,
    recovered: RecoveredChains,
    onFailure: (error: unknown) => void,
    limits: SegmentLimits = {},
  ) {
    this.#db = db
    this.#key = key
    this.store = store
    this.#recovered = recovered
    this.#onFailure = onFailure
    this.#limits = limits
    this.#mark = new SeenMark(key)
    if (recovered.mark !== undefined) this.#mark.accept(recovered.mark)
    this.#queue = new WriteQueue((group) => this.#write(group), onFailure)
  }

  record(record: CallRecord): Promise<void> {
    if (this.#isClosed) return refused()
    const group = this.#queue.gather()
    group.add(record)
    return group.written
  }

  failing(): boolean {
    if (this.#queue.isFailing) return true
    return this.#unmarkedSince !== undefined && performance.now() - this.#unmarkedSince > UNMARKED_MS
  }

  async #write(group: QueuedGroup): Promise<void> {
    this.#chain ??= await this.#openChain()
    const chain = this.#chain
    for (;;) {
      group.sent ??= chain.next(
        group.lines,
        group.seal && { mark: await this.#storedMark(), closed: group.seal === 'closed' },
      )
      const stored = await this.store.append(group.sent)
      if (stored === group.sent.mac) break
      const decided = this.#doubtful.find(({ mac }) => mac === stored)
      if (decided === undefined) throw taken(group.sent)
      this.#advance(chain, decided)
      group.sent = undefined
    }
    if (group.seal !== undefined) this.#signed = chain.head
    this.#advance(chain, group.sent)
    this.#isSealed = group.isEmpty && group.seal !== undefined
    if (this.#isSealed) this.#sealing.stop()
    if (group.seal === 'open') this.#moveMarkLater()
  }

  /** A seal links to what all other chains have reached. */
  async #storedMark(): Promise<Mark> {
    const { seen } = this.#mark
    const [stored] = await this.#db.query<SignedMark>(SELECT_MARK)
    return this.#mark.continued(stored, seen)
  }

  #advance(chain: OwnChain, next: NextGroup): void {
    chain.advance(next)
    this.#doubtful = []
    this.#isSealed = false
    this.#sealing.start()
  }

  /** A chain is in the mark before it has a record, so that it cannot be removed unseen. */
  #openChain(): Promise<OwnChain> {
    return this.#changeMark(async (mark, run) => {
      const chain = await this.#firstGroup(mark, this.#recovered.links(mark), '', run)
      return [chain, withChain(this.#recovered.withoutEnded(mark), chain.id, chain.mark(false))]
    })
  }

  async #firstGroup({ journal }: Mark, links: ChainLinks, lines: string, run: Run): Promise<OwnChain> {
    const chain = new OwnChain(journal, links, this.#key, this.#limits)
    const first = chain.next(lines)
    if ((await this.store.append(first, run)) !== first.mac) throw taken(first)
    chain.advance(first)
    return chain
  }

  /** The row of the mark is locked, so that no other process can change it in between. */
  async #changeMark<T>(change: (mark: Mark, run: Run) => Promise<readonly [T, Mark]>): Promise<T> {
    const { result, mark } = await this.#db.inTransaction(async (run) => {
      const [result, changed] = await change(this.#mark.continued(await this.#lockMark(run)), run)
      return { result, mark: await this.#storeMark(changed, run) }
    })
    // Of two changes, that of the later one may be answered first.
    if (mark.version > (this.#mark.seen?.version ?? 0)) this.#mark.accept(mark)
    return result
  }

  async #lockMark(run: Run): Promise<SignedMark | undefined> {
    const [stored] = await run<SignedMark>(LOCK_MARK)
    if (stored !== undefined) return stored
    // Of several processes that find no mark, one makes it. The others wait here and then read it.
    const { signed } = this.#mark.sign(this.#mark.continued(undefined))
    await run(FIRST_MARK, [signed.body, signed.key_id, signed.signature])
    return (await run<SignedMark>(LOCK_MARK))[0]
  }

  async #storeMark(changed: Mark, run: Run): Promise<Mark> {
    const { mark, signed } = this.#mark.sign(changed)
    await run(STORE_MARK, [signed.body, signed.key_id, signed.signature])
    return mark
  }

  /** The last signature is queued already when the journal closes: nothing may come after it. */
  #sealLater(): void {
    if (this.#isClosed) return
    this.#queue.gather().seal ??= 'open'
  }

  #moveMarkLater(): void {
    this.#moveMark(false).catch((error) => {
      // A break was reported when recording stopped.
      if (error instanceof JournalBreak) return
      this.#unmarkedSince ??= performance.now()
      this.#markAgain.start()
      this.#onFailure(error)
    })
  }

  /** One at a time. */
  #moveMark(closed: boolean): Promise<void> {
    const moved = this.#moving.then(() => this.#moveMarkNow(closed))
    this.#moving = moved.catch((error) => {
      if (error instanceof JournalBreak) this.#queue.break(error)
    })
    return moved
  }

  async #moveMarkNow(closed: boolean): Promise<void> {
    const chain = this.#chain
    const reached = chain?.mark(closed)
    if (chain === undefined || reached === undefined || (reached.group === this.#markedGroup && !closed)) return
    await this.#changeMark(async (mark, run) => {
      const { group, hash } = this.#signed
      if (group > 0 && (await this.store.mac(chain.id, group, run)) !== this.#key.groupMac(hash))
        throw new JournalBreak(`group ${group} of chain ${chain.id} was altered or removed after it was written`)
      return [undefined, withChain(mark, chain.id, reached)]
    })
    this.#markedGroup = reached.group
    this.#unmarkedSince = undefined
  }

  /** One at a time: each keeps a connection while it waits for its turn, and the groups before it need one too. */
  decide<Row extends object>(
    statements: readonly Statement[],
    decided: (rows: Row[][]) => readonly Decision[],
  ): Promise<Row[][]> {
    if (this.#isClosed) return refused()
    const result = this.#deciding.then(() => this.#decideNow(statements, decided))
    this.#deciding = result.catch(() => {})
    return result
  }

  /** Other groups wait only while the entries are written, not for the statements. */
  async #decideNow<Row extends object>(
    statements: readonly Statement[],
    decided: (rows: Row[][]) => readonly Decision[],
  ): Promise<Row[][]> {
    let turn: { end(): void } | undefined
    let sent: { chain: OwnChain; group: NextGroup } | undefined
    try {
      const found = await this.#db.inTransaction(async (run) => {
        const rows: Row[][] = []
        for (const { sql, params } of statements) rows.push(await run<Row>(sql, params))
        const entries = decided(rows).map(decisionEntry)
        if (entries.length === 0) return rows
        turn = await this.#queue.turn()
        // The next position must be certain: writing a group shows what is there.
        if (this.#doubtful.length > 0) await this.#write(new QueuedGroup('open'))
        this.#chain ??= await this.#openChain()
        const chain = this.#chain
        sent = { chain, group: chain.next(entries.map(renderEntry).join('')) }
        if ((await this.store.append(sent.group, run)) !== sent.group.mac) throw taken(sent.group)
        return rows
      })
      if (sent !== undefined) this.#advance(sent.chain, sent.group)
      return found
    } catch (error) {
      if (sent !== undefined) this.#doubtful.push(sent.group)
      if (error instanceof JournalBreak) this.#queue.break(error)
      throw error
    } finally {
      turn?.end()
    }
  }

  setOperator(publicKey: string | undefined): Promise<void> {
    return this.#changeMark(async (mark) => [undefined, withOperator(mark, publicKey)])
  }

  async acceptBreak(entry: BreakEntry, before: Mark, links: ChainLinks): Promise<void> {
    const { chain, mark } = await this.#db.inTransaction(async (run) => {
      const chain = await this.#firstGroup(before, links, renderEntry(entry), run)
      return { chain, mark: await this.#storeMark(withChain(before, chain.id, chain.mark(false)), run) }
    })
    this.#chain = chain
    this.#mark.accept(mark)
    this.#sealing.start()
  }

  async flush(): Promise<void> {
    if (!this.#isSealed || !this.#queue.isEmpty) await this.#seal('open')
    await this.#moveMark(false)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      // Decisions under way are written before the end.
      await this.#deciding
      await this.#seal('closed')
      await this.#moveMark(true)
    } finally {
      this.#queue.close()
      this.#sealing.stop()
      this.#markAgain.stop()
      await Promise.all([this.#deciding, this.#moving])
    }
  }

  /** Signs everything so far, in a group of its own. */
  async #seal(seal: 'open' | 'closed'): Promise<void> {
    if (this.#chain === undefined && this.#queue.isEmpty) return
    try {
      await this.#queue.append(new QueuedGroup(seal))
    } catch (error) {
      throw new LedgerError('could not write the last records of the journal', error)
    }
  }
}

const LOCK_MARK = `${SELECT_MARK} FOR UPDATE`
const FIRST_MARK = `INSERT INTO journal_mark (id, body, key_id, signature) VALUES (1, ?, ?, ?) ON CONFLICT (id) DO NOTHING`

/** A caller that does not wait for it misses nothing. */
function refused(): Promise<never> {
  const refusal = Promise.reject(new LedgerError('is closed'))
  refusal.catch(() => {})
  return refusal
}

const taken = ({ head, segment }: NextGroup): JournalBreak =>
  new JournalBreak(`group ${head.group} of chain ${segment.chain} was written by somebody else`)
