/** Opens the Shopify shop that the environment names, and checks at once that it can be reached and accepts the token. */
import type { Day } from '../day.ts'
import type { Shop } from '../ports.ts'
import { openAdminApi, type RetryPolicy } from './api/admin-api.ts'
import { type Environment, shopifySettings } from './api/settings.ts'
import { shopifyShop } from './shopify-shop.ts'

export interface ShopifyOpenOptions {
  readonly retry?: Partial<RetryPolicy>
  readonly today?: () => Day
}

const SHOP = /* GraphQL */ `query Shop { shop { name currencyCode } }`

/** `localShop` serves the ports that Shopify does not have, and is closed with the shop. */
export async function openShopify(env: Environment, localShop: Shop, options: ShopifyOpenOptions = {}): Promise<Shop> {
  const admin = await openAdminApi(shopifySettings(env), options.retry)
  const { shop } = await admin.read<{ shop: { currencyCode: string } }>(SHOP)
  return shopifyShop({
    admin,
    currency: shop.currencyCode,
    localShop,
    ...(options.today && { today: options.today }),
  })
}
