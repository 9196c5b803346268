/**
 * What is usual: how many visitors a product of this shop has and how many of them buy, from its own books, and the middle of
 * what is listed. A shop that has not sold anything yet is measured by what platforms publish.
 */
import { median } from 'simple-statistics'
import { addDays, type Day } from '../../../day.ts'
import type { Listing, Shop } from '../../../ports.ts'
import type { Demand } from '../statistics/demand.ts'
import type { Baseline } from './earnings-outlook.ts'

/** A small shop without any books: some 90 visitors a day (fleet: 50 to 130) over a range of twenty products. */
const DEFAULT_VISITS = 4.5
const LOOKED_BACK_DAYS = 90
/** What is published counts like so many visits of one's own. */
const PUBLISHED_VISITS = 500
/** Channels that cost nothing. */
const PAID_CHANNELS = new Set(['facebook', 'instagram', 'tiktok'])

export async function readBaseline(
  shop: Shop,
  seen: readonly { readonly listing: Listing; readonly demand: Demand }[],
  today: Day,
): Promise<Baseline> {
  const [platforms, listings, sales] = await Promise.all([
    shop.ads.benchmarks(),
    shop.marketplace.listings(),
    shop.books.sales({ from: addDays(today, -LOOKED_BACK_DAYS), to: addDays(today, -1) }),
  ])
  const own = sales.filter(({ channel }) => !PAID_CHANNELS.has(channel))
  const visits = own.reduce((sum, day) => sum + day.visits, 0)
  const orders = own.reduce((sum, day) => sum + day.orders, 0)
  const productDays = new Set(own.map(({ day, sku }) => `${day} ${sku}`)).size
  const published = platforms.reduce((sum, { conversion }) => sum + conversion, 0) / Math.max(1, platforms.length)
  const middle = (values: readonly number[], unknown: number): number =>
    values.length === 0 ? unknown : median([...values])
  return {
    visits: productDays < LOOKED_BACK_DAYS ? DEFAULT_VISITS : visits / productDays,
    conversion: (orders + published * PUBLISHED_VISITS) / (visits + PUBLISHED_VISITS),
    demand: Math.max(
      0.1,
      middle(
        seen.map(({ demand }) => demand.ahead),
        1,
      ),
    ),
    reviews: middle(
      seen.map(({ listing }) => listing.reviews),
      100,
    ),
    price: middle(
      listings.map(({ price }) => price),
      4000,
    ),
    sellers: middle(
      listings.map(({ sellers }) => sellers),
      8,
    ),
    rating: middle(
      listings.map(({ rating }) => rating),
      4.2,
    ),
    platforms,
  }
}
