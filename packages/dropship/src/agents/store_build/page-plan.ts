/** From what was asked for to a page: the product behind it, what it costs, how it reads, and where it is published. */
import { ToolError } from 'myrmex'
import { toAmount, toCents } from '../../money.ts'
import type { Listing, NewProduct, Page, PageContent, Product, Shop } from '../../ports.ts'
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
  // The same product once more keeps its sku. One whose sku is this very address is what this call made before it was repeated.
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
 * Each address has a key of its own, so that a repeated call finds the page it made and not its address taken. What is rendered
 * may differ by then (a rating, a version of the style sheet): the page that stands is the answer.
 */
export async function published(shop: Shop, plan: Plan, key: string | undefined): Promise<Page> {
  for (const slug of slugsFor(plan.asked.title, MOST_NAMESAKES)) {
    const { content, product } = await drafted(shop, plan, slug)
    try {
      return await shop.storefront.publish(product, content, key === undefined ? undefined : `${key}/${slug}`)
    } catch (thrown) {
      if (!(thrown instanceof ToolError)) throw thrown
      const made = wasUsed(thrown) ? (await shop.storefront.pages({ slug }))[0] : undefined
      if (made !== undefined && isSame(made, content)) return made
      if (thrown.error_type !== 'SlugTaken') throw thrown
    }
  }
  throw allTaken(plan.asked.title)
}

const wasUsed = ({ error_details: details }: ToolError): boolean =>
  typeof details === 'object' && details?.used_for === 'storefront.publish'

const isSame = (page: Page, { title, price, images }: PageContent): boolean =>
  page.status === 'published' &&
  page.title === title &&
  page.price === price &&
  page.images.join('\n') === images.join('\n')

export const allTaken = (title: string): ToolError =>
  new ToolError(
    'SlugTaken',
    `There are ${MOST_NAMESAKES} pages called ${JSON.stringify(title)}. Give it a title of its own.`,
    { title },
  )
