/**
 * A buyer who does not know how low the supplier would go, and reads it from what it says. It opens at its target, gives in by
 * less each time, and takes the offer on the table as soon as waiting risks more than it may bring. It never agrees to more than
 * its limit, and where the supplier stays above that it walks away.
 */
import type { Cents } from '../../../money.ts'
import type { Bid, BuyerStrategy } from '../../../ports.ts'
import { estimateSupplier } from './estimate-supplier.ts'

export interface BuyerLimits {
  /** said first */
  readonly opening: Cents
  /** the most it pays: above that it is better off elsewhere */
  readonly limit: Cents
  /** the supplier's published price, still to be had when talks fail */
  readonly list: Cents
}

/** Of the way to the list price, what an opening that moved nothing is mended by: it may have offended. */
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
    const reading = estimateSupplier(list, asks)
    // Without a deal the shop is back where it was: with the list price, or with what it can have elsewhere.
    const fallback = Math.min(limit, list)
    const hope = (1 - reading.leaveProbability) * (ask - reading.nextAsk)
    const fear = reading.leaveProbability * Math.max(0, fallback - ask)
    const next = nextBid(bid, Math.min(reading.floor, limit), bids.length)
    if (ask <= limit && (ask <= next || hope <= fear)) return accepts(ask)
    if (ask > limit && bid >= limit) return { by: 'buyer', price: bid, says: 'leaves' }
    return offers(Math.min(next, limit, ask))
  }

const pricesBy = (said: readonly Bid[], by: Bid['by']): Cents[] =>
  said.filter((bid) => bid.by === by).map(({ price }) => price)

const offers = (price: Cents): Bid => ({ by: 'buyer', price: Math.round(price), says: 'offers' })
const accepts = (price: Cents): Bid => ({ by: 'buyer', price, says: 'accepts' })

/** Towards where the supplier would end, by a part that shrinks with every bid: a third, a quarter, a fifth. Always by a cent. */
const nextBid = (bid: Cents, towards: Cents, made: number): Cents =>
  Math.max(bid + 1, Math.round(bid + (towards - bid) / (made + 2)))
