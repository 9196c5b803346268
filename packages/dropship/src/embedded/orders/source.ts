/** Where a product comes from: at the price agreed for it (Product in ports.ts), as quickly and as much as its supplier has today. */
import type { Cents } from '../../money.ts'
import type { Product } from '../../ports.ts'
import type { Store } from '../database/store.ts'

export interface Source {
  readonly unit: Cents
  readonly shipping: Cents
  readonly lead_days: number
  /** what the supplier has of it */
  readonly stock: number
}

/** A product whose supplier no longer offers it has no stock there. */
export function sourceOf(
  store: Store,
  { product_id, supplier_id, unit, shipping }: Pick<Product, 'product_id' | 'supplier_id' | 'unit' | 'shipping'>,
): Source {
  const offer = store.first(
    store.kysely
      .selectFrom('offers')
      .select(['lead_days', 'stock'])
      .where('product_id', '=', product_id)
      .where('supplier_id', '=', supplier_id),
  )
  return { unit, shipping, lead_days: offer?.lead_days ?? 0, stock: offer?.stock ?? 0 }
}
