/**
 * `supplier.negotiate_price`: haggles over the price of a piece, by alternating offers and without knowing the supplier's lowest
 * price. Ends with a quote that holds for some time, or with an honest "no deal" and why. It never agrees to more than the best
 * alternative costs. Nothing is bought.
 */
import { answer, ToolError, tool, unchanged } from 'myrmex'
import * as z from 'zod'
import { type Cents, toAmount, toCents } from '../../money.ts'
import type { Listing, Offer, Shop, ShopSource } from '../../ports.ts'
import { amount, product_id, product_name, share, supplier_id, target_price } from './fields.ts'
import { type NegotiationResult, negotiateQuote, transcript } from './negotiation/negotiate.ts'
import { type PriceLimit, priceLimit } from './negotiation/price-limits.ts'
import { type WeighedOffer, weighOffers } from './offers/weigh-offers.ts'

const input = z.object({
  supplier_id,
  target_price: target_price.describe('Price of a piece to open with. supplier.find_suppliers computes one.'),
  product_id: product_id.optional().describe('What to talk about. Needed where the supplier offers several products.'),
  quantity: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(1)
    .describe('Pieces meant to be bought, to tell what is saved in all. Suppliers do not bind a price to it.'),
})

const output = z.object({
  deal: z.boolean().describe('Whether both agreed.'),
  quote_id: z
    .string()
    .nullable()
    .meta({ type_id: 'quote_id', description: 'Id of the quote, or null without a deal.' }),
  supplier_id,
  supplier_name: z.string().describe('Name of the supplier.'),
  product_id,
  product_name,
  list_price: amount('Published price of a piece.'),
  opening: amount('What was, or would be, offered first.'),
  limit: amount('Most that was, or would be, paid for a piece.'),
  limit_because: z.string().describe('Why not more.'),
  unit_price: z
    .number()
    .nullable()
    .describe('Agreed price of a piece in the currency of the shop; null without a deal.'),
  saved: amount('List price less agreed price, for a piece; 0 without a deal.'),
  saved_share: share('The same as a share of the list price.'),
  saved_in_all: amount('Saved over the quantity.'),
  expires_on: z.string().nullable().describe('Last day the quote holds (2026-11-22), or null without a deal.'),
  talks: z.number().int().describe('How many times the two sat together.'),
  transcript: z.array(z.string()).max(200).describe('What was said, in order.'),
  reasons: z.array(z.string()).max(10).describe('Why it ended as it did.'),
})

export const negotiatePrice = (source: ShopSource) =>
  tool({
    name: 'supplier.negotiate_price',
    version: '1.0.0',
    title: 'Negotiate a price',
    description:
      'Haggles with a supplier over the price of a piece, starting at the target. Gives a quote with its last day and the ' +
      'transcript, or "no deal" with the reasons. Never agrees to more than the best alternative costs. Buys nothing.',
    input,
    output,
    errors: {
      UnknownSupplier: 'There is no supplier of that id.',
      NoOffer: 'The supplier does not offer that product, or offers none at all. The error names some that it offers.',
      AmbiguousProduct: 'The supplier offers several products and product_id is missing. The error names them.',
      TargetTooHigh: 'The target is above the published price: there is nothing to negotiate.',
      TalksClosed:
        'The supplier broke off a talk about this product some days ago. The error says from when on it talks again.',
    },
    idempotent: false,
    destructive: true,
    keyed: true,
    security:
      '- Makes a quote and nothing else: no order, no payment. `undo` takes the quote back. A supplier that leaves the table does not ' +
      'talk about that product for some days; undo does not change that.\n' +
      '- The limit is computed here from the offers and the market price, so no argument can talk the buyer into paying more.\n' +
      '- What a supplier says is a price and one of three words; no text of its is followed.',
    examples: [
      {
        title: 'Ask for a chair at 15.00',
        arguments: { supplier_id: 'sup_99', target_price: 15, product_id: '123' },
      },
      {
        title: 'Nobody of that id',
        arguments: { supplier_id: 'sup_none', target_price: 15 },
        error: 'UnknownSupplier',
      },
      {
        title: 'More than the published price',
        arguments: { supplier_id: 'sup_99', target_price: 9999, product_id: '123' },
        error: 'TargetTooHigh',
      },
    ],
    dryRun: async (wanted) => {
      const shop = await source()
      const matter = await setUpNegotiation(shop, wanted)
      const { limit, opening } = matter
      return answer(
        {
          ...negotiationOutput(matter, wanted.quantity, { talks: [], quote: undefined }, shop.currency),
          reasons: ['Nothing was said yet.'],
        },
        {
          explanation: `Would open at ${toAmount(opening)} and pay at most ${toAmount(limit.price)}: ${limit.because}.`,
        },
      )
    },
    undo: async (_wanted, { quote_id, talks }, ctx) => {
      // A quote that no talk of this call brought about is somebody else's.
      if (quote_id !== null && talks > 0) await (await source()).suppliers.withdrawQuote(quote_id, ctx.idempotencyKey)
    },
    run: async (wanted, ctx) => {
      const shop = await source()
      const matter = await setUpNegotiation(shop, wanted)
      const { own, opening, limit } = matter
      if (own.quote !== undefined && own.quote.unit <= toCents(wanted.target_price)) {
        const standing = negotiationOutput(matter, wanted.quantity, { talks: [], quote: own.quote }, shop.currency)
        return unchanged(standing, { explanation: `The target is reached already. ${standing.reasons.join(' ')}` })
      }
      const stance = { opening, limit: limit.price, list: own.list }
      const haggled: NegotiationResult =
        limit.price < 1
          ? { talks: [], quote: undefined }
          : await negotiateQuote(shop, own.supplier_id, own.offer.product_id, stance, ctx.idempotencyKey)
      const data = negotiationOutput(matter, wanted.quantity, haggled, shop.currency)
      return answer(data, { explanation: data.reasons.join(' ') })
    },
  })

/** What the talk is about, and how the buyer goes into it. */
interface NegotiationSetup {
  readonly own: WeighedOffer
  readonly listing: Listing
  readonly opening: Cents
  readonly limit: PriceLimit
}

interface NegotiationRequest {
  readonly supplier_id: string
  readonly target_price: number
  readonly product_id?: string | undefined
}

async function setUpNegotiation(shop: Shop, wanted: NegotiationRequest): Promise<NegotiationSetup> {
  const listing = await productOf(shop, wanted)
  const all = await weighOffers(shop, listing)
  const own = all.find(({ supplier_id }) => supplier_id === wanted.supplier_id)
  if (own === undefined) throw noOffer(wanted.supplier_id, listing.product_id, [])
  const target = toCents(wanted.target_price)
  if (target > own.list) {
    throw new ToolError(
      'TargetTooHigh',
      `The target ${wanted.target_price} is above the published price ${toAmount(own.list)} of ${listing.title}. Buy at that price, or aim lower.`,
      { target_price: wanted.target_price, list_price: toAmount(own.list) },
    )
  }
  const others = all.filter(({ offer }) => offer.stock > 0)
  const limit = priceLimit(own, others, listing.price)
  return { own, listing, opening: Math.max(1, Math.min(target, limit.price)), limit }
}

const NAMED = 10

async function productOf(shop: Shop, { supplier_id, product_id }: NegotiationRequest): Promise<Listing> {
  if ((await shop.suppliers.supplier(supplier_id)) === undefined) {
    throw new ToolError(
      'UnknownSupplier',
      `There is no supplier ${JSON.stringify(supplier_id)}. supplier.find_suppliers gives ids for a product.`,
      { supplier_id },
    )
  }
  const offers = await shop.suppliers.offers({ supplier_id })
  const wanted = product_id === undefined ? offers : offers.filter((offer) => offer.product_id === product_id)
  const [only] = wanted
  if (only === undefined) throw noOffer(supplier_id, product_id, offers)
  if (wanted.length > 1) throw await severalOffers(shop, supplier_id, wanted)
  const [listing] = await shop.marketplace.listings({ product_id: only.product_id })
  if (listing === undefined) throw noOffer(supplier_id, product_id, offers)
  return listing
}

function noOffer(supplier_id: string, product_id: string | undefined, offers: readonly Offer[]): ToolError {
  const some = offers.slice(0, NAMED).map((offer) => offer.product_id)
  const instead = some.length === 0 ? 'It offers nothing.' : `Among others it offers ${some.join(', ')}.`
  const what = product_id === undefined ? 'any product' : `the product ${JSON.stringify(product_id)}`
  return new ToolError('NoOffer', `The supplier ${supplier_id} does not offer ${what}. ${instead}`, {
    supplier_id,
    product_id: product_id ?? null,
    offers: some,
  })
}

async function severalOffers(shop: Shop, supplier_id: string, offers: readonly Offer[]): Promise<ToolError> {
  const ids = new Set(offers.map((offer) => offer.product_id))
  const listings = (await shop.marketplace.listings()).filter((listing) => ids.has(listing.product_id))
  const named = listings.slice(0, NAMED).map(({ product_id, title }) => ({ product_id, product_name: title }))
  return new ToolError(
    'AmbiguousProduct',
    `The supplier ${supplier_id} offers ${offers.length} products. Say which by product_id: ${named
      .map((one) => `${one.product_id} (${one.product_name})`)
      .join(', ')}.`,
    { supplier_id, products: named },
  )
}

function negotiationOutput(
  { own, listing, opening, limit }: NegotiationSetup,
  quantity: number,
  { talks, quote }: NegotiationResult,
  currency: string,
) {
  const saved = quote === undefined ? 0 : own.list - quote.unit
  const money = (price: Cents): string => `${toAmount(price).toFixed(2)} ${currency}`
  return {
    deal: quote !== undefined,
    quote_id: quote?.quote_id ?? null,
    supplier_id: own.supplier_id,
    supplier_name: own.offer.supplier.name,
    product_id: listing.product_id,
    product_name: listing.title,
    list_price: toAmount(own.list),
    opening: toAmount(opening),
    limit: toAmount(limit.price),
    limit_because: limit.because,
    unit_price: quote === undefined ? null : toAmount(quote.unit),
    saved: toAmount(saved),
    saved_share: Number((saved / own.list).toFixed(4)),
    saved_in_all: toAmount(saved * quantity),
    expires_on: quote?.expires_on ?? null,
    talks: talks.length,
    transcript: transcript(talks, own.offer.supplier.name, money),
    reasons: reasonsFor(own, limit, { talks, quote }, money),
  }
}

function reasonsFor(
  own: WeighedOffer,
  limit: PriceLimit,
  { talks, quote }: NegotiationResult,
  money: (price: Cents) => string,
): string[] {
  const { name } = own.offer.supplier
  if (quote !== undefined) {
    const less = Math.round((1 - quote.unit / own.list) * 100)
    return [`${name} gives it for ${money(quote.unit)}, ${less} % below its list price, until ${quote.expires_on}.`]
  }
  const most = `At most ${money(limit.price)} was to be paid: ${limit.because}.`
  if (talks.length === 0) return [`There was nothing to talk about. ${most}`]
  const last = talks.at(-1)?.at(-1)
  const who = last?.by === 'supplier' ? `${name} left the table` : 'We left the table'
  const asked = talks.at(-1)?.findLast(({ by }) => by === 'supplier')?.price ?? own.list
  return [`No deal: ${who}; it last asked for ${money(asked)}.`, most]
}
