/**
 * The whole content of a shop as one text: tables by name, rows by primary key. Equal shops give equal texts. The migration
 * tables are left out because they hold timestamps.
 */
import type { DatabaseSync } from 'node:sqlite'

export function dump(db: DatabaseSync): string {
  const tables = db
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'kysely_*' ORDER BY name`,
    )
    .all() as { name: string }[]
  return tables.map(({ name }) => tableText(db, name)).join('')
}

function tableText(db: DatabaseSync, table: string): string {
  const columns = db.prepare('SELECT name, pk FROM pragma_table_info(?)').all(table) as { name: string; pk: number }[]
  const key = columns
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => `"${name}"`)
  const statement = db.prepare(`SELECT * FROM "${table}" ORDER BY ${key.join(', ')}`)
  statement.setReturnArrays(true)
  const rows = statement.all().map((row) => `${JSON.stringify(row)}\n`)
  return `# ${table} (${columns.map(({ name }) => name).join(', ')}): ${rows.length}\n${rows.join('')}`
}
