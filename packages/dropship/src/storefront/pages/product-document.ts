/** A product's page as a complete document: its template in the shop's frame, both for the tools that store it and for shoppers. */

import { capitalise } from 'myrmex/text'
import { type Catalogue, type CatalogueItem, categoryOf } from '../catalogue.ts'
import { MAX_PIECES } from '../checkout/cart.ts'
import { amountText } from './amount.ts'
import { PLAIN_TEMPLATE } from './page-template.ts'
import { absoluteUrl, availabilityOf, type ShopInfo, structuredData } from './structured-data.ts'
import { STYLE_VERSION } from './style.ts'
import type { TemplateEngine, TemplateScope } from './templates.ts'

export const DEFAULT_NAME = 'The Shop'
/** With fewer pieces, the number is shown. */
const LOW_STOCK = 6
const MAX_RELATED = 4

export interface PageContext extends ShopInfo {
  readonly shopName: string
  /** the rest of the shop; without it, the document has no links to it */
  readonly catalogue?: Catalogue
  readonly pieces?: number
  readonly salesPaused?: boolean
}

export interface FramedPage {
  readonly title: string
  readonly body: string
  readonly description?: string
  /** path for search engines; a page without one is not indexed */
  readonly canonical?: string
  readonly structured?: object
  readonly category?: string
  readonly allShown?: boolean
  readonly query?: string
}

export function renderFrame(engine: TemplateEngine, framed: FramedPage, context: PageContext): string {
  const { canonical, allShown = false, query = '', ...own } = framed
  return engine.view('frame', {
    ...own,
    canonical: canonical === undefined ? undefined : absoluteUrl(canonical, context.origin),
    all_shown: allShown,
    query,
    shop_name: context.shopName,
    style_version: STYLE_VERSION,
    categories: context.catalogue?.categories ?? [],
    pieces: context.pieces ?? 0,
    sales_paused: context.salesPaused ?? false,
  })
}

export const productUrl = ({ page }: CatalogueItem): string => `/shop/products/${page.slug}`

/** The data of a product's tile. */
export function productTile(item: CatalogueItem, currency: string): TemplateScope {
  const { page, product, listing } = item
  const left = product.on_hand - product.reserved
  return {
    url: productUrl(item),
    title: page.title,
    image: page.images[0] ?? `/shop/images/${encodeURIComponent(product.product_id)}.svg`,
    price: amountText(product.price, currency),
    paused: product.status === 'paused',
    low: left > 0 && left < LOW_STOCK ? left : undefined,
    ...(listing !== undefined &&
      listing.reviews > 0 && { rating: listing.rating.toFixed(1), reviews: listing.reviews }),
  }
}

/** The variables of a page's template. */
function pageScope(item: CatalogueItem, currency: string): TemplateScope {
  const { page, product, listing } = item
  const tile = productTile(item, currency)
  return {
    // For common Liquid, such as {{ page.title }} and {{ product.facts }}.
    page: { title: page.title, price: tile.price, images: page.images, keywords: page.keywords },
    product: { title: product.title, sku: product.sku, facts: listing?.facts ?? {} },
    title: page.title,
    description: page.meta_description,
    price: tile.price,
    sku: product.sku,
    category: categoryOf(item),
    niche: listing?.niche ?? '',
    keywords: page.keywords,
    rating: tile.rating,
    reviews: tile.reviews,
    facts: Object.entries(listing?.facts ?? {}).map(([name, value]) => ({ name: capitalise(name), value })),
    images: page.images.map((src, at) => ({ src, alt: at === 0 ? page.title : `${page.title}, picture ${at + 1}` })),
    most_pieces: MAX_PIECES,
    paused: tile.paused,
    ...stockOf(item),
  }
}

function stockOf(item: CatalogueItem): { stock: string; stock_kind: string } {
  const left = item.product.on_hand - item.product.reserved
  const availability = availabilityOf(item)
  if (availability === 'Discontinued') return { stock: 'Not sold at the moment', stock_kind: 'paused' }
  if (availability === 'BackOrder') return { stock: 'Ordered from the supplier for you', stock_kind: 'later' }
  return { stock: left < LOW_STOCK ? `In stock, ${left} left` : 'In stock', stock_kind: 'now' }
}

export function productDocument(engine: TemplateEngine, item: CatalogueItem, context: PageContext): string {
  const { page, product } = item
  const category = categoryOf(item)
  const template = page.template.trim() === '' ? PLAIN_TEMPLATE : page.template
  const others = context.catalogue?.items ?? []
  const related = others.filter(
    (other) => categoryOf(other) === category && other.product.sku !== product.sku && other.product.status === 'active',
  )
  const scope = pageScope(item, context.currency)
  const body = engine.view('product', {
    ...scope,
    title: page.title,
    category,
    own: engine.page(template, scope),
    sells_itself: template.includes('/shop/cart'),
    related: nearest(related, item)
      .slice(0, MAX_RELATED)
      .map((other) => productTile(other, context.currency)),
  })
  const framed = {
    title: page.meta_title,
    description: page.meta_description,
    canonical: productUrl(item),
    structured: structuredData(item, context),
    category,
    body,
  }
  return renderFrame(engine, framed, context)
}

/** The same niche first, then the nearest price. */
const nearest = (items: readonly CatalogueItem[], { product, listing }: CatalogueItem): CatalogueItem[] => {
  const distance = (other: CatalogueItem): number =>
    Math.abs(Math.log(other.product.price / product.price)) + (other.listing?.niche === listing?.niche ? 0 : 10)
  return items
    .map((item) => ({ item, far: distance(item) }))
    .sort((one, two) => one.far - two.far)
    .map(({ item }) => item)
}

/** An origin that is safe in a content policy, where a comma or a semicolon would start another rule. */
const SITE = /^https?:\/\/[\w.:[\]-]+$/

/** The other sites that a page's images come from. Invalid URLs are ignored. */
export const imageOrigins = (images: readonly string[]): string[] => [
  ...new Set(
    images.flatMap((image) => {
      const origin = URL.parse(image)?.origin ?? ''
      return SITE.test(origin) ? [origin] : []
    }),
  ),
]
