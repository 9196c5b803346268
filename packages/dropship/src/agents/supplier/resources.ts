/** The resources of the supplier agent: suppliers with their offers, and open quotes. */
import { toAmount } from '../../money.ts'
import type { Offer, Quote, Supplier } from '../../ports.ts'
import { recordResource } from '../record-resource.ts'

interface SupplierRecord {
  readonly supplier: Supplier
  readonly offers: readonly Offer[]
}

/** Ids that end in a number are ordered by that number. */
const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

export const suppliers = recordResource<SupplierRecord>({
  noun: 'suppliers',
  title: 'Suppliers',
  description: 'Suppliers: rating, reviews, punctuality, and every offer with price, shipping and lead time.',
  id: ({ supplier }) => supplier.supplier_id,
  name: ({ supplier }) => `${supplier.name} (${supplier.country}), ${supplier.rating} stars`,
  find: async (shop, id) => {
    const supplier = await shop.suppliers.supplier(id)
    return supplier && { supplier, offers: await shop.suppliers.offers({ supplier_id: id }) }
  },
  page: {
    all: async (shop) => {
      const bySupplier = Map.groupBy(await shop.suppliers.offers({}), ({ supplier }) => supplier.supplier_id)
      return [...bySupplier.values()].flatMap((offers) => (offers[0] ? [{ supplier: offers[0].supplier, offers }] : []))
    },
    compare: byNumber,
  },
  shown: ({ supplier, offers }) => ({
    ...supplier,
    offers: offers.map(({ product_id, unit, shipping, lead_days, stock }) => ({
      product_id,
      unit_price: toAmount(unit),
      shipping: toAmount(shipping),
      lead_days,
      stock,
    })),
  }),
})

export const quotes = recordResource<Quote>({
  noun: 'quotes',
  title: 'Quotes',
  description: 'Prices agreed with suppliers, with their last valid day.',
  id: ({ quote_id }) => quote_id,
  name: ({ quote_id, supplier_id, product_id }) => `${quote_id}: ${product_id} from ${supplier_id}`,
  find: (shop, id) => shop.suppliers.quote(id),
  page: { all: (shop) => shop.suppliers.quotes({}), compare: byNumber },
  shown: ({ unit, ...quote }) => ({ ...quote, unit_price: toAmount(unit) }),
})
