/**
 * The shop of this process: the file named by MYRMEX_SHOP, or `.myrmex/shop.db`, created with a year of history if it does not exist;
 * or, with MYRMEX_SHOP=shopify, the live shop. It is opened on first use.
 */
import { rmSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { scratch, ToolError } from 'myrmex'
import { makePrivateFolder } from 'myrmex/files'
import type { EmbeddedShop } from '../embedded/open.ts'
import type { Shop, ShopSource } from '../ports.ts'

const DEFAULT_FILE = '.myrmex/shop.db'
const SHOPIFY = 'shopify'
const DEFAULT_SEED = 1

let opened: Promise<Shop> | undefined
let file: EmbeddedShop | undefined

export const theShop: ShopSource = () => {
  opened ??= openFrom(process.env).catch((thrown: unknown) => {
    // The next call tries again: the file may be readable or the shop reachable by then.
    opened = undefined
    throw thrown
  })
  return opened
}

/** The embedded shop's database. A live shop has one too, for data that the platform does not store. */
export async function theShopDatabase(): Promise<DatabaseSync> {
  await theShop()
  if (file === undefined) throw new ToolError('UnavailableError', 'The shop is closed.')
  return file.db
}

export async function closeTheShop(): Promise<void> {
  const shop = opened
  opened = undefined
  await (await shop?.catch(() => undefined))?.close()
}

export const shopFile = (env: NodeJS.ProcessEnv): string => {
  const { MYRMEX_SHOP: named } = env
  return resolve(named === undefined || named === '' || named === SHOPIFY ? DEFAULT_FILE : named)
}

export const isLiveShop = ({ MYRMEX_SHOP: named }: NodeJS.ProcessEnv): boolean => named === SHOPIFY

async function openFrom(env: NodeJS.ProcessEnv): Promise<Shop> {
  const embedded = await openFile(shopFile(env))
  file = embedded
  if (!isLiveShop(env)) return embedded
  const { openShopify } = await import('../shopify/open.ts')
  return openShopify(env, embedded)
}

async function openFile(path: string): Promise<EmbeddedShop> {
  const { createShop } = await import('../embedded/create.ts')
  const { openShop } = await import('../embedded/open.ts')
  try {
    makePrivateFolder(dirname(path))
    await createShop({ file: path, seed: DEFAULT_SEED })
    const shop = await openShop({ file: path })
    // A process that only reads and exits leaves no SQLite journal files behind.
    process.once('exit', () => void (shop.db.isOpen && shop.db.close()))
    return shop
  } catch (thrown) {
    if (thrown instanceof ToolError) throw thrown
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    throw new ToolError(
      'UnavailableError',
      `The shop's file ${path} cannot be opened: ${why}. MYRMEX_SHOP names another.`,
    )
  }
}

/** Created once per process; each example works on a copy. */
let template: Promise<string> | undefined

async function makeTemplate(): Promise<string> {
  const { createShop } = await import('../embedded/create.ts')
  const folder = await mkdtemp(join(tmpdir(), 'myrmex-shop-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'shop.db')
  await createShop({ file: path, seed: DEFAULT_SEED })
  return path
}

/** A temporary default shop for the examples in the agents' documents. */
export const scratchShop = scratch(async (folder) => {
  template ??= makeTemplate()
  const path = join(folder, 'shop.db')
  await copyFile(await template, path)
  const { openShop } = await import('../embedded/open.ts')
  const before = opened
  const shop = await openShop({ file: path })
  opened = Promise.resolve(shop)
  return async () => {
    opened = before
    await shop.close()
    await rm(path, { force: true })
  }
})
