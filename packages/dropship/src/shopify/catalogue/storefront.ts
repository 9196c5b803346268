/** The storefront port of a Shopify shop: its products and their pages. */
import type { Page, Product, Shop, Storefront } from '../../ports.ts'
import type { AdminApi } from '../api/admin-api.ts'
import { searchTerm } from '../api/connections.ts'
import { Cursors } from '../api/cursors.ts'
import { findRecordedPage, publishPage, updatePage, withdrawPage } from './publish-page.ts'
import { findNodeById, findNodeBySlug, productNodes, toPage } from './read-pages.ts'
import { findVariant, readVariants, toProduct } from './read-variants.ts'

export const storefront = (admin: AdminApi, localShop: Shop): Storefront => {
  const cursors = new Cursors()
  return {
    products: (where) => findProducts(admin, localShop, cursors, where),
    pages: (where) => findPages(admin, cursors, where),
    findRecorded: (key, where) => findRecordedPage(admin, key, where),
    publish: (product, page, key) => publishPage(admin, product, page, key),
    update: (page_id, version, content, key) => updatePage(admin, page_id, version, content, key),
    withdraw: (page_id, before, key) => withdrawPage(admin, page_id, before, key),
  }
}

async function findProducts(
  admin: AdminApi,
  localShop: Shop,
  cursors: Cursors,
  where: Parameters<Storefront['products']>[0] = {},
): Promise<Product[]> {
  const { sku, status } = where
  const local = async (own: string): Promise<Product | undefined> =>
    (await localShop.storefront.products({ sku: own }))[0]
  const matches = (product: Product): boolean => (status ?? product.status) === product.status
  if (sku !== undefined) {
    const variant = await findVariant(admin, sku)
    return variant === undefined ? [] : [toProduct(variant, await local(sku))].filter(matches)
  }
  return cursors.page(
    'products',
    where,
    (options) => readVariants(admin, options),
    async (variant) => {
      const product = toProduct(variant, await local(variant.sku ?? ''))
      return { id: product.sku, record: matches(product) ? product : undefined }
    },
  )
}

async function findPages(
  admin: AdminApi,
  cursors: Cursors,
  where: Parameters<Storefront['pages']>[0] = {},
): Promise<Page[]> {
  const { page_id, slug, sku } = where
  const matches = (page: Page): boolean => (slug ?? page.slug) === page.slug && (sku ?? page.sku) === page.sku
  if (page_id !== undefined || slug !== undefined) {
    const node = page_id === undefined ? await findNodeBySlug(admin, slug ?? '') : await findNodeById(admin, page_id)
    return node === undefined ? [] : [toPage(node)].filter(matches)
  }
  const query = sku === undefined ? undefined : searchTerm('sku', sku)
  return cursors.page(
    `pages ${query}`,
    where,
    (options) => productNodes(admin, { ...options, query }),
    async (node) => {
      const page = toPage(node)
      return { id: page.page_id, record: matches(page) ? page : undefined }
    },
  )
}
