/** What the shop sells and the pages it is sold on, at Shopify. */
import type { Page, Product, Shop, Storefront } from '../../ports.ts'
import type { AdminApi } from '../api/admin-api.ts'
import { searchTerm } from '../api/connections.ts'
import { Cursors } from '../api/cursors.ts'
import { findRecordedPage, publishPage, updatePage, withdrawPage } from './publish-page.ts'
import { findNodeById, findNodeBySlug, productNodes, toPage } from './read-pages.ts'
import { findVariant, readVariants, toProduct } from './read-variants.ts'

export const storefront = (admin: AdminApi, rest: Shop): Storefront => {
  const cursors = new Cursors()
  return {
    products: (where) => productsWhere(admin, rest, cursors, where),
    pages: (where) => pagesWhere(admin, cursors, where),
    findRecorded: (key, where) => findRecordedPage(admin, key, where),
    publish: (product, page, key) => publishPage(admin, product, page, key),
    update: (page_id, version, content, key) => updatePage(admin, page_id, version, content, key),
    withdraw: (page_id, before, key) => withdrawPage(admin, page_id, before, key),
  }
}

type Products = NonNullable<Parameters<Storefront['products']>[0]>
type Pages = NonNullable<Parameters<Storefront['pages']>[0]>

async function productsWhere(admin: AdminApi, rest: Shop, cursors: Cursors, where: Products = {}): Promise<Product[]> {
  const { sku, status, after, limit = Number.POSITIVE_INFINITY } = where
  const known = async (one: string): Promise<Product | undefined> => (await rest.storefront.products({ sku: one }))[0]
  const isMeant = (product: Product): boolean => status === undefined || product.status === status
  if (sku !== undefined) {
    const variant = await findVariant(admin, sku)
    return variant === undefined ? [] : [toProduct(variant, await known(sku))].filter(isMeant)
  }
  const cursor = after === undefined ? undefined : cursors.find(after)
  const options = { after: cursor, ...(Number.isFinite(limit) && { first: Math.max(1, limit) }) }
  const found = new Found<Product>(after, cursor, limit)
  for await (const { cursor: at, variant } of readVariants(admin, options)) {
    const product = toProduct(variant, await known(variant.sku ?? ''))
    cursors.remember(product.sku, at)
    found.see(product.sku, product, isMeant(product))
    if (found.isFull) break
  }
  return found.all
}

async function pagesWhere(admin: AdminApi, cursors: Cursors, where: Pages = {}): Promise<Page[]> {
  const { page_id, slug, sku, after, limit = Number.POSITIVE_INFINITY } = where
  const isMeant = (page: Page): boolean => (slug ?? page.slug) === page.slug && (sku ?? page.sku) === page.sku
  if (page_id !== undefined || slug !== undefined) {
    const node = page_id === undefined ? await findNodeBySlug(admin, slug ?? '') : await findNodeById(admin, page_id)
    return node === undefined ? [] : [toPage(node)].filter(isMeant)
  }
  const cursor = after === undefined ? undefined : cursors.find(after)
  const found = new Found<Page>(after, cursor, limit)
  for await (const { cursor: at, node } of productNodes(
    admin,
    sku === undefined ? undefined : searchTerm('sku', sku),
    cursor,
  )) {
    const page = toPage(node)
    cursors.remember(page.page_id, at)
    found.see(page.page_id, page, isMeant(page))
    if (found.isFull) break
  }
  return found.all
}

/** Those after a record, as many as are wanted. Where its place is not known, the list is walked until it comes by. */
class Found<T> {
  readonly all: T[] = []
  readonly #after: string | undefined
  readonly #limit: number
  #isPast: boolean

  constructor(after: string | undefined, cursor: string | undefined, limit: number) {
    this.#after = after
    this.#limit = limit
    this.#isPast = after === undefined || cursor !== undefined
  }

  get isFull(): boolean {
    return this.all.length >= this.#limit
  }

  see(id: string, record: T, isMeant: boolean): void {
    if (this.#isPast && isMeant) this.all.push(record)
    if (id === this.#after) this.#isPast = true
  }
}
