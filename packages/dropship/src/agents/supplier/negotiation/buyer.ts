/**
 * A buyer that estimates the supplier's lowest price from its asks. It opens at its target, concedes less each time, and accepts as
 * soon as waiting risks more than it may gain. It never agrees to more than its limit, and leaves if the supplier stays above it.
 */
import type { Cents } from '../../../money.ts'
import type { Bid, BuyerStrategy } from '../../../ports.ts'
import { estimateSupplier } from './estimate-supplier.ts'

export interface BuyerLimits {
  /** first offer */
  readonly opening: Cents
  /** highest acceptable price; above it another supplier is better */
  readonly limit: Cents
  /** the supplier's published price, still available if the talks fail */
  readonly list: Cents
}

/** If the opening moved nothing, it may have offended: the second offer goes this share of the way to the list price. */
const SECOND_OFFER_SHARE = 0.4

export const createBuyer =
  ({ opening, limit, list }: BuyerLimits): BuyerStrategy =>
  (said) => {
    const asks = pricesBy(said, 'supplier')
    const bids = pricesBy(said, 'buyer')
    const ask = asks.at(-1)
    const bid = bids.at(-1)
    if (ask === undefined || bid === undefined) return offers(Math.max(1, Math.min(opening, limit)))
    if (asks.length === 1 && ask >= list) return offers(Math.min(limit, ask, bid + (list - bid) * SECOND_OFFER_SHARE))
    const estimate = estimateSupplier(list, asks)
    // Without a deal the shop can still buy at the list price or elsewhere.
    const fallback = Math.min(limit, list)
    const gain = (1 - estimate.leaveProbability) * (ask - estimate.nextAsk)
    const risk = estimate.leaveProbability * Math.max(0, fallback - ask)
    const next = nextBid(bid, Math.min(estimate.floor, limit), bids.length)
    if (ask <= limit && (ask <= next || gain <= risk)) return accepts(ask)
    if (ask > limit && bid >= limit) return { by: 'buyer', price: bid, says: 'leaves' }
    return offers(Math.min(next, limit, ask))
  }

const pricesBy = (said: readonly Bid[], by: Bid['by']): Cents[] =>
  said.filter((bid) => bid.by === by).map(({ price }) => price)

const offers = (price: Cents): Bid => ({ by: 'buyer', price: Math.round(price), says: 'offers' })
const accepts = (price: Cents): Bid => ({ by: 'buyer', price, says: 'accepts' })

/** Moves towards the estimated floor by a third, a quarter, a fifth and so on, at least by a cent. */
const nextBid = (bid: Cents, towards: Cents, made: number): Cents =>
  Math.max(bid + 1, Math.round(bid + (towards - bid) / (made + 2)))
