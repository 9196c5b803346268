/**
 * Three ways to run a shop without thinking much. Each takes the product's usual price, a page as one makes
 * it without tuning, and words of middling quality. `wares` is how many products it sells: one, as their names say, or as many
 * as the fleet, for comparison.
 */
import type { EmbeddedShop } from '../../packages/dropship/src/embedded/open.ts'
import { diceFor, integerBetween } from '../../packages/dropship/src/market/random.ts'
import { type Listing, type Offer, PLATFORMS } from '../../packages/dropship/src/ports.ts'
import { advertise, launch, stockRoom } from './launch.ts'
import { DAYS, type Player } from './world.ts'

const PLAIN_PAGE = 60
const PLAIN_WORDS = 0.5

interface Way {
  readonly name: string
  readonly choose: (listings: readonly Listing[], shop: EmbeddedShop) => Promise<readonly Listing[]>
  readonly supplier: (offers: readonly Offer[]) => Offer | undefined
  /** all on one product and platform, or spread over all of both */
  readonly oneCampaign: boolean
}

const cheapest = (offers: readonly Offer[]): Offer | undefined =>
  [...offers].sort((a, b) => a.unit + a.shipping - b.unit - b.shipping)[0]
const bestRated = (offers: readonly Offer[]): Offer | undefined =>
  [...offers].sort((a, b) => b.supplier.rating - a.supplier.rating)[0]

/** Those that the marketplace sold most of lately. */
async function bestSellers(listings: readonly Listing[], shop: EmbeddedShop): Promise<Listing[]> {
  const history = await shop.marketplace.history(
    listings.map(({ product_id }) => product_id),
    30,
  )
  const sold = new Map<string, number>()
  for (const { product_id, units } of history) sold.set(product_id, (sold.get(product_id) ?? 0) + units)
  return [...listings].sort((a, b) => (sold.get(b.product_id) ?? 0) - (sold.get(a.product_id) ?? 0))
}

function shuffled(listings: readonly Listing[], seed: number): Listing[] {
  const dice = diceFor(seed, 0, 'naive', 'random product')
  const rest = [...listings]
  return Array.from(
    { length: rest.length },
    () => rest.splice(integerBetween(dice, 0, rest.length - 1), 1)[0] as Listing,
  )
}

export function naivePlayers(seed: number, wares = 1): Player[] {
  const ways: Way[] = [
    { name: 'random product', choose: async (all) => shuffled(all, seed), supplier: bestRated, oneCampaign: false },
    { name: 'cheapest supplier', choose: bestSellers, supplier: cheapest, oneCampaign: false },
    { name: 'one campaign', choose: bestSellers, supplier: bestRated, oneCampaign: true },
  ]
  return ways.map((way) => ({
    name: way.name,
    morning: (shop, day) => (day === 0 ? begin(shop, way, wares) : undefined),
  }))
}

async function begin(shop: EmbeddedShop, way: Way, wares: number): Promise<void> {
  const listings = await shop.marketplace.listings()
  const launched: { sku: string; title: string }[] = []
  for (const listing of await way.choose(listings, shop)) {
    if (launched.length >= wares) break
    const { product_id, title, price } = listing
    const offer = way.supplier(await shop.suppliers.offers({ product_id }))
    if (offer === undefined) continue
    const { supplier, unit, shipping } = offer
    const sku = await launch(shop, {
      product_id,
      title,
      price,
      supplier_id: supplier.supplier_id,
      unit,
      shipping,
      page: PLAIN_PAGE,
    })
    launched.push({ sku, title })
  }
  const room = await stockRoom(shop)
  const [first] = launched
  if (way.oneCampaign && first !== undefined) {
    await advertise(shop, { ...first, platform: 'facebook', daily: room, days: DAYS, score: PLAIN_WORDS })
    return
  }
  const each = Math.floor(room / (launched.length * PLATFORMS.length))
  for (const ware of launched) {
    for (const platform of PLATFORMS)
      await advertise(shop, { ...ware, platform, daily: Math.max(1, each), days: DAYS, score: PLAIN_WORDS })
  }
}
