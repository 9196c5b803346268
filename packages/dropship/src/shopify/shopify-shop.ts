/**
 * A live shop: storefront, orders, stock and books are Shopify's; marketplace, suppliers, ads and helpdesk, which Shopify has not,
 * are those of the embedded shop beside it. Changes made elsewhere than here are seen when something is read, not announced.
 */
import type { Day } from '../day.ts'
import type { Orders, Shop } from '../ports.ts'
import type { Admin } from './admin.ts'
import { books } from './books.ts'
import { Cursors } from './cursors.ts'
import { fulfil, needs } from './fulfil.ts'
import { listOrders } from './orders.ts'
import { place } from './place.ts'
import { refund } from './refund.ts'
import { storefront } from './storefront.ts'
import { stockOf, variantOf } from './variants.ts'

export interface LiveShop {
  readonly admin: Admin
  readonly currency: string
  /** for the ports that Shopify has not */
  readonly rest: Shop
  readonly today?: () => Day
}

const UTC_DAY = (): Day => new Date().toISOString().slice(0, 10)

export function shopifyShop({ admin, currency, rest, today = UTC_DAY }: LiveShop): Shop {
  const front = storefront(admin, rest)
  return {
    clock: { today: async () => today() },
    marketplace: rest.marketplace,
    suppliers: rest.suppliers,
    storefront: front,
    ads: rest.ads,
    orders: ordersOf(admin, currency),
    helpdesk: rest.helpdesk,
    books: books(admin, () => front.products(), today),
    currency,
    revision: () => rest.revision() + admin.writes,
    close: () => rest.close(),
  }
}

function ordersOf(admin: Admin, currency: string): Orders {
  const cursors = new Cursors()
  const inTurn = turns()
  return {
    orders: (where) => listOrders(admin, cursors, where),
    // What is bought from suppliers is bought outside of Shopify.
    purchases: async () => [],
    stock: async (sku) => {
      const variant = await variantOf(admin, sku)
      return variant && stockOf(variant)
    },
    needs: (order_id) => needs(admin, order_id),
    place: (order, key) => inTurn(`place ${key ?? ''}`, () => place(admin, order, currency, key)),
    fulfil: (plan, key) => inTurn(`fulfil ${plan.order_id}`, () => fulfil(admin, plan, key)),
    refund: (order_id, amount, reason, key) =>
      inTurn(`refund ${order_id}`, () => refund(admin, order_id, amount, reason, key)),
  }
}

/** Of what is called the same, one at a time. */
function turns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
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
