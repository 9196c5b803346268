/** Where a product comes from, and for how much today: a quote counts only while it holds, then the supplier's list price. */
import type { Cents } from '../money.ts'
import type { Product } from '../ports.ts'
import type { Store } from './store.ts'

export interface Source {
  readonly unit: Cents
  readonly shipping: Cents
  readonly lead_days: number
  /** what the supplier has of it */
  readonly stock: number
}

/** A product whose supplier no longer offers it has no stock there, and its last known price. */
export function priceOf(
  store: Store,
  product: Pick<Product, 'product_id' | 'supplier_id' | 'unit' | 'shipping'>,
): Source {
  const { kysely } = store
  const { product_id, supplier_id } = product
  const offer = store.first(
    kysely
      .selectFrom('offers')
      .select(['unit', 'shipping', 'lead_days', 'stock'])
      .where('product_id', '=', product_id)
      .where('supplier_id', '=', supplier_id),
  )
  if (offer === undefined) return { unit: product.unit, shipping: product.shipping, lead_days: 0, stock: 0 }
  const quote = store.first(
    kysely
      .selectFrom('quotes')
      .select((eb) => eb.fn.min<number | null>('unit').as('unit'))
      .where('product_id', '=', product_id)
      .where('supplier_id', '=', supplier_id)
      .where('dropped', '=', 0)
      .where('expires_on', '>=', store.today()),
  )
  return { ...offer, unit: Math.min(offer.unit, quote?.unit ?? offer.unit) }
}
