/**
 * A player who sees the hidden parameters: which products people want, what each supplier would take and how often it errs, what
 * each platform brings. It buys at the supplier's lowest price, takes the price that earns most, and places every slice of ad money
 * where it brings most. It does not see the dice. An upper mark to measure by, not a rival.
 */

import {
  adOrders,
  type KnownOffer,
  type KnownProduct,
  type ProductTruth,
  productTruth,
  readHiddenWorld,
} from '@myrmex/testing/shop/oracle'
import { addDays } from '../../packages/dropship/src/day.ts'
import type { EmbeddedShop } from '../../packages/dropship/src/embedded/open.ts'
import { PLATFORMS, type Platform } from '../../packages/dropship/src/ports.ts'
import { advertise, launch, stockRoom } from './launch.ts'
import { DAYS, type Player } from './world.ts'

const PERFECT_PAGE = 100
const PERFECT_WORDS = 1
/** Prices it tries, beside the usual one. */
const PRICES = Array.from({ length: 33 }, (_, index) => 0.7 + index * 0.025)
/** Attraction at which half of all visitors come (market/shoppers.ts). */
const HALF_CROWD = 25
/** Ads are laid in slices of this many cents a day, and again every fortnight. */
const SLICE = 100
const FORTNIGHT = 14

interface Best {
  readonly known: KnownProduct
  readonly offer: KnownOffer
  readonly price: number
  readonly truth: ProductTruth
  /** what a visitor is worth */
  readonly value: number
}

interface Running extends Best {
  readonly sku: string
}

export const oracle = (): Player => {
  let running: Running[] = []
  return {
    name: 'oracle',
    async morning(shop, day) {
      if (day === 0) running = await begin(shop)
      if (day % FORTNIGHT === 0) await layAds(shop, running)
    },
  }
}

async function begin(shop: EmbeddedShop): Promise<Running[]> {
  const today = await shop.clock.today()
  const middle = addDays(today, DAYS / 2)
  const found = readHiddenWorld(shop.db).flatMap((known) => bestOf(shop, known, middle) ?? [])
  const chosen = portfolio(found)
  const running: Running[] = []
  for (const best of chosen) {
    const { known, offer, price } = best
    const ware = {
      product_id: known.product_id,
      title: known.title,
      price,
      shipping: offer.shipping,
      page: PERFECT_PAGE,
    }
    const sku = await launch(shop, { ...ware, supplier_id: offer.supplier_id, unit: offer.reserve })
    running.push({ ...best, sku })
  }
  return running
}

/** Of all offers and prices, those at which a visitor is worth most. */
function bestOf({ db }: EmbeddedShop, known: KnownProduct, day: string): Best | undefined {
  const all = known.offers.flatMap((offer) =>
    PRICES.map((ratio) => {
      const price = Math.round(known.price * ratio)
      const truth = productTruth(db, known, offer, price, day, PERFECT_PAGE)
      return { known, offer, price, truth, value: truth.pull * truth.keeps }
    }),
  )
  return all.reduce<Best | undefined>(
    (best, one) => (best === undefined || one.value > best.value ? one : best),
    undefined,
  )
}

/**
 * Visitors come for the whole shop and spread over its products, so a product is worth having as long as its visitors are worth more
 * than what the shop makes of all of them: the best first, until the next one would take more than it brings.
 */
function portfolio(found: readonly Best[]): Best[] {
  const ranked = [...found].sort((a, b) => b.value - a.value)
  let attraction = HALF_CROWD
  let worth = 0
  const chosen: Best[] = []
  for (const best of ranked) {
    if (best.value <= worth / attraction) break
    attraction += best.truth.attraction
    worth += best.truth.attraction * best.value
    chosen.push(best)
  }
  return chosen
}

/** Slice by slice where the next one brings most, as long as it brings more than it costs. */
async function layAds(shop: EmbeddedShop, running: readonly Running[]): Promise<void> {
  const today = await shop.clock.today()
  const middle = addDays(today, FORTNIGHT / 2)
  const places = running.flatMap((best) => {
    const truth = productTruth(shop.db, best.known, best.offer, best.price, middle, PERFECT_PAGE)
    return PLATFORMS.map((platform) => ({ best, truth, platform, spend: 0 }))
  })
  const gain = ({ best, truth, platform, spend }: (typeof places)[number]): number => {
    const orders = (money: number): number => adOrders(best.known, truth, platform, money, middle, PERFECT_WORDS)
    return (orders(spend + SLICE) - orders(spend)) * truth.keeps - SLICE
  }
  for (let left = await stockRoom(shop); left >= SLICE; left -= SLICE) {
    const [next] = [...places].sort((a, b) => gain(b) - gain(a))
    if (next === undefined || gain(next) <= 0) break
    next.spend += SLICE
  }
  for (const { best, platform, spend } of places) {
    if (spend === 0) continue
    const { sku, known } = best
    await advertise(shop, {
      sku,
      title: known.title,
      platform: platform as Platform,
      daily: spend,
      days: FORTNIGHT,
      score: PERFECT_WORDS,
    })
  }
}
