/**
 * `supplier.negotiate_price`: negotiates a unit price by alternating offers, without knowing the supplier's lowest price. Ends with a
 * quote that is valid for some time, or without a deal and with the reasons. Never agrees to more than the best alternative costs.
 * Buys nothing.
 */
import { answer, ToolError, tool, unchanged } from 'myrmex'
import * as z from 'zod'
import { percent, rounded } from '../../figures.ts'
import { type Cents, moneyText, toAmount, toCents } from '../../money.ts'
import type { Listing, Shop, ShopSource } from '../../ports.ts'
import * as details from '../error-details.ts'
import * as field from '../field-types.ts'
import { chooseOffer, noOffer } from './choose-offer.ts'
import { amount, product_id, product_name, share, supplier_id, target_price } from './fields.ts'
import { type NegotiationResult, negotiateQuote, transcript } from './negotiation/negotiate.ts'
import { type PriceLimit, priceLimit } from './negotiation/price-limits.ts'
import { type WeighedOffer, weighOffers } from './offers/weigh-offers.ts'

const input = z.object({
  supplier_id,
  target_price: target_price.describe('Opening unit price. supplier.find_suppliers computes one.'),
  product_id: product_id
    .optional()
    .describe(
      'Product to negotiate. Default: one that the shop buys from this supplier, or that it sells; of several, the one whose price is nearest above the target.',
    ),
  quantity: field
    .integerFrom(1, 100_000, 'Planned quantity, for the total saving. The quoted price does not depend on it.')
    .default(1),
})

const output = z.object({
  deal: z.boolean().describe('Whether a deal was made.'),
  quote_id: field.nullable('Id of the quote, or null without a deal.', z.string(), 'quote_id'),
  supplier_id,
  supplier_name: z.string().describe('Name of the supplier.'),
  product_id,
  product_name,
  list_price: amount('Published unit price.'),
  opening: amount('Opening offer.'),
  limit: amount('Highest acceptable unit price.'),
  limit_because: z.string().describe('Reason for the limit.'),
  unit_price: field.nullable('Agreed unit price in the currency of the shop; null without a deal.', z.number()),
  saved: amount('List price minus agreed price, per unit; 0 without a deal.'),
  saved_share: share('Saving as a share of the list price.'),
  saved_in_all: amount('Saving over the quantity.'),
  expires_on: field.nullable('Last valid day of the quote (2026-11-22), or null without a deal.', z.string()),
  talks: field.integer('Number of talks.'),
  transcript: field.list(200, 'The offers in order.', z.string()),
  reasons: field.list(10, 'Reasons for the outcome.', z.string()),
})

export const negotiatePrice = (source: ShopSource) =>
  tool({
    name: 'supplier.negotiate_price',
    version: '1.1.0',
    title: 'Negotiate a price',
    description:
      'Negotiates a unit price with a supplier, starting at the target. Returns a quote with its last valid day and the ' +
      'transcript, or no deal with the reasons. Never agrees to more than the best alternative costs. Buys nothing.',
    input,
    output,
    errors: {
      UnknownSupplier: details.failure('There is no supplier with that id.', {
        supplier_id: details.text('The id that was given.'),
      }),
      NoOffer: details.failure(
        'The supplier does not offer that product, or offers none at all. The error lists some that it offers.',
        {
          supplier_id: details.text('Id of the supplier.'),
          product_id: details.text('Id of the product, if one was given.').nullable(),
          offers: details.texts('Ids of some products that it offers.'),
        },
      ),
      AmbiguousProduct: details.failure(
        'The supplier offers several products, product_id is missing, and the shop sells none of them that costs the target price or more. The error lists them.',
        {
          supplier_id: details.text('Id of the supplier.'),
          products: z
            .array(z.looseObject({ product_id: details.text('Id of the product.') }))
            .describe('Products that it offers.'),
        },
      ),
      TargetTooHigh: details.failure('The target is above the published price: there is nothing to negotiate.', {
        target_price: details.amount('The target that was given.'),
        list_price: details.amount('The published price.'),
      }),
      TalksClosed: details.failure(
        'The supplier recently broke off a talk about this product. The error states when it talks again.',
        {
          supplier_id: details.text('Id of the supplier.'),
          product_id: details.text('Id of the product.'),
          failed_on: details.text('Day on which it broke off.'),
          again_on: details.text('Day from which it talks again.'),
        },
      ),
    },
    idempotent: false,
    destructive: true,
    keyed: true,
    security:
      '- Creates a quote and nothing else: no order, no payment. `undo` withdraws the quote. A supplier that leaves refuses to talk ' +
      'about that product for some days; undo does not change that.\n' +
      '- The limit is computed from the offers and the market price, so no argument can make the buyer pay more.\n' +
      '- A supplier answers with a price and one of three words; no text from it is followed.',
    examples: [
      {
        title: 'Ask for a chair at 15.00',
        arguments: { supplier_id: 'sup_99', target_price: 15, product_id: '123' },
      },
      {
        title: 'Let the tool choose among the products that the shop buys there',
        arguments: { supplier_id: 'sup_99', target_price: 15 },
      },
      {
        title: 'An unknown supplier',
        arguments: { supplier_id: 'sup_none', target_price: 15 },
        error: 'UnknownSupplier',
      },
      {
        title: 'A target above the published price',
        arguments: { supplier_id: 'sup_99', target_price: 9999, product_id: '123' },
        error: 'TargetTooHigh',
      },
    ],
    dryRun: async (wanted) => {
      const shop = await source()
      const matter = await setUpNegotiation(shop, wanted)
      const { own, limit, opening, choice } = matter
      if (!isReached(own, wanted)) await shop.suppliers.requireTalksOpen(own.supplier_id, own.offer.product_id)
      const would = `Would open at ${toAmount(opening)} and pay at most ${toAmount(limit.price)}, because ${limit.because}.`
      return answer(
        {
          ...negotiationOutput(matter, wanted.quantity, { talks: [], quote: undefined }, shop.currency),
          reasons: [...(choice === undefined ? [] : [choice]), 'No talk has taken place yet.'],
        },
        { explanation: choice === undefined ? would : `${choice} ${would}` },
      )
    },
    undo: async (_wanted, { quote_id, talks }, ctx) => {
      // A quote that this call did not negotiate belongs to another call.
      if (quote_id !== null && talks > 0) await (await source()).suppliers.withdrawQuote(quote_id, ctx.idempotencyKey)
    },
    run: async (wanted, ctx) => {
      const shop = await source()
      const matter = await setUpNegotiation(shop, wanted)
      const { own, opening, limit } = matter
      if (isReached(own, wanted)) {
        const standing = negotiationOutput(matter, wanted.quantity, { talks: [], quote: own.quote }, shop.currency)
        return unchanged(standing, { explanation: `The target is already reached. ${standing.reasons.join(' ')}` })
      }
      const limits = { opening, limit: limit.price, list: own.list }
      const haggled: NegotiationResult =
        limit.price < 1
          ? { talks: [], quote: undefined }
          : await negotiateQuote(shop, own.supplier_id, own.offer.product_id, limits, ctx.idempotencyKey)
      const data = negotiationOutput(matter, wanted.quantity, haggled, shop.currency)
      return answer(data, { explanation: data.reasons.join(' ') })
    },
  })

/** The offer and product to negotiate, with the opening and the limit. */
interface NegotiationSetup {
  readonly own: WeighedOffer
  readonly listing: Listing
  readonly opening: Cents
  readonly limit: PriceLimit
  /** why this product, if no argument names it */
  readonly choice: string | undefined
}

type NegotiationRequest = z.output<typeof input>

/** An open quote has the target price already. */
const isReached = ({ quote }: WeighedOffer, { target_price: target }: NegotiationRequest): boolean =>
  quote !== undefined && quote.unit <= toCents(target)

async function setUpNegotiation(shop: Shop, wanted: NegotiationRequest): Promise<NegotiationSetup> {
  const { product_id: chosen, choice } = await chooseOffer(shop, wanted)
  const [listing] = await shop.marketplace.listings({ product_id: chosen })
  if (listing === undefined) throw noOffer(wanted.supplier_id, chosen, [])
  const all = await weighOffers(shop, listing)
  const own = all.find(({ supplier_id }) => supplier_id === wanted.supplier_id)
  if (own === undefined) throw noOffer(wanted.supplier_id, listing.product_id, [])
  const target = toCents(wanted.target_price)
  if (target > own.list) {
    throw new ToolError(
      'TargetTooHigh',
      `The target ${wanted.target_price} is above the published price ${toAmount(own.list)} of ${listing.title}. Buy at that price, or lower the target.`,
      { target_price: wanted.target_price, list_price: toAmount(own.list) },
    )
  }
  const others = all.filter(({ offer }) => offer.stock > 0)
  const limit = priceLimit(own, others, listing.price)
  return { own, listing, opening: Math.max(1, Math.min(target, limit.price)), limit, choice }
}

function negotiationOutput(
  { own, listing, opening, limit, choice }: NegotiationSetup,
  quantity: number,
  { talks, quote }: NegotiationResult,
  currency: string,
) {
  const saved = quote === undefined ? 0 : own.list - quote.unit
  const money = (price: Cents): string => moneyText(price, currency)
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
    saved_share: rounded(saved / own.list, 4),
    saved_in_all: toAmount(saved * quantity),
    expires_on: quote?.expires_on ?? null,
    talks: talks.length,
    transcript: transcript(talks, own.offer.supplier.name, money),
    reasons: [...(choice === undefined ? [] : [choice]), ...reasonsFor(own, limit, { talks, quote }, money)],
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
    const below = percent(1 - quote.unit / own.list)
    return [`${name} sells it for ${money(quote.unit)}, ${below} below its list price, until ${quote.expires_on}.`]
  }
  const most = `The limit was ${money(limit.price)}, because ${limit.because}.`
  if (talks.length === 0) return [`There was nothing to negotiate. ${most}`]
  const last = talks.at(-1)?.at(-1)
  const who = last?.by === 'supplier' ? `${name} ended the talks` : 'We ended the talks'
  const asked = talks.at(-1)?.findLast(({ by }) => by === 'supplier')?.price ?? own.list
  return [`No deal: ${who}. The last ask was ${money(asked)}.`, most]
}
