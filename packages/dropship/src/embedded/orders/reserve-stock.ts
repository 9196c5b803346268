/**
 * What lies on the shelf and for whom. Open orders have a claim on it in the order in which they were placed; `reserved` is
 * how much of it is claimed, and is worked out anew whenever an order or the shelf changes, so that it cannot drift.
 */
import type { Store } from '../database/store.ts'

/** How many pieces of the shelf are this order's, should it be shipped now. */
export function shelfClaim(store: Store, order_id: number, sku: string, quantity: number): number {
  const earlier = piecesClaimed(store, sku, order_id)
  const shelf = store.first(store.kysely.selectFrom('products').select('on_hand').where('sku', '=', sku))?.on_hand ?? 0
  return Math.max(0, Math.min(quantity, shelf - earlier))
}

/** To be called after any change of the shelf or of an order that is not shipped. */
export function updateReserved(store: Store, sku: string): void {
  const open = piecesClaimed(store, sku)
  store.run(
    store.kysely
      .updateTable('products')
      .set((eb) => ({ reserved: eb.fn<number>('min', ['on_hand', eb.val(open)]) }))
      .where('sku', '=', sku),
  )
}

/** Pieces that orders not yet shipped want, up to an order. */
function piecesClaimed(store: Store, sku: string, before?: number): number {
  let query = store.kysely
    .selectFrom('orders')
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.order_id')
    .select((eb) => eb.fn.sum<number | null>('quantity').as('pieces'))
    .where('status', '=', 'paid')
    .where('sku', '=', sku)
  if (before !== undefined) query = query.where('orders.order_id', '<', before)
  return store.first(query)?.pieces ?? 0
}
