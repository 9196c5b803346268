/** Suppliers, what they offer, and what was agreed with them. Talks are in negotiate.ts. */
import { ToolError } from 'myrmex'
import type { Offer, Quote, Supplier, Suppliers } from '../../ports.ts'
import { idLength } from '../database/id-order.ts'
import { runOnce } from '../database/idempotency.ts'
import type { Store } from '../database/store.ts'
import type { Tables } from '../database/tables.ts'
import { negotiate } from './negotiate.ts'

export function suppliers(store: Store): Suppliers {
  const { kysely } = store
  return {
    async supplier(supplier_id) {
      const query = kysely.selectFrom('suppliers').selectAll().where('supplier_id', '=', supplier_id)
      const row = store.first(query)
      return row && { ...row }
    },
    async offers(where) {
      let query = kysely
        .selectFrom('offers')
        .innerJoin('suppliers', 'suppliers.supplier_id', 'offers.supplier_id')
        .selectAll()
        .orderBy('offers.product_id')
        .orderBy('offers.supplier_id')
      if (where.product_id !== undefined) query = query.where('offers.product_id', '=', where.product_id)
      if (where.supplier_id !== undefined) query = query.where('offers.supplier_id', '=', where.supplier_id)
      return store.all(query).map(offerOf)
    },
    negotiate: (supplier_id, product_id, buyer, key) =>
      runOnce(store, 'suppliers.negotiate', key, { supplier_id, product_id }, () =>
        negotiate(store, supplier_id, product_id, buyer),
      ),
    async quote(quote_id) {
      const row = store.first(quotesThatStand(store).where('quote_id', '=', quote_id))
      return row && quoteOf(row)
    },
    quotes: async (where) =>
      store.read(() => {
        let query = quotesThatStand(store).where('expires_on', '>=', store.today())
        if (where.product_id !== undefined) query = query.where('product_id', '=', where.product_id)
        if (where.supplier_id !== undefined) query = query.where('supplier_id', '=', where.supplier_id)
        return store.all(query.orderBy(idLength('quote_id'), 'desc').orderBy('quote_id', 'desc')).map(quoteOf)
      }),
    withdrawQuote: (quote_id, key) =>
      runOnce(store, 'suppliers.dropQuote', key, { quote_id }, () => {
        const dropped = store.run(kysely.updateTable('quotes').set({ dropped: 1 }).where('quote_id', '=', quote_id))
        if (dropped === 0) {
          throw new ToolError('UnknownQuote', `There is no quote ${JSON.stringify(quote_id)}.`, { quote_id })
        }
      }),
  }
}

/** One that was taken back is as if it had never been. */
const quotesThatStand = (store: Store) => store.kysely.selectFrom('quotes').selectAll().where('dropped', '=', 0)

const quoteOf = ({ dropped: _, ...quote }: Tables['quotes']): Quote => quote

function offerOf({
  supplier_id,
  name,
  country,
  rating,
  reviews,
  on_time,
  ...offer
}: Supplier & Tables['offers']): Offer {
  return { supplier: { supplier_id, name, country, rating, reviews, on_time }, ...offer }
}
