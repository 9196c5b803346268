/**
 * The shop that the agents of this process work on: the file of MYRMEX_SHOP, or `.myrmex/shop.db`, made with its year of history
 * where there is none; or, with MYRMEX_SHOP=shopify, the live one. It is opened when somebody first asks for it.
 */
import { rmSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { scratch, ToolError } from 'myrmex'
import type { Shop, ShopSource } from '../ports.ts'

const DEFAULT_FILE = '.myrmex/shop.db'
const LIVE = 'shopify'
const DEFAULT_SEED = 1

let opened: Promise<Shop> | undefined

export const theShop: ShopSource = () => {
  opened ??= openFrom(process.env).catch((thrown: unknown) => {
    // The next call tries again: a file may have become readable, a shop reachable.
    opened = undefined
    throw thrown
  })
  return opened
}

export async function closeTheShop(): Promise<void> {
  const shop = opened
  opened = undefined
  await (await shop?.catch(() => undefined))?.close()
}

export const shopFile = (env: NodeJS.ProcessEnv): string => {
  const { MYRMEX_SHOP: named } = env
  return resolve(named === undefined || named === '' || named === LIVE ? DEFAULT_FILE : named)
}

async function openFrom(env: NodeJS.ProcessEnv): Promise<Shop> {
  const embedded = await openFile(shopFile(env))
  if (env.MYRMEX_SHOP !== LIVE) return embedded
  const { openShopify } = await import('../shopify/open.ts')
  return openShopify(env, embedded)
}

async function openFile(file: string): Promise<Shop> {
  const { createShop } = await import('../embedded/create.ts')
  const { openShop } = await import('../embedded/open.ts')
  try {
    await mkdir(dirname(file), { recursive: true })
    await createShop({ file, seed: DEFAULT_SEED })
    const shop = await openShop({ file })
    // Whoever only asks and exits leaves no journal files behind.
    process.once('exit', () => void (shop.db.isOpen && shop.db.close()))
    return shop
  } catch (thrown) {
    if (thrown instanceof ToolError) throw thrown
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    throw new ToolError(
      'UnavailableError',
      `The shop's file ${file} cannot be opened: ${why}. MYRMEX_SHOP names another.`,
    )
  }
}

/** Made once a process; each example works on a copy. */
let template: Promise<string> | undefined

async function makeTemplate(): Promise<string> {
  const { createShop } = await import('../embedded/create.ts')
  const folder = await mkdtemp(join(tmpdir(), 'myrmex-shop-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'shop.db')
  await createShop({ file, seed: DEFAULT_SEED })
  return file
}

/** The default shop, to throw away: for the examples in the agents' documents. */
export const scratchShop = scratch(async (folder) => {
  template ??= makeTemplate()
  const file = join(folder, 'shop.db')
  await copyFile(await template, file)
  const { openShop } = await import('../embedded/open.ts')
  const before = opened
  const shop = await openShop({ file })
  opened = Promise.resolve(shop)
  return async () => {
    opened = before
    await shop.close()
    await rm(file, { force: true })
  }
})
