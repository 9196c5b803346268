/** Opens the live shop that the environment names, and finds out at once whether it can be reached and who we are there. */
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

/** `rest` serves what Shopify has not; it is closed with the shop. */
export async function openShopify(env: Environment, rest: Shop, options: ShopifyOpenOptions = {}): Promise<Shop> {
  const admin = await openAdminApi(shopifySettings(env), options.retry)
  const { shop } = await admin.read<{ shop: { currencyCode: string } }>(SHOP)
  return shopifyShop({
    admin,
    currency: shop.currencyCode,
    localShop: rest,
    ...(options.today && { today: options.today }),
  })
}
