/**
 * The target and the limit of a negotiation. Both come from the other offers for the same product: their spread shows how much prices
 * vary, and the best of them is the alternative.
 */
import { median, medianAbsoluteDeviation } from 'simple-statistics'
import type { Cents } from '../../../money.ts'
import { netOfSale, waitingShare } from '../offers/sale.ts'
import type { WeighedOffer } from '../offers/weigh-offers.ts'

/** For a single offer: the usual spread of prices of one product on wholesale marketplaces, as a share. */
const SPREAD_UNKNOWN = 0.12
/** An opening below 65 % of the list price is not taken seriously; above 95 % there is nothing to gain. */
const LOWEST_PART = 0.65
const HIGHEST_PART = 0.95

/** Spread of unit prices around their median, as a share; robust against outliers. */
export function spreadOf(units: readonly Cents[]): number {
  if (units.length < 2) return SPREAD_UNKNOWN
  const middle = median([...units])
  const spread = medianAbsoluteDeviation([...units]) * 1.4826
  return spread > 0 ? spread / middle : (Math.max(...units) - Math.min(...units)) / middle
}

/**
 * The unit price at which an order from this supplier earns as much as one from the best other supplier, including the wait; undefined
 * without another supplier. `price` is what customers pay.
 */
export function parityPrice(own: WeighedOffer, all: readonly WeighedOffer[], price: Cents): Cents | undefined {
  const others = all.filter(({ supplier_id }) => supplier_id !== own.supplier_id)
  if (others.length === 0) return undefined
  const worth = Math.max(...others.map((other) => other.worth))
  const margin = worth > 0 ? worth / waitingShare(own.lead_days) : worth
  return Math.floor(netOfSale(price) - margin - own.offer.shipping - own.risk)
}

/** Two spreads below the offer and the best alternative: an opening, not the final price. */
export function targetPrice(own: WeighedOffer, all: readonly WeighedOffer[], price: Cents): Cents {
  const { unit } = own.offer
  const spread = Math.max(spreadOf(all.map(({ offer }) => offer.unit)), SPREAD_UNKNOWN / 2)
  const from = Math.min(unit, parityPrice(own, all, price) ?? unit)
  return Math.round(Math.min(unit * HIGHEST_PART, Math.max(unit * LOWEST_PART, from * (1 - 2 * spread))))
}

export interface PriceLimit {
  readonly price: Cents
  /** why not more, as part of a sentence */
  readonly because: string
}

/** The highest acceptable unit price: the lowest of list price, open quote, best alternative and break-even. */
export function priceLimit(own: WeighedOffer, all: readonly WeighedOffer[], price: Cents): PriceLimit {
  const parity = parityPrice(own, all, price)
  const limits: PriceLimit[] = [
    { price: own.list, because: 'that is the published price' },
    ...(own.quote === undefined ? [] : [{ price: own.quote.unit - 1, because: 'an open quote is only a cent higher' }]),
    ...(parity === undefined ? [] : [{ price: parity, because: 'another supplier is better above that' }]),
    {
      price: Math.floor(netOfSale(price) - own.offer.shipping - own.risk),
      because: 'nothing is earned at the market price above that',
    },
  ]
  return limits.reduce((lowest, limit) => (limit.price < lowest.price ? limit : lowest))
}
