/** From what was asked for to a page: the product behind it, what it costs, how it reads, and where it is published. */
import { ToolError } from 'myrmex'
import { toAmount, toCents } from '../../money.ts'
import type { Listing, NewProduct, PageContent, Product, Published, Shop } from '../../ports.ts'
import { pageTemplate } from '../../storefront/page-template.ts'
import { landed, lowestPrice, namedQuote, type Source, sourceOf } from './cost.ts'
import { describe, metaDescriptionOf } from './describe.ts'
import { findListing } from './find-listing.ts'
import { checkedImage } from './images.ts'
import { type Draft, renderDraft } from './render.ts'
import { bestTitle } from './seo/mend.ts'
import { slugsFor } from './slug.ts'

export const MOST_NAMESAKES = 20
const MOST_KEYWORDS = 5

export interface Asked {
  readonly title: string
  readonly price: number
  readonly images: readonly string[]
  readonly product_id?: string | undefined
  readonly quote_id?: string | undefined
  readonly description?: string | undefined
}

export interface Plan {
  readonly asked: Asked
  readonly listing: Listing
  readonly source: Source
  readonly images: readonly string[]
  /** what the shop sells of this product already */
  readonly there: readonly Product[]
}

export async function planned(shop: Shop, asked: Asked): Promise<Plan> {
  const images = asked.images.map(checkedImage)
  const quote = asked.quote_id === undefined ? undefined : await namedQuote(shop, asked.quote_id)
  const listing = await findListing(shop, asked.product_id ?? quote?.product_id, asked.title)
  const source = await sourceOf(shop, listing.product_id, quote)
  const lowest = lowestPrice(landed(source))
  if (toCents(asked.price) < lowest) {
    const { currency } = shop
    throw new ToolError(
      'PriceBelowCost',
      `At ${asked.price} ${currency} every piece of ${listing.title} loses money: it costs ${toAmount(landed(source))} with shipping, and the payment's fee comes on top. The lowest price is ${toAmount(lowest)} ${currency}.`,
      { price: asked.price, lowest: toAmount(lowest), landed_cost: toAmount(landed(source)) },
    )
  }
  const products = await shop.storefront.products()
  const there = products.filter(({ product_id }) => product_id === listing.product_id)
  return { asked, listing, source, images: images.length > 0 ? images : [listing.image], there }
}

export async function drafted(
  shop: Shop,
  plan: Plan,
  slug: string,
): Promise<{ content: PageContent; product: NewProduct }> {
  const { asked, listing, source, images } = plan
  const { title } = asked
  const said = describe(title, listing)
  const paragraphs = asked.description === undefined ? said : [asked.description, ...said]
  const keywords = listing.keywords.slice(0, MOST_KEYWORDS)
  const draft: Draft = {
    slug,
    title,
    price: toCents(asked.price),
    images,
    template: pageTemplate({ paragraphs, subtitle: '' }),
    meta_title: bestTitle(title, listing, keywords),
    meta_description: metaDescriptionOf(title, listing),
    keywords,
  }
  // The same product once more keeps its sku.
  const sku = plan.there[0]?.sku ?? slug
  const { supplier_id, unit, shipping } = source
  const product = { product_id: listing.product_id, sku, title, price: draft.price, supplier_id, unit, shipping }
  const stock = {
    on_hand: 0,
    reserved: 0,
    reorder_point: 0,
    ...plan.there[0],
    status: 'active',
    created_on: '',
  } as const
  const { content } = await renderDraft(shop, draft, { ...stock, ...product }, listing)
  return { content, product }
}

/**
 * A call that is made again finds what it made. It is not worked out anew: a quote may have run out by then, a rating may have
 * changed, and the product has this very page's price.
 */
export async function published(shop: Shop, asked: Asked, key: string | undefined): Promise<Published> {
  const made = await publishedBefore(shop, asked, key)
  if (made !== undefined) return made
  const plan = await planned(shop, asked)
  for (const slug of slugsFor(asked.title, MOST_NAMESAKES)) {
    const { content, product } = await drafted(shop, plan, slug)
    try {
      return await shop.storefront.publish(product, content, key)
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.error_type !== 'SlugTaken') throw thrown
    }
  }
  throw allTaken(asked.title)
}

/** Under its key, at the addresses that were tried: each is only tried when the one before is taken. */
async function publishedBefore(shop: Shop, asked: Asked, key: string | undefined): Promise<Published | undefined> {
  if (key === undefined) return undefined
  for (const slug of slugsFor(asked.title, MOST_NAMESAKES)) {
    const made = await shop.storefront.done(key, { slug })
    // What is another request under the same key, the shop refuses.
    if (made !== undefined) return isSame(made, asked) ? made : undefined
    if ((await shop.storefront.pages({ slug })).length === 0) return undefined
  }
  return undefined
}

const isSame = ({ page, product }: Published, { title, price, images, product_id }: Asked): boolean =>
  page.title === title &&
  page.price === toCents(price) &&
  (product_id ?? product.product_id) === product.product_id &&
  (images.length === 0 || page.images.join('\n') === images.map(checkedImage).join('\n'))

export const allTaken = (title: string): ToolError =>
  new ToolError(
    'SlugTaken',
    `There are ${MOST_NAMESAKES} pages called ${JSON.stringify(title)}. Give it a title of its own.`,
    { title },
  )
