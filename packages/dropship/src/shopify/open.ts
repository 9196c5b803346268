/** Opens the live shop that the environment names, and finds out at once whether it can be reached and who we are there. */
import type { Day } from '../day.ts'
import type { Shop } from '../ports.ts'
import { openAdmin, type Patience } from './admin.ts'
import { type Environment, shopifySettings } from './settings.ts'
import { shopifyShop } from './shopify-shop.ts'

export interface OpenOptions {
  readonly patience?: Partial<Patience>
  readonly today?: () => Day
}

const SHOP = /* GraphQL */ `query Shop { shop { name currencyCode } }`

/** `rest` serves what Shopify has not; it is closed with the shop. */
export async function openShopify(env: Environment, rest: Shop, options: OpenOptions = {}): Promise<Shop> {
  const admin = await openAdmin(shopifySettings(env), options.patience)
  const { shop } = await admin.read<{ shop: { currencyCode: string } }>(SHOP)
  return shopifyShop({ admin, currency: shop.currencyCode, rest, ...(options.today && { today: options.today }) })
}
