/** For tests: a local Shopify and the adapter on it, both gone when the test is over. */
import { onTestFinished } from 'vitest'
import type { Shop } from '../../packages/dropship/src/ports.ts'
import { openShopify, type ShopifyOpenOptions } from '../../packages/dropship/src/shopify/open.ts'
import { smallShop } from '../shop/test-shops.ts'
import { type ShopifyServer, type ShopifySettings, serveShopify } from './shopify-server.ts'

export interface ShopifyWithAdapter {
  readonly server: ShopifyServer
  readonly shop: Shop
}

export const environment = ({ url, token }: Pick<ShopifyServer, 'url' | 'token'>): Record<string, string> => ({
  SHOPIFY_STORE: url,
  SHOPIFY_ADMIN_TOKEN: token,
})

/** Pauses short enough for a test. */
export const SHORT_RETRIES: ShopifyOpenOptions = { retry: { pause_ms: 5 } }

export async function startShopify(shape: ShopifySettings = {}): Promise<ShopifyServer> {
  const server = await serveShopify(shape)
  onTestFinished(() => server.close())
  return server
}

export async function shopifyWithAdapter(
  shape: ShopifySettings = {},
  options: ShopifyOpenOptions = SHORT_RETRIES,
): Promise<ShopifyWithAdapter> {
  const server = await startShopify(shape)
  return { server, shop: await openAdapter(server, options) }
}

/** As often as wanted: each is like a process of its own. */
export async function openAdapter(server: ShopifyServer, options: ShopifyOpenOptions = SHORT_RETRIES): Promise<Shop> {
  const shop = await openShopify(environment(server), await smallShop(), options)
  onTestFinished(() => shop.close())
  return shop
}
