/** Opens a ledger by its address: a path, `:memory:`, or a postgres:// URL. Creates it if it does not exist. */
import { accessSync, constants, existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf, ToolError } from '../protocol/errors.ts'
import {
  checkOptions,
  isCallback,
  isChoice,
  isFilledText,
  isFlag,
  isObjectOption,
  type OptionChecks,
} from '../tool/check-options.ts'
import { shown } from '../tool/definition-faults.ts'
import type { Db, Durability } from './db.ts'
import type { ChainOptions } from './journal/chain-writer.ts'
import { applyDecision } from './journal/decision-tables.ts'
import { JournalFolder } from './journal/folder.ts'
import { IndexFiller } from './journal/index-filler.ts'
import { JournalBreak } from './journal/journal-break.ts'
import { type LedgerKey, loadKey, temporaryKey } from './journal/key.ts'
import { type Mark, markedChains, ownMark, SELECT_MARK, type SignedMark } from './journal/mark.ts'
import { JournalMemory } from './journal/memory.ts'
import {
  type LockFiles,
  lockFault,
  lockOfKeyFile,
  lostLock,
  type NotedMark,
  noteMark,
  readNotedMark,
} from './journal/noted-mark.ts'
import { RecordIndex } from './journal/record-index.ts'
import { RecoveredChains, recoverChains } from './journal/recovery.ts'
import type { JournalStore, SegmentStorage } from './journal/store.ts'
import { type Engine, Ledger } from './ledger.ts'
import { OperatorLock } from './operator/operator-lock.ts'
import { loadPostgres } from './optional-packages.ts'
import { requireOwnFolder } from './private-folder.ts'
import { SqliteCounters } from './sqlite/counters.ts'
import { openSqlite, openSqliteIndex, requireFile, type SqliteDb } from './sqlite/db.ts'
import { SqliteJournal } from './sqlite/journal.ts'

export const DEFAULT_LEDGER: string = join('.myrmex', 'ledger.db')

export interface LedgerOptions {
  /** file of the ledger's key; by default beside the store */
  keyFile?: string
  /** what a recorded call survives; by default the end of the process, even by kill -9 */
  durability?: Durability
  /** throw instead of creating a ledger */
  mustExist?: boolean
  /** open a journal that was changed from outside, to accept that; see journal/accept-break.ts */
  acceptBreak?: 'same key' | 'new key'
  /** called with errors that no caller gets */
  onFailure?: (error: unknown) => void
  /** sizes of segments, for tests */
  segments?: Pick<ChainOptions, 'segmentBytes' | 'segmentMs'>
}

const CHECKS: OptionChecks<LedgerOptions> = {
  keyFile: isFilledText,
  durability: isChoice(['process', 'power'] satisfies Durability[]),
  mustExist: isFlag,
  acceptBreak: isChoice(['same key', 'new key']),
  onFailure: isCallback,
  segments: isObjectOption,
}

/** Throws a RegistrationError for options that are not valid: a misspelled one would open another ledger, or a new one. */
export async function openLedger(address: string = DEFAULT_LEDGER, options: LedgerOptions = {}): Promise<Ledger> {
  checkOptions('openLedger()', options, CHECKS)
  if (typeof address !== 'string')
    throw ToolError.of('RegistrationError', `The address of a ledger must be a text, not ${shown(address)}`)
  const onFailure = options.onFailure ?? (() => {})
  if (options.mustExist && !isPostgres(address)) requireFile(address)
  const engine = isPostgres(address)
    ? await postgresEngine(address, options, onFailure)
    : await embeddedEngine(address, options, onFailure)
  const ledger = new Ledger(engine, engine.key, onFailure).startCleanup(onFailure)
  try {
    // Before any call: what the operator has stopped is stopped in every process.
    await ledger.follow(onFailure)
  } catch (error) {
    await ledger.close().catch(onFailure)
    throw error
  }
  return ledger
}

/** A ledger in memory, for servers without a ledger and for tests. */
export function memoryLedger(): Ledger {
  const key = temporaryKey()
  const ignore = (): void => {}
  const engine = sqliteEngine(openSqlite(':memory:'), key, new JournalMemory(), new RecoveredChains(), ignore, {})
  return new Ledger(engine, key, ignore)
}

type OnFailure = (error: unknown) => void
type KeyedEngine = Engine & { readonly key: LedgerKey }

async function embeddedEngine(address: string, options: LedgerOptions, onFailure: OnFailure): Promise<KeyedEngine> {
  if (address !== ':memory:') requireOwnFolder(journalFolder(address))
  const db = openSqlite(address, options.durability)
  try {
    const store = address === ':memory:' ? new JournalMemory() : new JournalFolder(journalFolder(address))
    const { key, recovered, lock } = await openJournal(db, store, address, options, onFailure)
    return { ...sqliteEngine(db, key, store, recovered, onFailure, options), key, lock }
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Checks what is there before anything is written: the key is that of the journal, and every chain continues its mark.
 * Throws JournalBreak if somebody else has changed it.
 */
async function openJournal(db: Db, store: JournalStore, address: string, options: LedgerOptions, onFailure: OnFailure) {
  const keyFile = options.keyFile ?? keyFileOf(address)
  const files = lockFilesOf(address, options.keyFile)
  const isNewKey = !existsSync(keyFile)
  // In this order: others may begin the journal or change its operator meanwhile. The mark is there before the first segment, and is
  // never older than what was noted of it.
  const noted = files && options.acceptBreak === undefined ? readNotedMark(files.mark) : undefined
  const hasSegments = (await store.segments()).length > 0
  const [signed] = await db.query<SignedMark>(SELECT_MARK)
  const hasJournal = signed !== undefined || hasSegments
  const key = keyFor(address, options.keyFile, !hasJournal || options.acceptBreak === 'new key')
  if (signed !== undefined && signed.key_id !== key.id && options.acceptBreak === undefined)
    throw wrongKey(keyFile, key.id, signed.key_id)
  await rememberKey(db, key)
  if (options.acceptBreak !== undefined)
    return { key, recovered: new RecoveredChains(), lock: new OperatorLock(undefined, files) }
  if (signed === undefined && hasSegments) throw new JournalBreak('its mark was removed')
  const mark = signed && ownMark(signed, key)
  if (files !== undefined) await requireKnownLock(files, noted, mark, isNewKey)
  if (mark === undefined) {
    if (noted !== undefined) onFailure(emptyStore(key.id, noted))
    return { key, recovered: new RecoveredChains(), lock: new OperatorLock(undefined, files) }
  }
  const lock = new OperatorLock({ ledger: mark.journal, operator: mark.operator }, files)
  if (mark.operator === undefined) await reportLostLock(db, onFailure)
  const recovered = await recoverChains(store, mark, key, async () => {
    const [current] = await db.query<SignedMark>(SELECT_MARK)
    if (current === undefined) throw new JournalBreak('its mark was removed')
    return ownMark(current, key)
  })
  for (const notice of recovered.notices) onFailure(new Error(notice))
  if (recovered.decisions.length > 0) await db.transaction(recovered.decisions.flatMap(applyDecision))
  if (files !== undefined) await noteOpened(files, mark, onFailure)
  return { key, recovered, lock }
}

/** Throws PermissionError if the ledger was locked, and its store does not say so any more. */
async function requireKnownLock(
  files: LockFiles,
  noted: NotedMark | undefined,
  mark: Mark | undefined,
  isNewKey: boolean,
): Promise<void> {
  // Another ledger may have its key and its operator's key in the folder in which this one begins.
  const isKnown = noted !== undefined || isNewKey || mark?.operator !== undefined
  const fault = lockFault(isKnown ? noted : await lockOfKeyFile(files), mark)
  if (fault !== undefined) throw lostLock(fault, files)
}

/** In open mode the rows of the store count as they are, so an empty one opens. The operator may have removed it, or somebody else. */
const emptyStore = (key: string, { journal }: NotedMark): Error =>
  new Error(
    `the ledger's key ${key} has signed journal ${journal} before, and this store is empty: a new journal begins. If nobody removed the ` +
      'old one on purpose, restore it from a backup',
  )

/** The folder of the key may be read-only. A machine that has `operator.key` knows the lock from it. */
async function noteOpened(files: LockFiles, mark: Mark, onFailure: OnFailure): Promise<void> {
  try {
    await noteMark(files.mark, mark)
  } catch (error) {
    if (mark.operator === undefined || existsSync(files.operatorKey)) return
    const why = messageOf(error)
    onFailure(
      new Error(
        `that this ledger is locked cannot be noted in ${files.mark}, so that a wiped store would open in open mode: ${why}`,
      ),
    )
  }
}

/** After the entry of the key in the journal was lost together with the mark and accepted as such, or if `operator init` was killed. */
async function reportLostLock(db: Db, onFailure: OnFailure): Promise<void> {
  const [operator] = await db.query<{ key_id: string }>('SELECT key_id FROM operators WHERE retired_at IS NULL')
  if (operator === undefined) return
  const why = `this ledger has an operator's key ${operator.key_id}, but its mark does not name it, so that it is in open mode`
  onFailure(new Error(`${why}; to lock it again: myrmex operator init`))
}

/** Nearly always a slip: another file was named, or the key of another ledger lies here. */
const wrongKey = (file: string, id: string, signer: string): ToolError =>
  ToolError.of(
    'PermissionError',
    `The key ${file} has the id ${id}, but the journal of this ledger is signed with key ${signer}. Name the file of that key with ` +
      '--ledger-key. If nobody has changed keys, run myrmex audit verify. If the key is lost, see myrmex audit accept-break --new-key.',
  )

function sqliteEngine(
  db: SqliteDb,
  key: LedgerKey,
  store: SegmentStorage,
  recovered: RecoveredChains,
  onFailure: OnFailure,
  { durability, segments }: LedgerOptions,
): Engine {
  const options = { ...segments, sync: durability === 'power' }
  const index =
    store instanceof JournalFolder
      ? new RecordIndex(store, () => openSqliteIndex(store.indexFile), {
          filler: new IndexFiller(store.path, onFailure),
          marked: () => markedChains(db),
        })
      : new RecordIndex(store, () => openSqliteIndex(':memory:'))
  return {
    db,
    journal: new SqliteJournal(db, key, store, recovered, onFailure, {
      ...options,
      onWritten: (bytes) => index.wrote(bytes),
    }),
    index,
    counters: new SqliteCounters(db),
  }
}

/** Loaded on use: most servers have no PostgreSQL. */
async function postgresEngine(address: string, options: LedgerOptions, onFailure: OnFailure): Promise<KeyedEngine> {
  const [{ openPostgres }, { PostgresJournal }, { PostgresCounters }, { PostgresJournalStore }] = await loadPostgres(
    () =>
      Promise.all([
        import('./postgres/db.ts'),
        import('./postgres/journal.ts'),
        import('./postgres/counters.ts'),
        import('./postgres/journal-store.ts'),
      ]),
  )
  const db = await openPostgres(address, onFailure)
  try {
    const store = new PostgresJournalStore(db)
    const { key, recovered, lock } = await openJournal(db, store, address, options, onFailure)
    return {
      key,
      lock,
      db,
      journal: new PostgresJournal(db, key, store, recovered, onFailure, options.segments),
      index: new RecordIndex(store, () => db, { marked: () => markedChains(db) }),
      counters: new PostgresCounters(db),
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

export const isPostgres = (address: string): boolean => /^postgres(ql)?:\/\//.test(address)

function keyFor(address: string, keyFile: string | undefined, create: boolean): LedgerKey {
  if (keyFile === undefined && address === ':memory:') return temporaryKey()
  return loadKey(keyFile ?? keyFileOf(address), { create })
}

/** The default key file of a ledger. */
export const keyFileOf = (address: string = DEFAULT_LEDGER): string =>
  isPostgres(address) ? join('.myrmex', 'ledger.key') : join(dirname(address), 'ledger.key')

/** The files of the lock, beside the ledger's key. Undefined: a ledger in memory cannot be locked. */
export function lockFilesOf(address: string = DEFAULT_LEDGER, keyFile?: string): LockFiles | undefined {
  if (keyFile === undefined && address === ':memory:') return undefined
  const key = keyFile ?? keyFileOf(address)
  return { operatorKey: join(dirname(key), 'operator.key'), mark: `${key}.mark` }
}

/** The folder of an embedded ledger's segments. */
export const journalFolder = (address: string = DEFAULT_LEDGER): string =>
  join(dirname(address), `${basename(address, '.db')}.journal`)

/**
 * The ledger's key, to check MACs. Nothing is created. Undefined if the default file does not exist or is not for this user, because
 * auditors have no key. A file that was named must be readable.
 */
export function existingKey(address: string = DEFAULT_LEDGER, keyFile?: string): LedgerKey | undefined {
  const file = keyFile ?? keyFileOf(address)
  return keyFile !== undefined || isReadable(file) ? loadKey(file, { create: false }) : undefined
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Stores the public key for verification. To be certain, pass the key to `audit verify` yourself. */
async function rememberKey(db: Db, key: LedgerKey): Promise<void> {
  // An insert waits for other writers, even if it inserts nothing.
  const known = await db.query('SELECT key_id FROM keys WHERE key_id = ?', [key.id])
  if (known.length > 0) return
  await db.query(
    `INSERT INTO keys (key_id, public_key, first_used) VALUES (?, ?, ${db.now}) ON CONFLICT (key_id) DO NOTHING`,
    [key.id, key.publicPem],
  )
}
