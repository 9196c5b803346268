/**
 * Which product a negotiation is about. An argument names it, or the supplier offers only one, or it is chosen: of the products that the shop
 * buys from this supplier, or else sells at all, the one whose published price is nearest above the target. A choice is explained to the caller.
 */
import { ToolError } from 'myrmex'
import { toAmount, toCents } from '../../money.ts'
import type { Offer, Product, Shop } from '../../ports.ts'

interface OfferRequest {
  readonly supplier_id: string
  readonly product_id?: string | undefined
  readonly target_price: number
}

interface ChosenOffer {
  readonly product_id: string
  /** a sentence; undefined if there was nothing to choose */
  readonly choice: string | undefined
}

/** Throws UnknownSupplier, NoOffer or AmbiguousProduct. */
export async function chooseOffer(shop: Shop, wanted: OfferRequest): Promise<ChosenOffer> {
  const { supplier_id, product_id } = wanted
  const supplier = await shop.suppliers.supplier(supplier_id)
  if (supplier === undefined)
    throw new ToolError(
      'UnknownSupplier',
      `There is no supplier ${JSON.stringify(supplier_id)}. supplier.find_suppliers returns ids for a product.`,
      { supplier_id },
    )
  const offers = await shop.suppliers.offers({ supplier_id })
  const possible = product_id === undefined ? offers : offers.filter((offer) => offer.product_id === product_id)
  const [only, another] = possible
  if (only === undefined) throw noOffer(supplier_id, product_id, offers)
  if (another === undefined) return { product_id: only.product_id, choice: undefined }
  const chosen = nearestOf(possible, await shop.storefront.products({ status: 'active' }), wanted)
  if (chosen === undefined) throw await severalOffers(shop, supplier_id, possible)
  const { product, count, isLinked } = chosen
  const from = isLinked ? `buys from ${supplier.name}` : `sells and ${supplier.name} offers`
  const group = `that the shop ${from} for the target price or more`
  const why =
    count === 1 ? `it is the only product ${group}` : `of the ${count} products ${group}, its price is the nearest`
  return {
    product_id: product.product_id,
    choice: `Chose ${product.title} (${product.product_id}), because ${why}. For another one, set product_id.`,
  }
}

interface Choice {
  readonly product: Product
  /** how many there were to choose from */
  readonly count: number
  /** the shop buys it from this supplier */
  readonly isLinked: boolean
}

function nearestOf(offers: readonly Offer[], sold: readonly Product[], wanted: OfferRequest): Choice | undefined {
  const target = toCents(wanted.target_price)
  const listPrice = new Map(offers.map(({ product_id, unit }) => [product_id, unit]))
  const priceOf = ({ product_id }: Product): number => listPrice.get(product_id) ?? 0
  const possible = sold.filter((product) => priceOf(product) >= target)
  const linked = possible.filter(({ supplier_id }) => supplier_id === wanted.supplier_id)
  const isLinked = linked.length > 0
  const among = isLinked ? linked : possible
  // Products of the same price are in the order of their SKUs.
  const [product] = among.toSorted((one, other) => priceOf(one) - priceOf(other))
  return product && { product, count: among.length, isLinked }
}

const NAMED = 10

export function noOffer(supplier_id: string, product_id: string | undefined, offers: readonly Offer[]): ToolError {
  const some = offers.slice(0, NAMED).map((offer) => offer.product_id)
  const instead =
    some.length === 0
      ? 'It offers nothing.'
      : `It offers ${some.join(', ')}${offers.length > some.length ? ' and others' : ''}.`
  const what = product_id === undefined ? 'any product' : `the product ${JSON.stringify(product_id)}`
  return new ToolError('NoOffer', `The supplier ${supplier_id} does not offer ${what}. ${instead}`, {
    supplier_id,
    product_id: product_id ?? null,
    offers: some,
  })
}

async function severalOffers(shop: Shop, supplier_id: string, offers: readonly Offer[]): Promise<ToolError> {
  const titles = new Map((await shop.marketplace.listings()).map(({ product_id, title }) => [product_id, title]))
  const named = offers.slice(0, NAMED).map(({ product_id, unit }) => ({
    product_id,
    product_name: titles.get(product_id) ?? product_id,
    list_price: toAmount(unit),
  }))
  const list = named.map((one) => `${one.product_id} (${one.product_name}, ${one.list_price})`).join(', ')
  return new ToolError(
    'AmbiguousProduct',
    `The supplier ${supplier_id} offers ${offers.length} products, and the shop sells none of them that costs the target price or more. Set product_id to one of them, such as ${list}.`,
    { supplier_id, products: named },
  )
}
