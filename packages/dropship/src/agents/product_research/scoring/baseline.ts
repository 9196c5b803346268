/**
 * What is usual, to compare a listing with: visitors and conversion of a product of this shop, from its own books, and the medians
 * of the listings. A shop that has not sold anything yet is measured by the platforms' published figures.
 */
import { median } from 'simple-statistics'
import { addDays, type Day } from '../../../day.ts'
import { mean, sums } from '../../../figures.ts'
import { type Listing, PLATFORMS, type Shop } from '../../../ports.ts'
import type { Demand } from '../statistics/demand.ts'
import type { Baseline } from './earnings-outlook.ts'

/** A small shop without books: about 90 visitors a day over twenty products. */
const DEFAULT_VISITS = 4.5
const LOOK_BACK_DAYS = 90
/** The published conversion counts as much as this many visits of the shop. */
const PUBLISHED_VISITS = 500
const PAID_CHANNELS: ReadonlySet<string> = new Set(PLATFORMS)

export async function readBaseline(
  shop: Shop,
  compared: readonly { readonly listing: Listing; readonly demand: Demand }[],
  today: Day,
): Promise<Baseline> {
  const [platforms, listings, sales] = await Promise.all([
    shop.ads.benchmarks(),
    shop.marketplace.listings(),
    shop.books.sales({ from: addDays(today, -LOOK_BACK_DAYS), to: addDays(today, -1) }),
  ])
  const own = sales.filter(({ channel }) => !PAID_CHANNELS.has(channel))
  const { visits, orders } = sums(own, ['visits', 'orders'])
  const productDays = new Set(own.map(({ day, sku }) => `${day} ${sku}`)).size
  const published = mean(platforms.map(({ conversion }) => conversion))
  return {
    visits: productDays < LOOK_BACK_DAYS ? DEFAULT_VISITS : visits / productDays,
    conversion: (orders + published * PUBLISHED_VISITS) / (visits + PUBLISHED_VISITS),
    demand: Math.max(
      0.1,
      medianOf(compared, ({ demand }) => demand.ahead, 1),
    ),
    reviews: medianOf(compared, ({ listing }) => listing.reviews, 100),
    price: medianOf(listings, ({ price }) => price, 4000),
    sellers: medianOf(listings, ({ sellers }) => sellers, 8),
    rating: medianOf(listings, ({ rating }) => rating, 4.2),
    platforms,
  }
}

const medianOf = <T>(items: readonly T[], of: (item: T) => number, fallback: number): number =>
  items.length === 0 ? fallback : median(items.map(of))
