/** Prepared statements, cached per file by their text, transactions, and the numbering of new records. */

import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { cached } from '../cached.ts'

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>()
/** Each length of a list of ids is a statement of its own. A day's work needs far fewer than this. */
const MAX_STATEMENTS = 500

export const statement = (db: DatabaseSync, text: string): StatementSync => {
  let known = statements.get(db)
  if (known === undefined) {
    known = new Map()
    statements.set(db, known)
  }
  return cached(known, text, () => db.prepare(text), MAX_STATEMENTS)
}

export const run = (db: DatabaseSync, text: string, ...values: SQLInputValue[]): void => {
  statement(db, text).run(...values)
}

/** The changes of `work` happen together or not at all. */
export const inTransaction = <T>(db: DatabaseSync, work: () => T, begin = 'BEGIN IMMEDIATE'): T => {
  db.exec(begin)
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } finally {
    // On a full disk SQLite has already rolled back. Another ROLLBACK would fail and hide the cause.
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}

/** Inserts a row given by its columns. */
export const insert = (db: DatabaseSync, table: string, row: Readonly<Record<string, SQLInputValue>>): void => {
  const columns = Object.keys(row)
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  run(db, text, ...Object.values(row))
}

export const first = <Row>(db: DatabaseSync, text: string, ...values: SQLInputValue[]): Row | undefined =>
  statement(db, text).get(...values) as Row | undefined

export const all = <Row>(db: DatabaseSync, text: string, ...values: SQLInputValue[]): Row[] =>
  statement(db, text).all(...values) as Row[]

/** Rows as arrays of their columns. For hundreds of rows a day this takes half the time of objects. */
export const allArrays = <Row extends readonly SQLOutputValue[]>(
  db: DatabaseSync,
  text: string,
  ...values: SQLInputValue[]
): Row[] => {
  // The trailing space gives it a statement of its own, because the form of the rows is set on the statement.
  const made = statement(db, `${text} `)
  made.setReturnArrays(true)
  return made.all(...values) as unknown as Row[]
}

/** One statement with many rows is far cheaper than many statements. The smaller sizes take the remainder. */
const ROWS_AT_ONCE = [64, 16, 4, 1]

/** `values` are the columns of all rows in sequence. `then` follows the rows, such as an ON CONFLICT clause. */
export const insertRows = (
  db: DatabaseSync,
  table: string,
  columns: number,
  values: readonly SQLInputValue[],
  then = '',
): void => {
  const row = `(${'?, '.repeat(columns - 1)}?)`
  let at = 0
  for (const rows of ROWS_AT_ONCE) {
    const many = rows * columns
    if (values.length - at < many) continue
    const made = statement(db, `INSERT INTO ${table} VALUES ${`${row}, `.repeat(rows - 1)}${row} ${then}`)
    for (; values.length - at >= many; at += many) made.run(...values.slice(at, at + many))
  }
}

/** The kinds of records with numbered ids, as named in the table `numbers`, and the prefix of their ids. */
const PREFIXES = {
  pages: 'p_',
  creatives: 'c_',
  campaigns: 'cmp_',
  quotes: 'q_',
  purchases: 'po_',
  tickets: 't_',
  orders: '',
}
export type NumberedKind = keyof typeof PREFIXES

/** The specification's examples use these numbers, so no other order or ticket gets them. */
export const EXAMPLE_ORDER = 777
export const EXAMPLE_TICKET = 555
const RESERVED: Partial<Record<NumberedKind, number>> = { orders: EXAMPLE_ORDER, tickets: EXAMPLE_TICKET }

export const nextNumber = (db: DatabaseSync, kind: NumberedKind): number => {
  const row = first<{ last: number }>(
    db,
    'INSERT INTO numbers VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET last = last + 1 RETURNING last',
    kind,
  )
  if (row === undefined) throw new Error(`The shop's file has no counter for ${kind}.`)
  return row.last === RESERVED[kind] ? nextNumber(db, kind) : row.last
}

/** The id of a new record, counted in the transaction that uses it. */
export const nextId = (db: DatabaseSync, kind: NumberedKind): string => `${PREFIXES[kind]}${nextNumber(db, kind)}`

export const readMeta = (db: DatabaseSync, name: string): string => {
  const row = first<{ value: string }>(db, 'SELECT value FROM meta WHERE name = ?', name)
  if (row === undefined) throw new Error(`The shop's file has no ${name} in its table meta, so it was never filled.`)
  return row.value
}

/** Adds visits given as day, SKU, channel and count in sequence to those that the storefront has counted. */
export const addVisits = (db: DatabaseSync, values: readonly SQLInputValue[]): void =>
  insertRows(db, 'visits', 4, values, 'ON CONFLICT (day, sku, channel) DO UPDATE SET visits = visits + excluded.visits')
