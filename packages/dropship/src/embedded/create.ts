/**
 * Makes a shop where there is none. It is made whole under a name of its own and then given its real name in one step, which
 * only one process can win: nobody ever sees half a shop, and one who is killed on the way leaves none.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Day } from '../day.ts'
import { describeSqliteError } from './database/sqlite-errors.ts'

export interface NewShop {
  readonly file: string
  readonly seed?: number
  /** how many products the shop sells, how many the marketplace lists, and how many days of history there are */
  readonly products?: number
  readonly listings?: number
  readonly history?: number
  readonly today?: Day
}

/** False: there was one already, or another process was first. It is left as it is. */
export async function createShop({ file, seed = 1, ...world }: NewShop): Promise<boolean> {
  if (existsSync(file)) {
    await removeStaleFiles(file)
    return false
  }
  const { fillWorld } = await import('../market/world/fill-world.ts')
  return createShopFile(file, (db) => fillWorld(db, { seed, ...world }))
}

/** The same for any filling of the empty tables. */
export async function createShopFile(file: string, fill: (db: DatabaseSync) => void): Promise<boolean> {
  await removeStaleFiles(file)
  const making = `${file}.making-${randomUUID()}`
  try {
    await write(making, fill)
    return await claimName(making, file)
  } catch (error) {
    throw describeSqliteError(error, `The shop at ${file} cannot be made`, { file })
  } finally {
    await rm(making, { force: true })
  }
}

async function write(making: string, fill: (db: DatabaseSync) => void): Promise<void> {
  const [{ DatabaseSync }, { createKysely }, { Store }, { migrate }] = await Promise.all([
    import('node:sqlite'),
    import('./database/connect.ts'),
    import('./database/store.ts'),
    import('./database/migrate.ts'),
  ])
  // Names and addresses of customers, and the key to their orders, are nobody else's: SQLite keeps the mode it finds.
  await (await open(making, 'wx', 0o600)).close()
  const db = new DatabaseSync(making)
  const store = new Store(db, createKysely(db))
  try {
    // Nobody else knows of this file yet; should we be killed, it is thrown away whole.
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
    await migrate(store)
    fill(db)
    // Kept in the file: whoever opens it finds the write-ahead log in use and need not fight over switching to it.
    db.exec('PRAGMA optimize; PRAGMA journal_mode = WAL')
  } finally {
    await store.close()
  }
  await syncToDisk(making)
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A hard link takes a name only where it is free. */
async function claimName(making: string, file: string): Promise<boolean> {
  try {
    await link(making, file)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // Some disks (exFAT, network shares) know no links. Two who make the same shop there in the same millisecond both
    // succeed, and the later one's, which is as whole, stays.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error
    if (existsSync(file)) return false
    await rename(making, file)
    return true
  }
}

const STALE_MS = 3_600_000

/** Removes what processes that were killed while they made this shop left beside it; none takes an hour. */
async function removeStaleFiles(file: string): Promise<void> {
  const folder = dirname(file)
  const names = await readdir(folder)
  for (const name of names.filter((other) => other.startsWith(`${basename(file)}.making-`))) {
    const path = join(folder, name)
    const made = await stat(path).catch(() => undefined)
    if (made !== undefined && Date.now() - made.mtimeMs > STALE_MS) await rm(path, { force: true })
  }
}
