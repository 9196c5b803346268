/** Brings a file's tables up to date. Several processes may open it at once: the first does it, the others find it done. */
import type { Migration } from 'kysely/migration'
import { ToolError } from 'myrmex'
import * as shop from './migrations/0001-shop.ts'
import type { Store } from './store.ts'

/** By name, in the order of their names. */
const MIGRATIONS: Readonly<Record<string, Migration>> = { '0001-shop': shop }

/** What is not in it yet; `undefined` where the file has no tables of ours at all. */
export function missingMigrations(store: Store): string[] | undefined {
  const { db } = store
  const found = db.prepare(`SELECT count(*) AS tables FROM sqlite_master WHERE name = 'kysely_migration'`).get()
  if (found?.tables === 0) return undefined
  const done = new Set(
    db
      .prepare('SELECT name FROM kysely_migration')
      .all()
      .map(({ name }) => String(name)),
  )
  const newer = [...done].filter((name) => MIGRATIONS[name] === undefined)
  if (newer.length > 0) {
    throw new ToolError('ValidationError', `The shop was made by a newer Myrmex, which this one cannot read: ${newer}.`)
  }
  return Object.keys(MIGRATIONS).filter((name) => !done.has(name))
}

/** The lock is held from before the tables are looked at until they are as they should be. */
export async function migrate(store: Store): Promise<void> {
  const { Migrator } = await import('kysely/migration')
  store.db.exec('BEGIN IMMEDIATE')
  try {
    const provider = { getMigrations: async () => MIGRATIONS }
    const migrator = new Migrator({ db: store.kysely, provider, disableTransactions: true })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
    store.db.exec('COMMIT')
  } finally {
    if (store.db.isTransaction) store.db.exec('ROLLBACK')
  }
}
