/** The marketplace port of the embedded shop: the public side of the simulated market. */
import { addDays } from '../../day.ts'
import type { Listing, Marketplace } from '../../ports.ts'
import type { Store } from '../database/store.ts'
import { fromRow } from '../database/tables.ts'

/** SQLite takes about 32,000 values in a statement. More ids than this are read with several statements. */
const AT_ONCE = 5000

export function marketplace(store: Store): Marketplace {
  const { kysely } = store
  return {
    async categories() {
      const rows = store.all(
        kysely.selectFrom('listings').select(['category', 'niche']).distinct().orderBy('category').orderBy('niche'),
      )
      const niches = Map.groupBy(rows, (row) => row.category)
      return [...niches].map(([category, of]) => ({ category, niches: of.map(({ niche }) => niche) }))
    },
    async listings(where = {}) {
      const query = kysely.selectFrom('listings').selectAll().orderBy('product_id')
      const rows = store.all(query.where((eb) => eb.and(where)))
      return rows.map((row) => fromRow<Listing>(row, ['facts', 'keywords']))
    },
    async history(product_ids, days) {
      const today = store.today()
      const query = (ids: readonly string[]) =>
        kysely
          .selectFrom('listing_days')
          .selectAll()
          .where('product_id', 'in', ids)
          .where('day', '>=', addDays(today, -days))
          .where('day', '<', today)
      const rows = store.read(() => inParts(product_ids, (ids) => store.all(query(ids))))
      return rows
        .map((row) => ({ ...row }))
        .sort((a, b) => compare(a.day, b.day) || compare(a.product_id, b.product_id))
    },
    async sellers(product_ids) {
      const query = (ids: readonly string[]) =>
        kysely.selectFrom('seller_shares').selectAll().where('product_id', 'in', ids)
      const rows = store.read(() => inParts(product_ids, (ids) => store.all(query(ids))))
      return rows
        .map((row) => ({ ...row }))
        .sort((a, b) => compare(a.product_id, b.product_id) || b.share - a.share || compare(a.seller, b.seller))
    },
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function inParts<Row>(ids: readonly string[], rowsOf: (ids: readonly string[]) => readonly Row[]): Row[] {
  const unique = [...new Set(ids)]
  const rows: Row[] = []
  for (let from = 0; from < unique.length; from += AT_ONCE) {
    for (const row of rowsOf(unique.slice(from, from + AT_ONCE))) rows.push(row)
  }
  return rows
}
