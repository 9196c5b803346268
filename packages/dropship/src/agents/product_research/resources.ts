/** The resources of the research agent: marketplace listings, and niches with their products. */
import { toAmount } from '../../money.ts'
import type { Listing } from '../../ports.ts'
import { recordResource } from '../record-resource.ts'

export const listings = recordResource<Listing>({
  noun: 'listings',
  title: 'Listings',
  description: 'Public listings of the marketplace: price, sellers, rating, facts and keywords.',
  id: ({ product_id }) => product_id,
  name: ({ title }) => title,
  find: async (shop, product_id) => (await shop.marketplace.listings({ product_id }))[0],
  page: { all: (shop) => shop.marketplace.listings() },
  shown: ({ price, ...listing }) => ({ ...listing, price: toAmount(price) }),
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
  description: 'Niches of the marketplace with their products. product_research.analyze_niche assesses one.',
  id: ({ niche }) => niche,
  name: ({ niche, category, listings }) => `${niche} (${category}), ${listings.length} products`,
  find: async (shop, niche) => nichesOf(await shop.marketplace.listings({ niche }))[0],
  page: { all: async (shop) => nichesOf(await shop.marketplace.listings()) },
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
