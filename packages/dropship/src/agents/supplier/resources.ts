/** What the supplier agent lets be read: suppliers with what they offer, and quotes that still hold. */
import { toAmount } from '../../money.ts'
import type { Offer, Quote, Supplier } from '../../ports.ts'
import { recordResource } from '../record-resource.ts'

interface SupplierRecord {
  readonly supplier: Supplier
  readonly offers: readonly Offer[]
}

/** Ids that end in a number come in the order of the number. */
const inOrder = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

const after = <T>(all: readonly T[], id: (one: T) => string, last: string | undefined, limit: number): T[] =>
  [...all]
    .sort((a, b) => inOrder(id(a), id(b)))
    .filter((one) => last === undefined || inOrder(id(one), last) > 0)
    .slice(0, limit)

export const suppliers = recordResource<SupplierRecord>({
  noun: 'suppliers',
  title: 'Suppliers',
  description: 'Who delivers: rating, reviews, punctuality, and every product offered with price, shipping and days.',
  id: ({ supplier }) => supplier.supplier_id,
  name: ({ supplier }) => `${supplier.name} (${supplier.country}), ${supplier.rating} stars`,
  find: async (shop, id) => {
    const supplier = await shop.suppliers.supplier(id)
    return supplier && { supplier, offers: await shop.suppliers.offers({ supplier_id: id }) }
  },
  page: async (shop, last, limit) => {
    const bySupplier = Map.groupBy(await shop.suppliers.offers({}), ({ supplier }) => supplier.supplier_id)
    const all = [...bySupplier.values()].flatMap((offers) =>
      offers[0] ? [{ supplier: offers[0].supplier, offers }] : [],
    )
    return after(all, ({ supplier }) => supplier.supplier_id, last, limit)
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
  description: 'Prices that suppliers agreed to, with the last day they hold.',
  id: ({ quote_id }) => quote_id,
  name: ({ quote_id, supplier_id, product_id }) => `${quote_id}: ${product_id} from ${supplier_id}`,
  find: (shop, id) => shop.suppliers.quote(id),
  page: async (shop, last, limit) => after(await shop.suppliers.quotes({}), ({ quote_id }) => quote_id, last, limit),
  shown: ({ unit, ...quote }) => ({ ...quote, unit_price: toAmount(unit) }),
})
