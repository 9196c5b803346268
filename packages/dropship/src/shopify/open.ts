/**
 * Opens the Shopify shop that the environment names, and checks at once that it can be reached and accepts the token. Storefront,
 * orders, stock and books come from Shopify. Marketplace, suppliers, ads and helpdesk, which Shopify does not have, come from the
 * embedded shop. Changes made elsewhere show when something is read; `revision` misses them.
 */
import type { Day } from '../day.ts'
import type { Orders, Shop } from '../ports.ts'
import { type AdminApi, openAdminApi, type RetryPolicy } from './api/admin-api.ts'
import { Cursors } from './api/cursors.ts'
import { type Environment, shopifySettings } from './api/settings.ts'
import { books } from './books.ts'
import { findVariant, toStock } from './catalogue/read-variants.ts'
import { storefront } from './catalogue/storefront.ts'
import { fulfilOrder, purchasesNeeded } from './orders/fulfil-order.ts'
import { placeOrder } from './orders/place-order.ts'
import { listOrders } from './orders/read-orders.ts'
import { refundOrder } from './orders/refund-order.ts'

export interface ShopifyOpenOptions {
  readonly retry?: Partial<RetryPolicy>
  readonly today?: () => Day
}

const SHOP = /* GraphQL */ `query Shop { shop { name currencyCode } }`

const utcDay = (): Day => new Date().toISOString().slice(0, 10)

/** `localShop` serves the ports that Shopify does not have, and is closed with the shop. */
export async function openShopify(env: Environment, localShop: Shop, options: ShopifyOpenOptions = {}): Promise<Shop> {
  const { retry, today = utcDay } = options
  const admin = await openAdminApi(shopifySettings(env), retry)
  const { shop } = await admin.read<{ shop: { currencyCode: string } }>(SHOP)
  const currency = shop.currencyCode
  const front = storefront(admin, localShop)
  return {
    clock: { today: async () => today() },
    marketplace: localShop.marketplace,
    suppliers: localShop.suppliers,
    storefront: front,
    ads: localShop.ads,
    orders: ordersOf(admin, currency),
    helpdesk: localShop.helpdesk,
    books: books(admin, () => front.products(), today),
    currency,
    revision: () => localShop.revision() + admin.writes,
    close: () => localShop.close(),
  }
}

function ordersOf(admin: AdminApi, currency: string): Orders {
  const cursors = new Cursors()
  const inTurn = oneAtATime()
  return {
    orders: (where) => listOrders(admin, cursors, where),
    // Purchases from suppliers happen outside of Shopify.
    purchases: async () => [],
    stock: async (sku) => {
      const variant = await findVariant(admin, sku)
      return variant && toStock(variant)
    },
    purchasesNeeded: (order_id) => purchasesNeeded(admin, order_id),
    place: (order, key) => inTurn(`place ${key ?? ''}`, () => placeOrder(admin, order, currency, key)),
    fulfil: (plan, key) => inTurn(`fulfil ${plan.order_id}`, () => fulfilOrder(admin, plan, key)),
    refund: (order_id, amount, reason, key) =>
      inTurn(`refund ${order_id}`, () => refundOrder(admin, order_id, amount, reason, key)),
  }
}

/** Runs calls with the same name one after the other. */
function oneAtATime(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const under = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = under.get(name) ?? Promise.resolve()
    const own = before.then(work, work)
    const settled = own.catch(() => undefined)
    under.set(name, settled)
    try {
      return await own
    } finally {
      if (under.get(name) === settled) under.delete(name)
    }
  }
}
