/**
 * All offers for a product, weighed: what each costs all in, at the price of an open quote where there is one, and what an order
 * brings with it. Read only.
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
  /** left of a sale at the market's price, after fee and all costs */
  readonly margin: Cents
  /** the margin, times the share of buyers who accept the wait: what the offers are ranked by */
  readonly worth: number
}

export async function listingOf(shop: Shop, product_id: string): Promise<Listing> {
  const [listing] = await shop.marketplace.listings({ product_id })
  if (listing !== undefined) return listing
  throw new ToolError(
    'UnknownProduct',
    `The marketplace has no product ${JSON.stringify(product_id)}. product_research.find_winning_products gives ids that it has.`,
    { product_id },
  )
}

/** Best first. Offers that have nothing in stock are among them. */
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

/** A loss is no smaller for coming late. */
const worthOf = (margin: Cents, lead_days: number): number => (margin > 0 ? margin * waitingShare(lead_days) : margin)

const bestQuote = (quotes: readonly Quote[], { supplier, unit, product_id }: Offer): Quote | undefined =>
  quotes
    .filter(
      (quote) => quote.product_id === product_id && quote.supplier_id === supplier.supplier_id && quote.unit < unit,
    )
    .reduce<Quote | undefined>(
      (best, quote) => (best !== undefined && best.unit <= quote.unit ? best : quote),
      undefined,
    )
