/** Orders and what follows from them: purchases, stock, shipments, refunds. */
import type { Orders } from '../ports.ts'
import { fulfil, needs } from './fulfil.ts'
import { effect } from './keys.ts'
import { orders as found, purchases, stock } from './order-records.ts'
import { place } from './place.ts'
import { refund } from './refund.ts'
import type { Store } from './store.ts'

export const orders = (store: Store): Orders => ({
  orders: async (where) => found(store, where),
  purchases: async (where) => purchases(store, where),
  stock: async (sku) => store.read(() => stock(store, sku)),
  needs: async (order_id) => store.read(() => needs(store, order_id)),
  place: (order, key) => effect(store, 'orders.place', key, { order }, () => place(store, order)),
  fulfil: (plan, key) => effect(store, 'orders.fulfil', key, { plan }, () => fulfil(store, plan)),
  refund: (order_id, amount, reason, key) =>
    effect(store, 'orders.refund', key, { order_id, amount, reason }, () => refund(store, order_id, amount, reason)),
})
