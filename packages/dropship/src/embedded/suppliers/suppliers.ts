/** The suppliers port of the embedded shop: suppliers, offers and quotes. Negotiations are in negotiate.ts. */
import { unknownQuote } from '../../ports/shop-errors.ts'
import type { Offer, Quote, Supplier, Suppliers } from '../../ports.ts'
import { runOnce } from '../database/idempotency.ts'
import { idLength, type Store } from '../database/store.ts'
import type { Tables } from '../database/tables.ts'
import { negotiate, requireTalksOpen } from './negotiate.ts'

export const suppliers = (store: Store): Suppliers => ({
  async supplier(supplier_id) {
    const row = store.find('suppliers', { supplier_id })
    return row && { ...row }
  },
  async offers({ product_id, supplier_id }) {
    const query = store.kysely
      .selectFrom('offers')
      .innerJoin('suppliers', 'suppliers.supplier_id', 'offers.supplier_id')
      .selectAll()
      .where((eb) => eb.and({ 'offers.product_id': product_id, 'offers.supplier_id': supplier_id }))
      .orderBy('offers.product_id')
      .orderBy('offers.supplier_id')
    return store.all(query).map(toOffer)
  },
  negotiate: (supplier_id, product_id, buyer, key) =>
    runOnce(store, 'suppliers.negotiate', key, { supplier_id, product_id }, () =>
      negotiate(store, supplier_id, product_id, buyer),
    ),
  requireTalksOpen: async (supplier_id, product_id) => requireTalksOpen(store, supplier_id, product_id),
  async quote(quote_id) {
    const row = store.find('quotes', { quote_id, dropped: 0 })
    return row && toQuote(row)
  },
  quotes: async ({ product_id, supplier_id }) =>
    store.read(() => {
      const query = store.kysely
        .selectFrom('quotes')
        .selectAll()
        .where((eb) => eb.and({ dropped: 0, product_id, supplier_id }))
        .where('expires_on', '>=', store.today())
        .orderBy(idLength('quote_id'), 'desc')
        .orderBy('quote_id', 'desc')
      return store.all(query).map(toQuote)
    }),
  withdrawQuote: (quote_id, key) =>
    runOnce(store, 'suppliers.dropQuote', key, { quote_id }, () => {
      if (store.update('quotes', { quote_id }, { dropped: 1 }) === 0) throw unknownQuote(quote_id)
    }),
})

const toQuote = ({ dropped: _, ...quote }: Tables['quotes']): Quote => quote

function toOffer(row: Supplier & Tables['offers']): Offer {
  const { supplier_id, name, country, rating, reviews, on_time, ...offer } = row
  return { supplier: { supplier_id, name, country, rating, reviews, on_time }, ...offer }
}
