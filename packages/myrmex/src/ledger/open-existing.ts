/**
 * Opens an existing ledger without its key, to read and verify. Nothing is created or migrated, nothing is recorded or decided,
 * nothing is signed.
 */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ToolError } from '../protocol/errors.ts'
import type { Db } from './db.ts'
import { JournalFolder } from './journal/folder.ts'
import type { LedgerKey } from './journal/key.ts'
import { markedChains, parseMark, SELECT_MARK, type SignedMark } from './journal/mark.ts'
import { type IndexDb, RecordIndex } from './journal/record-index.ts'
import type { JournalStore } from './journal/store.ts'
import { Ledger } from './ledger.ts'
import { LedgerError } from './ledger-error.ts'
import { DEFAULT_LEDGER, isPostgres, journalFolder } from './open.ts'
import { OperatorLock } from './operator/operator-lock.ts'
import { loadPostgres } from './optional-packages.ts'
import { openExistingSqlite, openSqliteIndex, openStoredIndex, openUntrustedSqlite } from './sqlite/db.ts'

export interface ExistingOptions {
  /** not even the index is written, because the ledger may be a copy on a read-only disk */
  readonly readOnly?: boolean
  /** read-only, and no file in its folder is created or changed, not even by SQLite: nobody trusts what is in it */
  readonly untrusted?: boolean
}

export async function openExisting(address: string = DEFAULT_LEDGER, options: ExistingOptions = {}): Promise<Ledger> {
  const { untrusted = false, readOnly = untrusted } = options
  const { db, store, openIndex, storedIndex } = isPostgres(address)
    ? await postgresParts(address, readOnly)
    : embeddedParts(address, readOnly, untrusted)
  const journal = {
    store,
    record: refuse,
    decide: refuse,
    setOperator: refuse,
    acceptBreak: refuse,
    flush: async () => {},
    close: async () => {},
  }
  const counters = { take: refuse, spend: refuse, spendFor: refuse, refund: refuse, unmark: refuse }
  const index = new RecordIndex(store, openIndex, { stored: storedIndex, marked: () => markedChains(db) })
  // For showing what counts. Whether the mark is genuine is checked by verification.
  const [signed] = await db.query<SignedMark>(SELECT_MARK)
  const mark = parseMark(signed?.body ?? '')
  const lock = new OperatorLock(mark && { ledger: mark.journal, operator: mark.operator })
  return new Ledger({ db, journal, index, counters, lock }, NO_KEY, () => {})
}

interface Parts {
  readonly db: Db
  readonly store: JournalStore
  readonly openIndex: () => IndexDb
  readonly storedIndex: (() => Db | undefined) | undefined
}

function embeddedParts(address: string, readOnly: boolean, untrusted: boolean): Parts {
  const store = new JournalFolder(journalFolder(address))
  const file = store.indexFile
  return {
    db: untrusted ? openUntrustedSqlite(address) : openExistingSqlite(address, readOnly),
    store,
    openIndex: () => (readOnly ? openSqliteIndex(':memory:') : writableIndex(file)),
    storedIndex: () => openStoredIndex(file, untrusted),
  }
}

/** On a read-only disk the index is in memory, and made again for each command. */
function writableIndex(file: string): IndexDb {
  try {
    // SQLite opens a file that it cannot write, and fails at the first write.
    for (const path of [dirname(file), file]) if (existsSync(path)) accessSync(path, constants.W_OK)
    return openSqliteIndex(file)
  } catch (error) {
    // Somebody else put something in its place.
    if (error instanceof ToolError && error.error_type === 'PermissionError') throw error
    return openSqliteIndex(':memory:')
  }
}

async function postgresParts(address: string, readOnly: boolean): Promise<Parts> {
  const [{ openExistingPostgres }, { PostgresJournalStore }] = await loadPostgres(() =>
    Promise.all([import('./postgres/db.ts'), import('./postgres/journal-store.ts')]),
  )
  const db = await openExistingPostgres(address, readOnly)
  const store = new PostgresJournalStore(db)
  if (!readOnly) return { db, store, openIndex: () => db, storedIndex: undefined }
  return {
    db,
    store,
    openIndex: () => openSqliteIndex(':memory:'),
    // The caller that compares it closes it, and the ledger is still in use then.
    storedIndex: () => ({ ...db, close: () => {} }),
  }
}

const refuse = (): never => {
  throw new LedgerError('was opened without its key')
}

const NO_KEY: LedgerKey = { id: '', publicPem: '', sign: refuse, hasSigned: refuse, mac: refuse, groupMac: refuse }
