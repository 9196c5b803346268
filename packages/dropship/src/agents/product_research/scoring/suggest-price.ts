/**
 * The suggested price: the one that earns most per visitor, given the elasticity, within the middle half of the sellers' prices. Prices
 * beyond that are untested, and rivals follow a seller who undercuts them. Never below the cost of the sale.
 */
import { quantile } from 'simple-statistics'
import type { Cents } from '../../../money.ts'
import type { SellerShare } from '../../../ports.ts'
import { breakEven, netOfSale } from '../../supplier/offers/sale.ts'
import type { Elasticity } from '../statistics/elasticity.ts'

export interface SuggestedPrice {
  readonly price: Cents
  /** buyers at this price relative to the market price */
  readonly demandFactor: number
  readonly band: { readonly low: Cents; readonly high: Cents }
  /** the lowest price that covers cost and fee */
  readonly floor: Cents
}

/** With fewer than four sellers: this share to either side of the market price. */
const NARROW = 0.05
const STEPS = 40

export function suggestPrice(
  market: Cents,
  sellers: readonly SellerShare[],
  { landed }: { readonly landed: Cents },
  { value: elasticity }: Elasticity,
): SuggestedPrice {
  const floor = breakEven(landed)
  const band = bandOf(market, sellers)
  const low = Math.max(band.low, floor)
  const high = Math.max(band.high, floor)
  let best = { price: high, earns: -Infinity }
  for (let step = 0; step <= STEPS; step++) {
    const price = endingIn90(low + ((high - low) * step) / STEPS, low)
    const earns = (price / market) ** elasticity * (netOfSale(price) - landed)
    if (earns > best.earns) best = { price, earns }
  }
  return { price: best.price, demandFactor: (best.price / market) ** elasticity, band, floor }
}

function bandOf(market: Cents, sellers: readonly SellerShare[]): SuggestedPrice['band'] {
  const prices = sellers.map(({ price }) => price)
  if (prices.length < 4) return { low: Math.round(market * (1 - NARROW)), high: Math.round(market * (1 + NARROW)) }
  return { low: Math.round(quantile(prices, 0.25)), high: Math.round(quantile(prices, 0.75)) }
}

/** Ends in 90 cents if the band has such a price nearby, as shoppers are used to. */
function endingIn90(price: number, floor: Cents): Cents {
  const down = Math.floor((price + 10) / 100) * 100 - 10
  if (down >= floor) return down
  return down + 100 <= price * 1.02 ? down + 100 : Math.ceil(price)
}
