/** The shop's own products and pages: published together, changed only by who has seen the newest version. */
import { ToolError } from 'myrmex'
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
import { nextId } from '../database/next-id.ts'
import type { Store } from '../database/store.ts'
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
      if (page.version !== version) {
        throw new ToolError(
          'PageChanged',
          `The page ${page_id} has version ${page.version} by now, not ${version}. Read it again, then change it.`,
          { page_id, version: page.version, expected: version },
        )
      }
      write(store, page, content)
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
  const page_id = nextId(store, 'pages')
  const row = { ...columnsOf(content), page_id, sku, version: 1, status: 'published' as const, made_on: store.today() }
  store.run(store.kysely.insertInto('pages').values(row))
  return publishedPage(store, page_id, replaced === undefined ? {} : { product: termsOf(replaced) })
}

function publishedPage(store: Store, page_id: string, before: PreviousState): PublishedPage {
  const page = requirePage(store, page_id)
  const { product_id, sku, title, price, supplier_id, unit, shipping } = findProduct(store, page.sku) as Product
  return { page, product: { product_id, sku, title, price, supplier_id, unit, shipping }, before }
}

/** Under its own sku where it is there already, else under the wanted one or the page's slug, made unique. */
function putOnSale(store: Store, product: NewProduct, page: PageContent): { sku: string; replaced?: Product } {
  const { kysely } = store
  const { product_id, title, supplier_id, unit, shipping } = product
  checkSource(store, product)
  const wanted = product.sku === '' ? page.slug : product.sku
  const there = findProduct(store, wanted)
  if (there?.product_id === product_id) {
    const changes = { title, price: page.price, supplier_id, unit, shipping, status: 'active' as const }
    store.run(kysely.updateTable('products').set(changes).where('sku', '=', wanted))
    return { sku: wanted, replaced: there }
  }
  const sku = freeSku(store, wanted)
  const row = { sku, product_id, title, price: page.price, supplier_id, unit, shipping, created_on: store.today() }
  const empty = { on_hand: 0, reserved: 0, reorder_point: 0, status: 'active' as const }
  store.run(kysely.insertInto('products').values({ ...row, ...empty }))
  return { sku }
}

function checkSource(store: Store, { product_id, supplier_id, unit, shipping }: NewProduct): void {
  const offer = store.first(
    store.kysely
      .selectFrom('offers')
      .select('unit')
      .where('product_id', '=', product_id)
      .where('supplier_id', '=', supplier_id),
  )
  if (offer === undefined) {
    throw new ToolError('UnknownOffer', `The supplier ${supplier_id} does not offer the product ${product_id}.`, {
      supplier_id,
      product_id,
    })
  }
  if (!Number.isInteger(unit) || unit < 0 || !Number.isInteger(shipping) || shipping < 0) {
    throw new ToolError('ValidationError', `What a piece costs is counted in whole cents, not ${unit} and ${shipping}.`)
  }
}

function freeSku(store: Store, wanted: string): string {
  for (let count = 1; ; count++) {
    const sku = count === 1 ? wanted : `${wanted}-${count}`
    if (findProduct(store, sku) === undefined) return sku
  }
}

/** A page that was withdrawn gives its address up to one that wants it. */
function freeSlug(store: Store, slug: string): void {
  checkName('slug', slug, SLUG)
  const holder = findPages(store, { slug })[0]
  if (holder === undefined) return
  if (holder.status === 'published') {
    throw new ToolError('SlugTaken', `The page ${holder.page_id} is at /shop/products/${slug} already.`, {
      slug,
      page_id: holder.page_id,
    })
  }
  const given = { slug: `${slug}~${holder.page_id}` }
  store.run(store.kysely.updateTable('pages').set(given).where('page_id', '=', holder.page_id))
}

function write(store: Store, page: Page, content: Partial<PageContent>): void {
  const { kysely } = store
  if (content.slug !== undefined && content.slug !== page.slug) freeSlug(store, content.slug)
  const next = { ...columnsOf(content), version: page.version + 1 }
  store.run(kysely.updateTable('pages').set(next).where('page_id', '=', page.page_id))
  if (content.price === undefined) return
  checkPrice(content.price)
  store.run(kysely.updateTable('products').set({ price: content.price }).where('sku', '=', page.sku))
}

function restore(store: Store, page: Page, { page: content, product }: PreviousState): void {
  const { kysely } = store
  if (content === undefined) {
    const next = { status: 'withdrawn' as const, version: page.version + 1 }
    store.run(kysely.updateTable('pages').set(next).where('page_id', '=', page.page_id))
  } else write(store, page, content)
  const shown = findPages(store, { sku: page.sku }).filter(({ status }) => status === 'published')
  const isNewest = findPages(store, { sku: page.sku, after: page.page_id }).every(
    ({ status }) => status === 'withdrawn',
  )
  if (product !== undefined && isNewest) {
    checkPrice(product.price)
    store.run(kysely.updateTable('products').set(termsOf(product)).where('sku', '=', page.sku))
  }
  // Whatever it was before, nobody finds what no page shows.
  if (shown.length === 0)
    store.run(kysely.updateTable('products').set({ status: 'paused' }).where('sku', '=', page.sku))
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
  if (page === undefined) {
    throw new ToolError('UnknownPage', `There is no page ${JSON.stringify(page_id)}.`, { page_id })
  }
  return page
}

/** A slug is a part of an address; a sku is typed and printed. */
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SKU = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/
const LONGEST_NAME = 100

function checkName(what: string, name: string, shape: RegExp): void {
  if (name.length <= LONGEST_NAME && shape.test(name)) return
  throw new ToolError(
    'ValidationError',
    `A ${what} has at most ${LONGEST_NAME} letters, digits and dashes, such as red-chair, not ${JSON.stringify(name)}.`,
    { [what]: name },
  )
}

function checkPrice(price: number): void {
  if (Number.isSafeInteger(price) && price > 0) return
  throw new ToolError('ValidationError', `A price is a whole number of cents above 0, not ${price}.`, { price })
}

const contentOf = ({ page_id: _id, sku: _sku, version: _version, status: _status, made_on: _on, ...content }: Page) =>
  content satisfies PageContent

/** Only what a page may be changed in, in the columns' own form. */
function columnsOf<Content extends Partial<PageContent>>(content: Content) {
  const { slug, title, price, template, html, meta_title, meta_description, seo_score, images, keywords } = content
  const set = { slug, title, price, template, html, meta_title, meta_description, seo_score }
  const lists = {
    images: images && JSON.stringify(images),
    keywords: keywords && JSON.stringify(keywords),
  }
  return { ...set, ...lists } as { [Name in keyof Content & keyof PageContent]: Column<Content[Name]> }
}

type Column<Value> = Value extends readonly string[] ? string : Value
