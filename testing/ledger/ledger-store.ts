/** A store of either engine for one test file, and ledgers opened on it: several of them stand for several processes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { freshDatabase } from '../postgres/fresh-database.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]

const TABLES = `audit_groups audit_seals audit_stubs audit_lines definitions trust grants approvals once tasks buckets
  budgets runs run_events run_spends lessons`.split(/\s+/)

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

  async open(): Promise<Ledger> {
    const { keyFile, failures } = this
    const ledger = await openLedger(this.address, { keyFile, onFailure: (error) => failures.push(error as Error) })
    this.#opened.push(ledger)
    return ledger
  }

  /** Forgets everything but the keys and which processes are alive. Whoever knows the head of the audit must be closed. */
  async empty(): Promise<void> {
    const ledger = this.#open()[0] ?? (await this.open())
    for (const table of TABLES) await ledger.db.query(`DELETE FROM ${table}`)
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
