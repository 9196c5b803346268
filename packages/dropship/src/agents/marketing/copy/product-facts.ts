/** The facts of a product from the shop and the marketplace: copy may claim nothing else. */
import { plainLabel } from '../../../charts/label.ts'
import { toAmount } from '../../../money.ts'
import type { Listing, Product, Shop } from '../../../ports.ts'

export interface ProductFacts {
  readonly title: string
  /** undefined if the shop does not sell it yet */
  readonly sku: string | undefined
  readonly product_id: string
  readonly niche: string | undefined
  readonly price: number
  readonly currency: string
  readonly rating: number | undefined
  readonly reviews: number
  readonly facts: readonly { readonly name: string; readonly value: string }[]
  readonly keywords: readonly string[]
  /** figures of the policies by name, such as return_days */
  readonly policyFigures: Readonly<Record<string, number>>
  readonly policyTexts: readonly string[]
  /** units available for sale; undefined if the shop does not sell it */
  readonly available: number | undefined
}

/** Longer names and values are prose, and prose of others is not repeated. */
const MAX_FACT_LENGTH = 40

export async function readProductFacts(
  shop: Shop,
  product: Product | undefined,
  listing: Listing | undefined,
): Promise<ProductFacts> {
  const policies = await shop.helpdesk.policies()
  const figures: Record<string, number> = {}
  for (const policy of policies) Object.assign(figures, policy.figures)
  return {
    title: plainLabel(product?.title ?? listing?.title ?? '', 120),
    sku: product?.sku,
    product_id: product?.product_id ?? listing?.product_id ?? '',
    niche: listing === undefined ? undefined : plainLabel(listing.niche, MAX_FACT_LENGTH),
    price: toAmount(product?.price ?? listing?.price ?? 0),
    currency: shop.currency,
    rating: listing === undefined || listing.reviews === 0 ? undefined : listing.rating,
    reviews: listing?.reviews ?? 0,
    facts: Object.entries(listing?.facts ?? {})
      .map(([name, value]) => ({ name: plainLabel(name, 200), value: plainLabel(value, 200) }))
      .filter(({ name, value }) => isShort(name) && isShort(value)),
    keywords: (listing?.keywords ?? []).map((word) => plainLabel(word, MAX_FACT_LENGTH)).filter((word) => word !== ''),
    policyFigures: figures,
    policyTexts: policies.map(({ text }) => text),
    available: product === undefined ? undefined : product.on_hand - product.reserved,
  }
}

const isShort = (text: string): boolean => text !== '' && text.length <= MAX_FACT_LENGTH

/** The facts as data for the critic. Field names state the units. */
export const factsForCritic = (known: ProductFacts): object => ({
  title: known.title,
  price: known.price,
  currency: known.currency,
  ...(known.niche === undefined ? {} : { niche: known.niche }),
  ...(known.rating === undefined ? {} : { rating: known.rating, reviews: known.reviews }),
  ...Object.fromEntries(known.facts.map(({ name, value }) => [name, value])),
  ...known.policyFigures,
  policies: known.policyTexts,
  ...(known.available === undefined ? {} : { available_pieces: known.available }),
})
