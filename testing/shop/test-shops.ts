/**
 * Shops for tests: each a file of its own, copied from one that is made once for all test files and kept for the next run, under
 * a name that changes with the sources it is made by.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { createShopFile } from '../../packages/dropship/src/embedded/create.ts'
import { type EmbeddedShop, openShop } from '../../packages/dropship/src/embedded/open.ts'
import { fillWorld, type WorldOptions } from '../../packages/dropship/src/market/world/fill-world.ts'

/** Some 24 listings, 8 products sold, 90 days of history. */
export const smallShop = (): Promise<EmbeddedShop> => copyOf('small')

/** The same with two weeks of history, for tests that open it many times. */
export const youngShop = (): Promise<EmbeddedShop> => copyOf('young')

/** The default world: 60 products, a year of history. */
export const defaultShop = (): Promise<EmbeddedShop> => copyOf('default')

interface World extends WorldOptions {
  /** instead of the usual 5 %: with thirty orders a month one parcel more or less would decide whether anything can be sold */
  readonly pause_sales_above?: number
}

const WORLDS: Readonly<Record<string, World>> = {
  small: { seed: 1, products: 8, listings: 24, history: 90, pause_sales_above: 0.25 },
  young: { seed: 1, products: 8, listings: 24, history: 14, pause_sales_above: 0.25 },
  default: { seed: 1 },
}

const PACKAGE = fileURLToPath(new URL('../../packages/dropship', import.meta.url))
const KEPT = fileURLToPath(new URL('../../node_modules/.cache/myrmex-shops/', import.meta.url))
const DAY_MS = 86_400_000

const templates = new Map<string, Promise<string>>()

/** The path of a whole shop that nobody may write to: copy it. */
export function shopTemplate(name: string): Promise<string> {
  let made = templates.get(name)
  if (made === undefined) {
    made = makeTemplate(name)
    templates.set(name, made)
  }
  return made
}

async function makeTemplate(name: string): Promise<string> {
  await mkdir(KEPT, { recursive: true })
  const file = join(KEPT, `${name}-${sourcesHash()}.db`)
  if (existsSync(file)) return file
  const { pause_sales_above = 0.05, ...size } = WORLDS[name] as World
  const fill = (db: DatabaseSync): void => {
    fillWorld(db, size)
    db.prepare(`UPDATE meta SET value = ? WHERE name = 'pause_sales_above'`).run(String(pause_sales_above))
  }
  if (await createShopFile(file, fill)) await sweep()
  return file
}

/** Of all that decides what a new shop holds. */
function sourcesHash(): string {
  const hash = createHash('sha256').update(JSON.stringify(WORLDS))
  const files = globSync(['package.json', 'src/*.ts', 'src/market/**/*.ts', 'src/embedded/database/migrations/*.ts'], {
    cwd: PACKAGE,
  })
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(PACKAGE, file)))
  return hash.digest('hex').slice(0, 16)
}

async function sweep(): Promise<void> {
  for (const name of await readdir(KEPT)) {
    const path = join(KEPT, name)
    // Another process may have swept it away first.
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > DAY_MS) await rm(path, { force: true })
  }
}

let folder: Promise<string> | undefined
let count = 0

/** A place for files that are gone when the process is. */
export function testFolder(): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), 'myrmex-shops-')).then((made) => {
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    return made
  })
  return folder
}

/** The path of a new copy. */
export async function copyShopFile(name: string): Promise<string> {
  const file = join(await testFolder(), `${name}-${++count}.db`)
  await copyFile(await shopTemplate(name), file)
  return file
}

async function copyOf(name: string): Promise<EmbeddedShop> {
  const file = await copyShopFile(name)
  const shop = await openShop({ file })
  return {
    ...shop,
    async close() {
      await shop.close()
      await rm(file, { force: true })
    },
  }
}
