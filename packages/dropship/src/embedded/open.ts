/** Opens a shop that is there. Nothing heavy is loaded before that. */
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import { ToolError } from 'myrmex'
import type { Shop } from '../ports.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'
import { unusable } from './unusable.ts'

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
  const [{ connect }, { shopOver }] = await Promise.all([import('./connect.ts'), import('./shop.ts')])
  const store = readableFile(file, () => connect(file))
  try {
    await bringUpToDate(file, store)
    return shopOver(store)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function bringUpToDate(file: string, store: Store): Promise<void> {
  const [{ migrate, missing }, { checkWritable }] = await Promise.all([import('./migrate.ts'), import('./connect.ts')])
  const left = readableFile(file, () => missing(store))
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
    throw unusable(error, `The shop at ${file} cannot be used`, { file })
  }
}
