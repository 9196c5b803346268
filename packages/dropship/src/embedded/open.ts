/** Opens a shop that is there. Nothing heavy is loaded before that. */
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import { ToolError } from 'myrmex'
import type { Shop } from '../ports.ts'
import { describeSqliteError } from './database/sqlite-errors.ts'
import type { Store } from './database/store.ts'
import type { Tables } from './database/tables.ts'

export type EmbeddedShop = Shop & {
  /** the connection itself, for the market; whatever is done with it must be done before it lets others take their turn */
  readonly db: DatabaseSync
  /** single queries only: transactions are the shop's own */
  readonly kysely: Kysely<Tables>
  /** all that the shop holds, as one text that is the same for the same shop */
  dump(): string
}

export async function openShop({ file }: { readonly file: string }): Promise<EmbeddedShop> {
  if (!existsSync(file)) {
    throw new ToolError('FileNotFoundError', `There is no shop at ${file}. Make one first.`, { file })
  }
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
    throw new ToolError('ValidationError', `The file ${file} is no shop: it has none of a shop's tables, or no day.`, {
      file,
    })
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
