/**
 * Weighs all offers for a product: the landed cost of each, at the price of an open quote if there is one, and the profit of an order.
 * Changes nothing.
 */
import { ToolError } from 'myrmex'
import type { Cents } from '../../../money.ts'
import type { Listing, Offer, Quote, Shop } from '../../../ports.ts'
import { type LandedCost, landedCost, priorsOf } from './landed-cost.ts'
import { netOfSale, waitingShare } from './sale.ts'

export interface WeighedOffer extends LandedCost {
  /** an agreed price that is lower than the published one */
  readonly quote: Quote | undefined
  /** the published price; `offer.unit` is the one to pay */
  readonly list: Cents
  /** per sale at the market price, after fee and all costs */
  readonly margin: Cents
  /** the margin times the share of buyers who accept the wait; offers are ranked by it */
  readonly worth: number
}

export async function listingOf(shop: Shop, product_id: string): Promise<Listing> {
  const [listing] = await shop.marketplace.listings({ product_id })
  if (listing !== undefined) return listing
  throw new ToolError(
    'UnknownProduct',
    `The marketplace has no product ${JSON.stringify(product_id)}. product_research.find_winning_products returns known ids.`,
    { product_id },
  )
}

/** Best first, including offers without stock. */
export const weighOffers = async (shop: Shop, listing: Listing): Promise<readonly WeighedOffer[]> =>
  (await weighAll(shop, [listing])).get(listing.product_id) ?? []

/** The same for many products at once. */
export async function weighAll(
  shop: Shop,
  listings: readonly Listing[],
): Promise<ReadonlyMap<string, readonly WeighedOffer[]>> {
  const [all, quotes] = await Promise.all([shop.suppliers.offers({}), shop.suppliers.quotes({})])
  const priors = priorsOf(all.map(({ supplier }) => supplier))
  const byProduct = Map.groupBy(all, ({ product_id }) => product_id)
  return new Map(
    listings.map(({ product_id, price }) => {
      const weighed = (byProduct.get(product_id) ?? []).map((offer): WeighedOffer => {
        const quote = bestQuote(quotes, offer)
        const landed = landedCost(quote === undefined ? offer : { ...offer, unit: quote.unit }, price, priors)
        const margin = Math.round(netOfSale(price) - landed.landed)
        return { ...landed, quote, list: offer.unit, margin, worth: worthOf(margin, offer.lead_days) }
      })
      return [product_id, weighed.sort((a, b) => b.worth - a.worth || (a.supplier_id < b.supplier_id ? -1 : 1))]
    }),
  )
}

/** Waiting does not make a loss smaller. */
const worthOf = (margin: Cents, lead_days: number): number => (margin > 0 ? margin * waitingShare(lead_days) : margin)

const bestQuote = (quotes: readonly Quote[], { supplier, unit, product_id }: Offer): Quote | undefined =>
  quotes
    .filter(
      (quote) => quote.product_id === product_id && quote.supplier_id === supplier.supplier_id && quote.unit < unit,
    )
    .sort((a, b) => a.unit - b.unit)[0]
