/** The storefront port of the embedded shop: products and pages are published together, and only the newest version of a page can be changed. */
import { ToolError } from 'myrmex'
import { nextId } from '../../market/statements.ts'
import type { Cents } from '../../money.ts'
import { checkCents, pageChanged, slugTaken, unknownOffer, unknownPage } from '../../ports/shop-errors.ts'
import type {
  NewProduct,
  Page,
  PageContent,
  PreviousState,
  Product,
  ProductTerms,
  PublishedPage,
  Storefront,
} from '../../ports.ts'
import { findRecordedResult, runOnce } from '../database/idempotency.ts'
import type { Store } from '../database/store.ts'
import type { Row } from '../database/tables.ts'
import { findPages, findProduct, findProducts } from './read-products.ts'

export const storefront = (store: Store): Storefront => ({
  products: async (where) => findProducts(store, where),
  pages: async (where) => findPages(store, where),
  findRecorded: async (key) => findRecordedResult(store, ['storefront.publish', 'storefront.update'], key),
  publish: (product, page, key) =>
    runOnce(store, 'storefront.publish', key, { product, page }, () => publish(store, product, page)),
  update: (page_id, version, content, key) =>
    runOnce(store, 'storefront.update', key, { page_id, version, content }, () => {
      const page = requirePage(store, page_id)
      if (page.version !== version) throw pageChanged(page_id, version, page.version)
      changePage(store, page, content)
      return publishedPage(store, page_id, { page: contentOf(page) })
    }),
  withdraw: (page_id, before, key) =>
    runOnce(store, 'storefront.withdraw', key, { page_id, before }, () =>
      restore(store, requirePage(store, page_id), before),
    ),
})

function publish(store: Store, product: NewProduct, content: PageContent): PublishedPage {
  checkPrice(content.price)
  checkName('sku', product.sku === '' ? content.slug : product.sku, SKU)
  freeSlug(store, content.slug)
  const { sku, replaced } = putOnSale(store, product, content)
  const page_id = nextId(store.db, 'pages')
  const state = { version: 1, status: 'published' as const, made_on: store.today() }
  store.insert('pages', { ...(columnsOf(content) as Row<PageContent>), page_id, sku, ...state })
  return publishedPage(store, page_id, replaced === undefined ? {} : { product: termsOf(replaced) })
}

function publishedPage(store: Store, page_id: string, before: PreviousState): PublishedPage {
  const page = requirePage(store, page_id)
  const { product_id, sku, title, price, supplier_id, unit, shipping } = findProduct(store, page.sku) as Product
  return { page, product: { product_id, sku, title, price, supplier_id, unit, shipping }, before }
}

/** An existing product keeps its SKU. A new one gets the wanted SKU or the page's slug, with a number added where it is taken. */
function putOnSale(store: Store, product: NewProduct, page: PageContent): { sku: string; replaced?: Product } {
  const { product_id, title, supplier_id, unit, shipping } = product
  checkOffer(store, product)
  const terms = { title, price: page.price, supplier_id, unit, shipping, status: 'active' as const }
  const wanted = product.sku === '' ? page.slug : product.sku
  const existing = findProduct(store, wanted)
  if (existing?.product_id === product_id) {
    store.update('products', { sku: wanted }, terms)
    return { sku: wanted, replaced: existing }
  }
  const sku = freeSku(store, wanted)
  const stock = { on_hand: 0, reserved: 0, reorder_point: 0 }
  store.insert('products', { sku, product_id, ...terms, ...stock, created_on: store.today() })
  return { sku }
}

function checkOffer(store: Store, { product_id, supplier_id, unit, shipping }: NewProduct): void {
  if (store.find('offers', { product_id, supplier_id }) === undefined) throw unknownOffer(supplier_id, product_id)
  if (!Number.isInteger(unit) || unit < 0 || !Number.isInteger(shipping) || shipping < 0) {
    throw new ToolError(
      'ValidationError',
      `The unit price and its shipping must be whole cents of at least 0, not ${unit} and ${shipping}.`,
    )
  }
}

function freeSku(store: Store, wanted: string): string {
  for (let count = 1; ; count++) {
    const sku = count === 1 ? wanted : `${wanted}-${count}`
    if (findProduct(store, sku) === undefined) return sku
  }
}

/** A withdrawn page gives up its address to a new page. */
function freeSlug(store: Store, slug: string): void {
  checkName('slug', slug, SLUG)
  const holder = store.find('pages', { slug })
  if (holder === undefined) return
  if (holder.status === 'published') throw slugTaken(slug, holder.page_id)
  store.update('pages', { page_id: holder.page_id }, { slug: `${slug}~${holder.page_id}` })
}

function changePage(store: Store, { page_id, sku, slug, version }: Page, content: Partial<PageContent>): void {
  if (content.slug !== undefined && content.slug !== slug) freeSlug(store, content.slug)
  store.update('pages', { page_id }, { ...columnsOf(content), version: version + 1 })
  if (content.price === undefined) return
  checkPrice(content.price)
  store.update('products', { sku }, { price: content.price })
}

function restore(store: Store, page: Page, { page: content, product }: PreviousState): void {
  const { page_id, sku, version } = page
  if (content === undefined) store.update('pages', { page_id }, { status: 'withdrawn', version: version + 1 })
  else changePage(store, page, content)
  const published = findPages(store, { sku }).filter(({ status }) => status === 'published')
  const isNewest = findPages(store, { sku, after: page_id }).every(({ status }) => status === 'withdrawn')
  if (product !== undefined && isNewest) {
    checkPrice(product.price)
    store.update('products', { sku }, termsOf(product))
  }
  // Nobody can find a product without a published page, so it is not for sale whatever it was before.
  if (published.length === 0) store.update('products', { sku }, { status: 'paused' })
}

const termsOf = ({ title, price, supplier_id, unit, shipping, status }: ProductTerms): ProductTerms => ({
  title,
  price,
  supplier_id,
  unit,
  shipping,
  status,
})

function requirePage(store: Store, page_id: string): Page {
  const page = findPages(store, { page_id })[0]
  if (page === undefined) throw unknownPage(page_id)
  return page
}

/** A slug is part of an address; a SKU is typed and printed. */
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SKU = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/
const MAX_NAME_LENGTH = 100

function checkName(field: string, name: string, pattern: RegExp): void {
  if (name.length <= MAX_NAME_LENGTH && pattern.test(name)) return
  throw new ToolError(
    'ValidationError',
    `A ${field} has at most ${MAX_NAME_LENGTH} letters, digits and dashes, such as red-chair, not ${JSON.stringify(name)}.`,
    { [field]: name },
  )
}

const checkPrice = (price: Cents): void => checkCents('A price', 'price', price)

const contentOf = ({ page_id: _id, sku: _sku, version: _version, status: _status, made_on: _on, ...content }: Page) =>
  content satisfies PageContent

/** Only the fields that a page's content has, as columns. */
function columnsOf(content: Partial<PageContent>): Partial<Row<PageContent>> {
  const { slug, title, price, template, html, meta_title, meta_description, seo_score, images, keywords } = content
  const columns = { slug, title, price, template, html, meta_title, meta_description, seo_score }
  return { ...columns, images: images && JSON.stringify(images), keywords: keywords && JSON.stringify(keywords) }
}
