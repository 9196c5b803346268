/**
 * Creates a shop where none exists. It is completed under a temporary name and then gets its real name in one atomic step, which
 * only one process can win. Nobody ever sees half a shop, and a process killed on the way leaves none.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { WorldOptions } from '../market/world/fill-world.ts'
import { describeSqliteError } from './database/sqlite-errors.ts'

export interface NewShop extends Partial<WorldOptions> {
  readonly file: string
}

/** False: the file existed, or another process was faster. That shop is left unchanged. */
export async function createShop({ file, seed = 1, ...world }: NewShop): Promise<boolean> {
  if (existsSync(file)) {
    await removeStaleFiles(file)
    return false
  }
  const { fillWorld } = await import('../market/world/fill-world.ts')
  return createShopFile(file, (db) => fillWorld(db, { seed, ...world }))
}

/** The same with any function that fills the empty tables. */
export async function createShopFile(file: string, fill: (db: DatabaseSync) => void): Promise<boolean> {
  await removeStaleFiles(file)
  const making = `${file}.making-${randomUUID()}`
  try {
    await write(making, fill)
    return await claimName(making, file)
  } catch (error) {
    throw describeSqliteError(error, `The shop at ${file} cannot be created`, { file })
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
  // The file holds customers' names and addresses and the key to their orders. SQLite keeps the mode of an existing file.
  await (await open(making, 'wx', 0o600)).close()
  const db = new DatabaseSync(making)
  const store = new Store(db, createKysely(db))
  try {
    // Nobody else knows this file yet, and if this process is killed the file is discarded.
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
    await migrate(store)
    fill(db)
    // WAL mode is stored in the file, so processes that open it do not compete to switch it on.
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

/** A hard link fails where the name is taken. */
async function claimName(making: string, file: string): Promise<boolean> {
  try {
    await link(making, file)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // Some disks (exFAT, network shares) have no hard links. If two processes create the same shop there at the same moment, both
    // succeed and the later file stays, which is just as complete.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error
    if (existsSync(file)) return false
    await rename(making, file)
    return true
  }
}

const STALE_MS = 3_600_000

/** Removes files of processes that were killed while they created this shop. Creating one never takes an hour. */
async function removeStaleFiles(file: string): Promise<void> {
  const folder = dirname(file)
  const names = await readdir(folder)
  for (const name of names.filter((other) => other.startsWith(`${basename(file)}.making-`))) {
    const path = join(folder, name)
    const made = await stat(path).catch(() => undefined)
    if (made !== undefined && Date.now() - made.mtimeMs > STALE_MS) await rm(path, { force: true })
  }
}
