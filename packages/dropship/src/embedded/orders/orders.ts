/** The orders port of the embedded shop. */
import type { Orders } from '../../ports.ts'
import { runOnce } from '../database/idempotency.ts'
import type { Store } from '../database/store.ts'
import { fulfilOrder, purchasesNeeded } from './fulfil-order.ts'
import { placeOrder } from './place-order.ts'
import { findOrders, findPurchases, readStock } from './read-orders.ts'
import { refundOrder } from './refund-order.ts'

export const orders = (store: Store): Orders => ({
  orders: async (where) => findOrders(store, where),
  purchases: async (where) => findPurchases(store, where),
  stock: async (sku) => store.read(() => readStock(store, sku)),
  purchasesNeeded: async (order_id) => store.read(() => purchasesNeeded(store, order_id)),
  place: (order, key) => runOnce(store, 'orders.place', key, { order }, () => placeOrder(store, order)),
  fulfil: (plan, key) => runOnce(store, 'orders.fulfil', key, { plan }, () => fulfilOrder(store, plan)),
  refund: (order_id, amount, reason, key) =>
    runOnce(store, 'orders.refund', key, { order_id, amount, reason }, () =>
      refundOrder(store, order_id, amount, reason),
    ),
})
