/** Opens a shop that is there. Nothing heavy is loaded before that. */
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import { ToolError } from 'myrmex'
import type { Shop } from '../ports.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

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
  const { migrate, missing } = await import('./migrate.ts')
  const left = readableFile(file, () => missing(store))
  if (left === undefined || store.meta('today') === undefined) {
    throw new ToolError('ValidationError', `The file ${file} is no shop: it has none of a shop's tables, or no day.`, {
      file,
    })
  }
  if (left.length > 0) await migrate(store)
}

/** By SQLite's primary result code: what the owner of the file can do about it. */
const REASONS: Readonly<Record<number, string>> = {
  5: 'another process holds it locked',
  8: 'it is read-only, and its folder must be writable too',
  11: 'it is damaged; restore it from a copy, or make a new one',
  13: 'the disk is full',
  14: 'it cannot be opened; this user must be allowed to read and write it and its folder',
  26: 'it is no SQLite file',
}

function readableFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = REASONS[((error as { errcode?: number }).errcode ?? 0) & 0xff]
    if (reason === undefined) throw error
    throw new ToolError(
      'UnavailableError',
      `The shop at ${file} cannot be used: ${reason}.`,
      { file },
      { cause: error },
    )
  }
}
