/** The supplier and the cost of a unit, by quote or by offer. */
import { ToolError } from 'myrmex'
import type { Cents } from '../../money.ts'
import { unknownQuote } from '../../ports/shop-errors.ts'
import type { NewProduct, Offer, Product, Quote, Shop } from '../../ports.ts'

export interface PurchaseSource extends Pick<Product, 'supplier_id' | 'unit' | 'shipping'> {
  readonly quote_id: string | undefined
}

export const landedCost = ({ unit, shipping }: Pick<PurchaseSource, 'unit' | 'shipping'>): Cents => unit + shipping

/** The quote, if it exists and is still valid. */
export async function requireOpenQuote(shop: Shop, quote_id: string): Promise<Quote> {
  const quote = await shop.suppliers.quote(quote_id)
  if (quote === undefined) throw unknownQuote(quote_id)
  const today = await shop.clock.today()
  if (quote.expires_on < today) {
    throw new ToolError(
      'QuoteExpired',
      `The quote ${quote_id} was valid until ${quote.expires_on}; today is ${today}. Negotiate again, or omit quote_id.`,
      { quote_id, expires_on: quote.expires_on },
    )
  }
  return quote
}

/** The given quote, or the best valid quote, or the best offer. */
export async function choosePurchaseSource(
  shop: Shop,
  product_id: string,
  named: Quote | undefined,
): Promise<PurchaseSource> {
  const offers = await shop.suppliers.offers({ product_id })
  if (named !== undefined && named.product_id !== product_id) {
    throw new ToolError(
      'QuoteOfAnotherProduct',
      `The quote ${named.quote_id} is for the product ${named.product_id}, not for ${product_id}.`,
      { quote_id: named.quote_id, product_id: named.product_id },
    )
  }
  const quotes = named === undefined ? await shop.suppliers.quotes({ product_id }) : [named]
  const quoted = quotes.flatMap((quote) => bySupplier(offers, quote))
  const offered = offers.map(({ supplier, unit, shipping }) => ({
    supplier_id: supplier.supplier_id,
    unit,
    shipping,
    quote_id: undefined,
  }))
  const best = cheapest(quoted) ?? (named === undefined ? cheapest(offered) : undefined)
  if (best === undefined)
    throw new ToolError('NoSupplier', `No supplier offers the product ${product_id} now.`, { product_id })
  return best
}

/** The quote behind a product's unit price, also for a repeated call; undefined for a list price. */
export async function quoteUsed(
  shop: Shop,
  { product_id, supplier_id, unit }: NewProduct,
  named: string | undefined,
): Promise<string | undefined> {
  if (named !== undefined) return named
  const quotes = await shop.suppliers.quotes({ product_id })
  return quotes.find((quote) => quote.supplier_id === supplier_id && quote.unit === unit)?.quote_id
}

/** A quote fixes the unit price; shipping is that of the supplier's offer. */
const bySupplier = (offers: readonly Offer[], { quote_id, supplier_id, unit }: Quote): PurchaseSource[] =>
  offers
    .filter(({ supplier }) => supplier.supplier_id === supplier_id)
    .map(({ shipping }) => ({ supplier_id, unit, shipping, quote_id }))

const cheapest = (sources: readonly PurchaseSource[]): PurchaseSource | undefined =>
  sources.toSorted((a, b) => landedCost(a) - landedCost(b))[0]
