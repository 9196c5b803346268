/**
 * What to ask a supplier for, and what to pay it at most. Both come from the other offers for the same product: their spread shows
 * how far prices for it are from settled, and the best of them is what the shop can have elsewhere.
 */
import { median } from 'simple-statistics'
import type { Cents } from '../../../money.ts'
import { netOfSale, waitingShare } from '../offers/sale.ts'
import type { WeighedOffer } from '../offers/weigh-offers.ts'

/** Where a single offer shows no spread: what prices of one product differ by on wholesale marketplaces, as a share. */
const SPREAD_UNKNOWN = 0.12
/** Below 65 % of the list price an opening is taken for no interest; above nineteen twentieths there is nothing to win. */
const LOWEST_PART = 0.65
const HIGHEST_PART = 0.95

/** How much unit prices differ around their middle, as a share: robust, so that one fantasy price does not count. */
export function spreadOf(units: readonly Cents[]): number {
  if (units.length < 2) return SPREAD_UNKNOWN
  const middle = median([...units])
  const around = median(units.map((unit) => Math.abs(unit - middle))) * 1.4826
  return around > 0 ? around / middle : (Math.max(...units) - Math.min(...units)) / middle
}

/**
 * The unit price at which an order from this supplier brings as much as one from the best of the others, waiting counted; undefined
 * where there is no other. `price` is what customers pay.
 */
export function parityPrice(own: WeighedOffer, all: readonly WeighedOffer[], price: Cents): Cents | undefined {
  const others = all.filter(({ supplier_id }) => supplier_id !== own.supplier_id)
  if (others.length === 0) return undefined
  const worth = Math.max(...others.map((other) => other.worth))
  const margin = worth > 0 ? worth / waitingShare(own.lead_days) : worth
  return Math.floor(netOfSale(price) - margin - own.offer.shipping - own.risk)
}

/** Two spreads below what is offered, and below what others would do: first words, not last ones. */
export function targetPrice(own: WeighedOffer, all: readonly WeighedOffer[], price: Cents): Cents {
  const { unit } = own.offer
  const spread = Math.max(spreadOf(all.map(({ offer }) => offer.unit)), SPREAD_UNKNOWN / 2)
  const from = Math.min(unit, parityPrice(own, all, price) ?? unit)
  return Math.round(Math.min(unit * HIGHEST_PART, Math.max(unit * LOWEST_PART, from * (1 - 2 * spread))))
}

export interface PriceLimit {
  readonly price: Cents
  /** why not more, as a sentence */
  readonly because: string
}

/** The most to pay for a piece: the best alternative, what the margin bears, and never more than anybody pays. */
export function priceLimit(own: WeighedOffer, all: readonly WeighedOffer[], price: Cents): PriceLimit {
  const parity = parityPrice(own, all, price)
  const limits: PriceLimit[] = [
    { price: own.list, because: 'that is the published price' },
    ...(own.quote === undefined ? [] : [{ price: own.quote.unit - 1, because: 'a quote for a cent more is in hand' }]),
    ...(parity === undefined ? [] : [{ price: parity, because: 'above that another supplier is better' }]),
    {
      price: Math.floor(netOfSale(price) - own.offer.shipping - own.risk),
      because: 'above that nothing is earned at the market price',
    },
  ]
  return limits.reduce((lowest, limit) => (limit.price < lowest.price ? limit : lowest))
}
