/** Brings a PostgreSQL database up to date. Several processes may start at once: the first takes the lock, the others find it done. */
import type { ClientBase } from 'pg'
import { ADDED_COLUMNS, CREATE_SEARCH_INDEXES, INDEX_TABLES } from '../journal/index-tables.ts'
import { LedgerError } from '../ledger-error.ts'
import { forEngine, MIGRATIONS } from '../schema.ts'
import { JOURNAL_TABLES } from './journal-store.ts'
import { TAKE_FUNCTION } from './take-tokens.ts'

const WORDS = { KEY_NUMBER: 'BIGINT', NUMBER: 'BIGINT', REAL8: 'DOUBLE PRECISION', WITHOUT_ROWID: '' }

const ADD_COLUMNS = Object.entries(ADDED_COLUMNS)
  .map(([name, type]) => `ALTER TABLE journal_records ADD COLUMN IF NOT EXISTS ${name} ${type};`)
  .join(' ')

/** Steps of this engine alone. They come after those of both engines, and are counted by themselves. */
const OWN_STEPS: readonly string[] = [
  TAKE_FUNCTION,
  JOURNAL_TABLES,
  `${forEngine(INDEX_TABLES, WORDS)} ${ADD_COLUMNS} ${CREATE_SEARCH_INDEXES}`,
  `${ADD_COLUMNS} ${CREATE_SEARCH_INDEXES}`,
]

/** Every table that a step creates. */
export const OWN_TABLES: readonly string[] = [
  ...new Set(
    [...MIGRATIONS, ...OWN_STEPS]
      .flatMap((step) => [...step.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g)])
      .map(([, name = '']) => name),
  ),
]

/** The id of our advisory lock: the letters myrm, and the purpose. */
const LOCK = '1836675693, 1'

interface Done {
  both: number
  own: number
}

export async function migrate(client: ClientBase): Promise<void> {
  if (isCurrent(await read(client))) return
  // The caller ends the connection, which rolls back what is not committed.
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK})`)
  const done = await read(client)
  if (!isCurrent(done)) await advance(client, done)
  await client.query('COMMIT')
}

/** Throws unless the tables are those of this version of Myrmex. */
export async function upToDate(client: ClientBase): Promise<void> {
  const done = await read(client)
  if (isCurrent(done)) return
  if (done.both === 0) throw new LedgerError('is not in this database: it has none of its tables')
  throw new LedgerError('was written by an older Myrmex; start the server once to bring it up to date')
}

async function advance(client: ClientBase, done: Done): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding')
  const encoding = rows[0]?.server_encoding
  // In another encoding some records could never be written, and all later ones would wait for them.
  if (encoding !== 'UTF8')
    throw new LedgerError(`needs a database in the encoding UTF8, and this one is in ${encoding}`)
  await client.query(`CREATE SCHEMA IF NOT EXISTS myrmex;
    CREATE TABLE IF NOT EXISTS migrations (kind TEXT PRIMARY KEY, done BIGINT NOT NULL)`)
  for (const step of MIGRATIONS.slice(done.both)) await client.query(forEngine(step, WORDS))
  for (const step of OWN_STEPS.slice(done.own)) await client.query(step)
  await client.query(`INSERT INTO migrations (kind, done) VALUES ('both', ${MIGRATIONS.length}), ('own', ${OWN_STEPS.length})
    ON CONFLICT (kind) DO UPDATE SET done = excluded.done`)
}

async function read(client: ClientBase): Promise<Done> {
  const done: Done = { both: 0, own: 0 }
  // Not to_regclass: it would cache, across the wait for the lock, that the table did not exist.
  const { rows: tables } = await client.query(
    `SELECT 1 FROM pg_tables WHERE schemaname = 'myrmex' AND tablename = 'migrations'`,
  )
  if (tables.length === 0) return done
  const { rows } = await client.query<{ kind: keyof Done; done: number }>('SELECT kind, done FROM migrations')
  for (const row of rows) done[row.kind] = row.done
  return done
}

function isCurrent({ both, own }: Done): boolean {
  if (both > MIGRATIONS.length || own > OWN_STEPS.length) {
    const ours = `${MIGRATIONS.length} and ${OWN_STEPS.length}`
    throw new LedgerError(`was written by a newer Myrmex (its tables are at step ${both} and ${own}, ours at ${ours})`)
  }
  return both === MIGRATIONS.length && own === OWN_STEPS.length
}
