/** Brings a file's tables up to date. Several processes may open a file at once: the first migrates it, the others find it done. */
import type { Migration } from 'kysely/migration'
import { ToolError } from 'myrmex'
import * as shop from './migrations/0001-shop.ts'
import type { Store } from './store.ts'

/** Applied in the order of their names. */
const MIGRATIONS: Readonly<Record<string, Migration>> = { '0001-shop': shop }

/** Names of the migrations that the file lacks; undefined where it is no shop at all. */
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
    throw new ToolError(
      'ValidationError',
      `A newer Myrmex made this shop. This version does not know its migrations ${newer.join(', ')}; update Myrmex.`,
    )
  }
  return Object.keys(MIGRATIONS).filter((name) => !done.has(name))
}

/** Holds the write lock from before the first look at the tables until they are up to date. */
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
