/** Reads of what the shop sells and where it is shown. */
import type { Page, Product, Storefront } from '../../ports.ts'
import { idAfter, idLength } from '../database/id-order.ts'
import type { Store } from '../database/store.ts'
import type { Tables } from '../database/tables.ts'

export function findProducts(store: Store, where: Parameters<Storefront['products']>[0] = {}): Product[] {
  let query = store.kysely.selectFrom('products').selectAll().orderBy('sku')
  if (where.sku !== undefined) query = query.where('sku', '=', where.sku)
  if (where.status !== undefined) query = query.where('status', '=', where.status)
  if (where.after !== undefined) query = query.where('sku', '>', where.after)
  if (where.limit !== undefined) query = query.limit(where.limit)
  return store.all(query).map((row) => ({ ...row }))
}

export const findProduct = (store: Store, sku: string): Product | undefined => findProducts(store, { sku })[0]

export function findPages(store: Store, where: Parameters<Storefront['pages']>[0] = {}): Page[] {
  let query = store.kysely.selectFrom('pages').selectAll().orderBy(idLength('page_id')).orderBy('page_id')
  if (where.page_id !== undefined) query = query.where('page_id', '=', where.page_id)
  if (where.slug !== undefined) query = query.where('slug', '=', where.slug)
  if (where.sku !== undefined) query = query.where('sku', '=', where.sku)
  if (where.after !== undefined) query = query.where(idAfter('page_id', where.after))
  if (where.limit !== undefined) query = query.limit(where.limit)
  return store.all(query).map(pageOf)
}

const pageOf = (row: Tables['pages']): Page => ({
  ...row,
  images: JSON.parse(row.images) as string[],
  keywords: JSON.parse(row.keywords) as string[],
})
