/** Plans, drafts and publishes a product page: the product behind it, its cost, its text and its address. */
import { ToolError } from 'myrmex'
import * as z from 'zod'
import { toAmount, toCents } from '../../money.ts'
import type { Listing, NewProduct, PageContent, Product, PublishedPage, Shop } from '../../ports.ts'
import { pageTemplate } from '../../storefront/pages/page-template.ts'
import * as field from '../field-types.ts'
import { nearestMatches, normalizeTitle } from '../nearest.ts'
import { breakEven } from '../supplier/offers/sale.ts'
import { choosePurchaseSource, landedCost, type PurchaseSource, requireOpenQuote } from './cost.ts'
import { descriptionParagraphs, metaDescriptionOf } from './describe.ts'
import { price, productName } from './fields.ts'
import { type PageDraft, renderDraft } from './render.ts'
import { bestTitle } from './seo/improve.ts'
import { slugCandidates } from './slug.ts'

export const MAX_SLUGS = 20
const MAX_KEYWORDS = 5

export const pageRequest = z.object({
  title: productName.meta({
    type_id: 'product_name',
    description: 'Title of the page. Without product_id it is also the title of the product on the marketplace.',
  }),
  price: price.meta({ type_id: 'price', description: "Price of a unit, in the shop's currency." }),
  images: field.list(
    8,
    'Image addresses: http, https or /shop/images/<product_id>.svg. If empty, the image of the product.',
    field.filledText(2000),
    'images',
  ),
  product_id: field.filledText(100, 'Id of the product on the marketplace.', 'product_id').optional(),
  quote_id: field
    .filledText(40, 'Quote to buy by. Default: the best valid quote, or else the best offer.', 'quote_id')
    .optional(),
  description: field.text(2000, 'First paragraph as plain text. Default: a text made from the facts.').optional(),
})

type PageRequest = z.output<typeof pageRequest>

export interface PagePlan {
  readonly request: PageRequest
  readonly listing: Listing
  readonly source: PurchaseSource
  readonly images: readonly string[]
  /** products of the shop that already sell this listing */
  readonly existingProducts: readonly Product[]
}

export async function planPage(shop: Shop, asked: PageRequest): Promise<PagePlan> {
  const images = asked.images.map(checkImage)
  const quote = asked.quote_id === undefined ? undefined : await requireOpenQuote(shop, asked.quote_id)
  const listing = await findListing(shop, asked.product_id ?? quote?.product_id, asked.title)
  const source = await choosePurchaseSource(shop, listing.product_id, quote)
  const lowest = breakEven(landedCost(source))
  if (toCents(asked.price) < lowest) {
    const { currency } = shop
    throw new ToolError(
      'PriceBelowCost',
      `At ${asked.price} ${currency} every unit of ${listing.title} loses money: it costs ${toAmount(landedCost(source))} with shipping, plus the payment fee. The lowest price is ${toAmount(lowest)} ${currency}.`,
      { price: asked.price, lowest: toAmount(lowest), landed_cost: toAmount(landedCost(source)) },
    )
  }
  const products = await shop.storefront.products()
  const there = products.filter(({ product_id }) => product_id === listing.product_id)
  return {
    request: asked,
    listing,
    source,
    images: images.length > 0 ? images : [listing.image],
    existingProducts: there,
  }
}

export async function draftPage(
  shop: Shop,
  plan: PagePlan,
  slug: string,
): Promise<{ content: PageContent; product: NewProduct }> {
  const { request, listing, source, images } = plan
  const { title } = request
  const said = descriptionParagraphs(title, listing)
  const paragraphs = request.description === undefined ? said : [request.description, ...said]
  const keywords = listing.keywords.slice(0, MAX_KEYWORDS)
  const draft: PageDraft = {
    slug,
    title,
    price: toCents(request.price),
    images,
    template: pageTemplate({ paragraphs, subtitle: '' }),
    meta_title: bestTitle(title, listing, keywords),
    meta_description: metaDescriptionOf(title, listing),
    keywords,
  }
  // A product that is already in the shop keeps its SKU.
  const sku = plan.existingProducts[0]?.sku ?? slug
  const { supplier_id, unit, shipping } = source
  const product = { product_id: listing.product_id, sku, title, price: draft.price, supplier_id, unit, shipping }
  const stock = {
    on_hand: 0,
    reserved: 0,
    reorder_point: 0,
    ...plan.existingProducts[0],
    status: 'active',
    created_on: '',
  } as const
  const { content } = await renderDraft(shop, draft, { ...stock, ...product }, listing)
  return { content, product }
}

/**
 * A repeated call returns what it published. It is not planned again: a quote may have expired, a rating may have changed, and the
 * product already has the price of this page.
 */
export async function publishPage(shop: Shop, asked: PageRequest, key: string | undefined): Promise<PublishedPage> {
  const made = await publishedBefore(shop, asked, key)
  if (made !== undefined) return made
  const plan = await planPage(shop, asked)
  for (const slug of slugCandidates(asked.title, MAX_SLUGS)) {
    const { content, product } = await draftPage(shop, plan, slug)
    try {
      return await shop.storefront.publish(product, content, key)
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.error_type !== 'SlugTaken') throw thrown
    }
  }
  throw allSlugsTaken(asked.title)
}

/** Looks under the key at the slugs that were tried: each is tried only if the one before is taken. */
async function publishedBefore(
  shop: Shop,
  asked: PageRequest,
  key: string | undefined,
): Promise<PublishedPage | undefined> {
  if (key === undefined) return undefined
  for (const slug of slugCandidates(asked.title, MAX_SLUGS)) {
    const made = await shop.storefront.findRecorded(key, { slug })
    // The shop rejects a different request under the same key.
    if (made !== undefined) return isSame(made, asked) ? made : undefined
    if ((await shop.storefront.pages({ slug })).length === 0) return undefined
  }
  return undefined
}

const isSame = ({ page, product }: PublishedPage, { title, price, images, product_id }: PageRequest): boolean =>
  page.title === title &&
  page.price === toCents(price) &&
  (product_id ?? product.product_id) === product.product_id &&
  (images.length === 0 || page.images.join('\n') === images.map(checkImage).join('\n'))

export const allSlugsTaken = (title: string): ToolError =>
  new ToolError(
    'SlugTaken',
    `There are ${MAX_SLUGS} pages called ${JSON.stringify(title)}. Choose a different title.`,
    { title },
  )

const OWN_IMAGE = /^\/shop\/images\/[\w.~%-]+\.svg$/
const MAX_URL_LENGTH = 2000

/** Images of the shop, and http or https addresses. Throws InvalidImage. */
function checkImage(image: string): string {
  const refuse = (why: string): never => {
    throw new ToolError(
      'InvalidImage',
      `The image ${JSON.stringify(image.slice(0, 100))} ${why}. Use an http or https address, or /shop/images/<product_id>.svg.`,
      { image: image.slice(0, 100) },
    )
  }
  if (image.startsWith('/')) return OWN_IMAGE.test(image) ? image : refuse('is not an image of this shop')
  if (image.length > MAX_URL_LENGTH) refuse(`is longer than ${MAX_URL_LENGTH} characters`)
  if (!URL.canParse(image)) refuse('is not an address')
  const url = new URL(image)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') refuse(`has the scheme ${url.protocol}`)
  if (url.username !== '' || url.password !== '') refuse('contains a user name or a password')
  return url.href
}

/** By id or by title. Throws UnknownProduct with the nearest titles. */
async function findListing(shop: Shop, product_id: string | undefined, title: string): Promise<Listing> {
  if (product_id !== undefined) {
    const [listing] = await shop.marketplace.listings({ product_id })
    if (listing !== undefined) return listing
  }
  const all = await shop.marketplace.listings()
  const wanted = normalizeTitle(title)
  const found = product_id === undefined ? all.find((listing) => normalizeTitle(listing.title) === wanted) : undefined
  if (found !== undefined) return found
  const nearest = nearestMatches(title, all, { names: (listing) => [listing.title] })
  const what =
    product_id === undefined ? `called ${JSON.stringify(title)}` : `with the id ${JSON.stringify(product_id)}`
  const hint = nearest.length === 0 ? '' : ` The nearest titles: ${nearest.map(({ title }) => title).join(', ')}.`
  throw new ToolError(
    'UnknownProduct',
    `The marketplace has no product ${what}.${hint} Give its product_id, or its title as listed.`,
    { nearest: nearest.map(({ product_id, title }) => ({ product_id, title })) },
  )
}
