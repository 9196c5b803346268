/** Prepared statements, each made once per file and kept by its text, and the numbering of what is made. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

const kept = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

const statement = (db: DatabaseSync, text: string): StatementSync => {
  let known = kept.get(db)
  if (known === undefined) {
    known = new Map()
    kept.set(db, known)
  }
  let made = known.get(text)
  if (made === undefined) {
    made = db.prepare(text)
    known.set(text, made)
  }
  return made
}

export const run = (db: DatabaseSync, text: string, ...values: SQLInputValue[]): void => {
  statement(db, text).run(...values)
}

export const first = <Row>(db: DatabaseSync, text: string, ...values: SQLInputValue[]): Row | undefined =>
  statement(db, text).get(...values) as Row | undefined

export const all = <Row>(db: DatabaseSync, text: string, ...values: SQLInputValue[]): Row[] =>
  statement(db, text).all(...values) as Row[]

/** Rows as lists of their columns: where there are hundreds of them every day, half the price of objects. */
export const allArrays = <Row extends readonly SQLOutputValue[]>(
  db: DatabaseSync,
  text: string,
  ...values: SQLInputValue[]
): Row[] => {
  // its own place among the statements, for the form of its rows is set on the statement
  const made = statement(db, `${text} `)
  made.setReturnArrays(true)
  return made.all(...values) as unknown as Row[]
}

/** A statement with so many rows costs far less than so many statements; the smaller sizes take what is left over. */
const ROWS_AT_ONCE = [64, 16, 4, 1]

/** `then` follows the rows, such as what to do on a conflict. `values` are the rows' columns one after the other. */
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

/** The kinds the shop numbers, by the names that table `numbers` has them under. */
export type NumberedKind = 'pages' | 'creatives' | 'campaigns' | 'quotes' | 'purchases' | 'tickets' | 'orders'

/** Numbers that the seeds give to something of their own. */
export const EXAMPLE_ORDER = 777
export const EXAMPLE_TICKET = 555
const KEPT_FREE: Partial<Record<NumberedKind, number>> = { orders: EXAMPLE_ORDER, tickets: EXAMPLE_TICKET }

export const nextNumber = (db: DatabaseSync, kind: NumberedKind): number => {
  const row = first<{ last: number }>(
    db,
    'INSERT INTO numbers VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET last = last + 1 RETURNING last',
    kind,
  )
  if (row === undefined) throw new Error(`The shop's file has no count of ${kind}.`)
  return row.last === KEPT_FREE[kind] ? nextNumber(db, kind) : row.last
}

export const readMeta = (db: DatabaseSync, name: string): string => {
  const row = first<{ value: string }>(db, 'SELECT value FROM meta WHERE name = ?', name)
  if (row === undefined) throw new Error(`The shop's file has no ${name} in its table meta: it was not filled.`)
  return row.value
}
