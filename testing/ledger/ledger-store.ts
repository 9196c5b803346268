/** A store of either engine for one test file, and ledgers opened on it: several of them stand for several processes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { type LedgerOptions, openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { LONG } from '../long.ts'
import { freshDatabase } from '../postgres/fresh-database.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]
/** For what hardly depends on the engine: `npm test` tries the embedded one, the long tests both. */
export const EMBEDDED_FIRST: readonly EngineName[] = LONG ? ENGINES : ['sqlite']

const TABLES =
  `definitions trust accepted_changes grants approvals approval_notices sign_ins upstream_tokens once undoable_calls tasks buckets budgets runs run_events run_spends
  lessons`.split(/\s+/)

export class Store {
  readonly engine: EngineName
  readonly address: string
  readonly folder: string
  /** failures that could not be reported to a caller, on any ledger of this store */
  readonly failures: Error[] = []
  readonly #opened: Ledger[] = []

  constructor(engine: EngineName, address: string, folder: string) {
    this.engine = engine
    this.address = address
    this.folder = folder
  }

  get keyFile(): string {
    return join(this.folder, 'ledger.key')
  }

  async open(options: LedgerOptions = {}): Promise<Ledger> {
    const onFailure = (error: unknown): void => void this.failures.push(error as Error)
    const ledger = await openLedger(this.address, { keyFile: this.keyFile, onFailure, ...options })
    this.#opened.push(ledger)
    return ledger
  }

  /** Forgets everything but the journal, the keys and which processes are alive. For a new journal, make a new store. */
  async empty(): Promise<void> {
    // Decisions that are not in the mark yet would be made again by the next process that opens the ledger.
    for (const { journal } of this.#open()) await journal.flush()
    // Not with one that the test has: a ledger remembers what it wrote itself.
    const ledger = await openLedger(this.address, { keyFile: this.keyFile })
    for (const table of TABLES) await ledger.db.query(`DELETE FROM ${table}`)
    await ledger.close()
  }

  /** Closes every ledger that is still open. */
  async close(): Promise<void> {
    await Promise.all(this.#open().map((ledger) => ledger.close()))
  }

  async remove(): Promise<void> {
    await this.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  #open(): Ledger[] {
    return this.#opened.filter(({ closed }) => !closed)
  }
}

export async function freshStore(engine: EngineName, address?: string): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'myrmex-ledger-'))
  if (address !== undefined) return new Store(engine, address, folder)
  return new Store(engine, engine === 'sqlite' ? join(folder, 'ledger.db') : await freshDatabase(), folder)
}
