/**
 * PostgreSQL through pg: a small pool, our tables in a schema of their own, every statement prepared once a connection.
 * Every wait has an end, so a server that stops answering is an error and never a hang. A pooler between us and the server
 * must give whole sessions, because settings and prepared statements live in one.
 */
import pg from 'pg'
import { ToolError } from '../../protocol/errors.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { withArticle } from '../../protocol/text.ts'
import type { Db, Statement, Value } from '../db.ts'
import { LedgerError } from '../ledger-error.ts'
import { errorReason } from './error-reason.ts'
import { migrate, OWN_TABLES, upToDate } from './migrate.ts'

const CONNECTIONS = 5
/** How long to wait for a connection, for a lock, for an answer. */
const TIMEOUT_MS = 5000
/** Opening takes longer: another process may be creating the tables. */
const OPENING_MS = 60_000

export type Parameter = Value | readonly string[] | readonly number[]
export type Run = <Row extends object>(sql: string, params?: readonly Parameter[]) => Promise<Row[]>

export interface PostgresDb extends Db {
  readonly query: Run
  /** Statements on one connection, one after the other: all of them count or none. */
  inTransaction<T>(work: (run: Run) => Promise<T>): Promise<T>
}

export async function openPostgres(
  address: string,
  onFailure: (error: unknown) => void,
  timeoutMs: number = TIMEOUT_MS,
): Promise<PostgresDb> {
  await withClient(address, migrate)
  return over(poolOf(address, onFailure, timeoutMs, false))
}

/** Opens existing tables. Nothing is created or migrated: the user may not be allowed to write. */
export async function openExistingPostgres(address: string, readOnly: boolean): Promise<PostgresDb> {
  await withClient(address, upToDate)
  // Short-lived: the next statement reports a lost connection.
  return over(poolOf(address, () => {}, TIMEOUT_MS, readOnly))
}

/** On its own connection, with a longer timeout. */
async function withClient(address: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  let target = 'its address'
  await guarded(
    () => `cannot be opened at ${target}`,
    async () => {
      const client = new pg.Client({ ...settings(address, TIMEOUT_MS), query_timeout: OPENING_MS + 1000 })
      target = `${client.host}:${client.port}, database ${client.database}`
      client.on('error', ignoreError)
      try {
        await client.connect()
        await client.query(session(OPENING_MS, false))
        await work(client)
      } finally {
        await client.end()
      }
    },
  )
}

function poolOf(address: string, onFailure: (error: unknown) => void, timeoutMs: number, readOnly: boolean): pg.Pool {
  const pool = new pg.Pool({
    ...settings(address, timeoutMs),
    // The server times out statements; this is for a server that no longer responds.
    query_timeout: timeoutMs + 1000,
    max: CONNECTIONS,
    // An open ledger does not keep a process alive, as a file would not.
    allowExitOnIdle: true,
    onConnect: (client) => client.query(session(timeoutMs, readOnly)),
  })
  // It contains the password, and objects get printed.
  Object.defineProperty(pool.options, 'connectionString', { enumerable: false })
  pool.on('error', (error) => {
    // pg attaches the whole connection to it.
    delete (error as { client?: unknown }).client
    onFailure(new LedgerError(`lost a connection: ${errorReason(error)}`, error))
  })
  return pool
}

const settings = (address: string, timeoutMs: number): pg.ClientConfig => ({
  connectionString: address,
  connectionTimeoutMillis: timeoutMs,
  keepAlive: true,
  fallback_application_name: 'myrmex',
  types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
})

/** Everything that must not depend on how the server or the user is set up. */
const session = (timeoutMs: number, readOnly: boolean): string => `
  SET search_path TO myrmex;
  SET default_transaction_isolation TO 'read committed';
  SET statement_timeout TO ${timeoutMs};
  SET idle_in_transaction_session_timeout TO ${timeoutMs};
  SET client_min_messages TO warning;
  ${readOnly ? 'SET default_transaction_read_only TO on' : ''}`

/** pg returns 8-byte integers as text by default. Ours are times and counts, which a number holds exactly. */
function parserOf(type: number, format?: 'text'): unknown {
  const { INT8, NUMERIC } = pg.types.builtins
  return type === INT8 || type === NUMERIC ? Number : pg.types.getTypeParser(type, format)
}

function over(pool: pg.Pool): PostgresDb {
  const statements = new Map<string, { name: string; text: string }>()
  const prepare = (sql: string) => ({ name: `myrmex_${statements.size + 1}`, text: numbered(sql) })
  const send = <Row extends object>(target: pg.Pool | pg.PoolClient, sql: string, params: readonly Parameter[]) =>
    target.query<Row>({ ...getOrMake(statements, sql, prepare), values: params.map(storable) })
  const runOn =
    (target: pg.Pool | pg.PoolClient): Run =>
    async <Row extends object>(sql: string, params: readonly Parameter[] = []) =>
      (await send<Row>(target, sql, params)).rows
  const runOnPool = runOn(pool)
  const together = <T>(work: (run: Run) => Promise<T>): Promise<T> =>
    guarded('could not be changed', async () => {
      const client = await pool.connect()
      client.on('error', ignoreError)
      let whole = false
      try {
        await client.query('BEGIN')
        const result = await work(runOn(client))
        await client.query('COMMIT')
        whole = true
        return result
      } finally {
        client.off('error', ignoreError)
        // Closing the connection rolls back its transaction.
        client.release(!whole)
      }
    })
  let closed: Promise<void> | undefined
  return {
    engine: 'postgres',
    // The same throughout one statement, as on SQLite.
    now: 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint',
    lockTable: (table) => ({ sql: `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE` }),
    query: (sql, params) => guarded('could not be used', () => runOnPool(sql, params)),
    fault: async () => {
      const [found] = await guarded('could not be checked', () => runOnPool<{ kind: string; name: string }>(FOREIGN))
      return (
        found &&
        `the database has ${withArticle(found.kind)} on ${found.name} that is not part of the ledger: find out who made it`
      )
    },
    change: (sql, params) => guarded('could not be changed', async () => (await send(pool, sql, params)).rowCount ?? 0),
    inTransaction: together,
    transaction: (list: readonly Statement[]) =>
      together(async (run) => {
        for (const { sql, params } of list) await run(sql, params)
      }),
    close: () => {
      closed ??= pool.end()
      return closed
    },
  }
}

/** Myrmex has tables only. Anything else of their names, or on them, would change what is read or written. */
const FOREIGN = `WITH ours AS (SELECT oid, relname, relkind, relrowsecurity FROM pg_class
    WHERE relnamespace = 'myrmex'::regnamespace AND relname IN
      (${OWN_TABLES.map((name) => `'${name}'`).join(', ')}))
  SELECT 'trigger' AS kind, relname AS name FROM pg_trigger JOIN ours ON ours.oid = tgrelid WHERE NOT tgisinternal
  UNION ALL SELECT 'rule', relname FROM pg_rewrite JOIN ours ON ours.oid = ev_class WHERE relkind = 'r'
  UNION ALL SELECT 'view', relname FROM ours WHERE relkind <> 'r'
  UNION ALL SELECT 'row security', relname FROM ours WHERE relrowsecurity
  ORDER BY 1, 2 LIMIT 1`

/** Every `?` is a parameter: no text of ours has one inside a literal. Texts with `$1` pass as they are. */
function numbered(sql: string): string {
  let count = 0
  return sql.replace(/\?/g, () => `$${++count}`)
}

/** PostgreSQL cannot store a NUL, which a caller may send in a key or a name. It is replaced by its symbol. */
const storable = (value: Parameter): Parameter =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u2400') : value

/** Without a listener a lost connection would end the process. The running statement fails as well, and reports it. */
const ignoreError = (): void => {}

async function guarded<T>(what: string | (() => string), work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Errors of ours say what happened already.
    if (error instanceof ToolError) throw error
    throw new LedgerError(`${typeof what === 'string' ? what : what()}: ${errorReason(error)}`, error)
  }
}
