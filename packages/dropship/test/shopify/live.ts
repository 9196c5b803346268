/** For tests: a local Shopify and the adapter on it, both gone when the test is over. */
import { onTestFinished } from 'vitest'
import type { Shop } from '../../src/ports.ts'
import { type OpenOptions, openShopify } from '../../src/shopify/open.ts'
import { smallShop } from '../shop.ts'
import { type Served, type Shape, serveShopify } from './server.ts'

export interface Live {
  readonly server: Served
  readonly shop: Shop
}

export const environment = ({ url, token }: Pick<Served, 'url' | 'token'>): Record<string, string> => ({
  SHOPIFY_STORE: url,
  SHOPIFY_ADMIN_TOKEN: token,
})

/** Pauses short enough for a test. */
export const QUICK: OpenOptions = { patience: { pause_ms: 5 } }

export async function served(shape: Shape = {}): Promise<Served> {
  const server = await serveShopify(shape)
  onTestFinished(() => server.close())
  return server
}

export async function live(shape: Shape = {}, options: OpenOptions = QUICK): Promise<Live> {
  const server = await served(shape)
  return { server, shop: await opened(server, options) }
}

/** As often as wanted: each is like a process of its own. */
export async function opened(server: Served, options: OpenOptions = QUICK): Promise<Shop> {
  const shop = await openShopify(environment(server), await smallShop(), options)
  onTestFinished(() => shop.close())
  return shop
}
