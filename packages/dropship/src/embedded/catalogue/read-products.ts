/** Reads products and pages. */
import type { Page, Product, Storefront } from '../../ports.ts'
import type { Store } from '../database/store.ts'
import { fromRow } from '../database/tables.ts'

export function findProducts(store: Store, where: Parameters<Storefront['products']>[0] = {}): Product[] {
  const { after, limit, ...filter } = where
  let query = store.kysely.selectFrom('products').selectAll().orderBy('sku')
  query = query.where((eb) => eb.and(filter))
  if (after !== undefined) query = query.where('sku', '>', after)
  if (limit !== undefined) query = query.limit(limit)
  return store.all(query).map((row) => ({ ...row }))
}

export const findProduct = (store: Store, sku: string): Product | undefined => findProducts(store, { sku })[0]

export const findPages = (store: Store, where: Parameters<Storefront['pages']>[0] = {}): Page[] =>
  store.page('pages', 'page_id', where).map((row) => fromRow<Page>(row, ['images', 'keywords']))
