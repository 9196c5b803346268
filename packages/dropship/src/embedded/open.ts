/** Opens an existing shop. Heavy modules are loaded only once the file is known to exist. */
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import { ToolError } from 'myrmex'
import { requireOwnFile } from 'myrmex/files'
import type { Shop } from '../ports.ts'
import { describeSqliteError } from './database/sqlite-errors.ts'
import type { Store } from './database/store.ts'
import type { Tables } from './database/tables.ts'

export type EmbeddedShop = Shop & {
  /** the raw connection, for the market; a transaction on it must end before other code runs */
  readonly db: DatabaseSync
  /** for single queries only, never for transactions */
  readonly kysely: Kysely<Tables>
  /** the whole content as one text; equal shops give equal texts */
  dump(): string
}

export async function openShop({ file }: { readonly file: string }): Promise<EmbeddedShop> {
  if (!existsSync(file)) {
    throw new ToolError('FileNotFoundError', `There is no shop at ${file}. Create one first.`, { file })
  }
  // SQLite follows a link in the place of the file, and keeps its logs beside it.
  requireOwnFile(file, 'many')
  for (const ending of ['-wal', '-shm', '-journal']) requireOwnFile(`${file}${ending}`)
  const [{ openStore }, { createShopPorts }] = await Promise.all([import('./database/connect.ts'), import('./shop.ts')])
  const store = readableFile(file, () => openStore(file))
  try {
    await bringUpToDate(file, store)
    return createShopPorts(store)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function bringUpToDate(file: string, store: Store): Promise<void> {
  const [{ migrate, missingMigrations }, { checkWritable }] = await Promise.all([
    import('./database/migrate.ts'),
    import('./database/connect.ts'),
  ])
  const left = readableFile(file, () => missingMigrations(store))
  if (left === undefined || store.meta('today') === undefined) {
    throw new ToolError(
      'ValidationError',
      `The file ${file} is not a shop: its tables or its current day are missing.`,
      { file },
    )
  }
  readableFile(file, () => checkWritable(store))
  if (left.length > 0) await migrate(store)
}

function readableFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw describeSqliteError(error, `The shop at ${file} cannot be used`, { file })
  }
}
