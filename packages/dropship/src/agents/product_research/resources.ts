/** What the research agent lets be read: listings of the marketplace, and niches with what stands in them. */
import { toAmount } from '../../money.ts'
import type { Listing } from '../../ports.ts'
import { recordResource } from '../record-resource.ts'

/** In the order of their ids as texts, which is how the marketplace gives them. */
const after = <T>(all: readonly T[], id: (one: T) => string, last: string | undefined, limit: number): T[] =>
  [...all]
    .sort((a, b) => (id(a) < id(b) ? -1 : 1))
    .filter((one) => last === undefined || id(one) > last)
    .slice(0, limit)

const shownListing = ({ price, ...listing }: Listing) => ({ ...listing, price: toAmount(price) })

export const listings = recordResource<Listing>({
  noun: 'listings',
  title: 'Listings',
  description: 'Products as anybody sees them on the marketplace: price, sellers, stars, facts and keywords.',
  id: ({ product_id }) => product_id,
  name: ({ title }) => title,
  find: async (shop, product_id) => (await shop.marketplace.listings({ product_id }))[0],
  page: async (shop, last, limit) =>
    after(await shop.marketplace.listings(), ({ product_id }) => product_id, last, limit),
  shown: shownListing,
})

interface NicheRecord {
  readonly niche: string
  readonly category: string
  readonly listings: readonly Listing[]
}

const nichesOf = (all: readonly Listing[]): NicheRecord[] =>
  [...Map.groupBy(all, ({ niche }) => niche)].map(([niche, own]) => ({
    niche,
    category: own[0]?.category ?? '',
    listings: own,
  }))

export const niches = recordResource<NicheRecord>({
  noun: 'niches',
  title: 'Niches',
  description: 'Niches of the marketplace with the products in each. product_research.analyze_niche judges one.',
  id: ({ niche }) => niche,
  name: ({ niche, category, listings }) => `${niche} (${category}), ${listings.length} products`,
  find: async (shop, niche) => nichesOf(await shop.marketplace.listings({ niche }))[0],
  page: async (shop, last, limit) =>
    after(nichesOf(await shop.marketplace.listings()), ({ niche }) => niche, last, limit),
  shown: ({ listings, ...niche }) => ({
    ...niche,
    products: listings.map(({ product_id, title, price, sellers, rating }) => ({
      product_id,
      product_name: title,
      price: toAmount(price),
      sellers,
      rating,
    })),
  }),
})
