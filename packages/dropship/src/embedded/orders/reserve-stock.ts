/**
 * Which units in stock belong to which open order: earlier orders come first. `reserved` counts the units that open orders claim.
 * It is recomputed whenever an order or the stock changes, so that it cannot drift.
 */
import type { Store } from '../database/store.ts'

/** How many units in stock this order would get if it were shipped now. */
export function shelfClaim(store: Store, order_id: number, sku: string, quantity: number): number {
  const earlier = unitsClaimed(store, sku, order_id)
  const on_hand = store.find('products', { sku })?.on_hand ?? 0
  return Math.max(0, Math.min(quantity, on_hand - earlier))
}

/** Call it after every change to the stock or to an order that is not shipped. */
export function updateReserved(store: Store, sku: string): void {
  const claimed = unitsClaimed(store, sku)
  store.run(
    store.kysely
      .updateTable('products')
      .set((eb) => ({ reserved: eb.fn<number>('min', ['on_hand', eb.val(claimed)]) }))
      .where('sku', '=', sku),
  )
}

/** Units that orders not yet shipped want; only those placed before an order where one is given. */
function unitsClaimed(store: Store, sku: string, before?: number): number {
  let query = store.kysely
    .selectFrom('orders')
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.order_id')
    .select((eb) => eb.fn.sum<number | null>('quantity').as('units'))
    .where('status', '=', 'paid')
    .where('sku', '=', sku)
  if (before !== undefined) query = query.where('orders.order_id', '<', before)
  return store.first(query)?.units ?? 0
}
