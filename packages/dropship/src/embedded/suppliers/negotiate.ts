/**
 * A negotiation between a buyer and a supplier: alternating offers, the buyer first, until one accepts or leaves. All bids are
 * stored. A deal becomes a quote. After a failed negotiation the supplier does not negotiate again for some days.
 */
import { ToolError } from 'myrmex'
import { addDays } from '../../day.ts'
import { nextId } from '../../market/statements.ts'
import { QUOTE_DAYS, supplierReply, TALKS_CLOSED_DAYS } from '../../market/suppliers/bargain.ts'
import { readHiddenOffer } from '../../market/world/hidden-parameters.ts'
import { unknownOffer } from '../../ports/shop-errors.ts'
import type { Bid, BuyerStrategy, Negotiation, Quote } from '../../ports.ts'
import type { Store } from '../database/store.ts'

/** After this many bids of each side the supplier leaves. */
const MAX_ROUNDS = 12

export function negotiate(store: Store, supplier_id: string, product_id: string, buyer: BuyerStrategy): Negotiation {
  const hidden = readHiddenOffer(store.db, supplier_id, product_id)
  if (hidden === undefined) throw unknownOffer(supplier_id, product_id)
  requireTalksOpen(store, supplier_id, product_id)
  const { said, price } = exchangeBids(buyer, (so_far) => supplierReply(hidden, so_far))
  const quote = price === undefined ? undefined : saveQuote(store, supplier_id, product_id, price)
  const result = { said: JSON.stringify(said), quote_id: quote?.quote_id ?? null }
  store.insert('talks', { supplier_id, product_id, day: store.today(), ...result })
  return { said, quote }
}

/** Throws TalksClosed. */
export function requireTalksOpen(store: Store, supplier_id: string, product_id: string): void {
  const failed = store.first(
    store.kysely
      .selectFrom('talks')
      .select((eb) => eb.fn.max('day').as('day'))
      .where('supplier_id', '=', supplier_id)
      .where('product_id', '=', product_id)
      .where('quote_id', 'is', null)
      .where('day', '>', addDays(store.today(), -TALKS_CLOSED_DAYS)),
  )
  if (typeof failed?.day !== 'string') return
  const again = addDays(failed.day, TALKS_CLOSED_DAYS)
  throw new ToolError(
    'TalksClosed',
    `The supplier ${supplier_id} broke off a negotiation about the product ${product_id} on ${failed.day}. It negotiates again from ${again}.`,
    { supplier_id, product_id, failed_on: failed.day, again_on: again },
  )
}

/** `price` is the agreed price; undefined without a deal. */
export function exchangeBids(
  buyer: BuyerStrategy,
  supplier: (said: readonly Bid[]) => Bid,
): { said: Bid[]; price: number | undefined } {
  const said: Bid[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (const speaker of [buyer, supplier]) {
      const bid = checkBid(speaker([...said]), speaker === buyer ? 'buyer' : 'supplier', said)
      said.push(bid)
      if (bid.says === 'accepts') return { said, price: bid.price }
      if (bid.says === 'leaves') return { said, price: undefined }
    }
  }
  const standing = said.at(-1)?.price ?? 0
  said.push({ by: 'supplier', price: standing, says: 'leaves' })
  return { said, price: undefined }
}

/** A model may steer the buyer's side, so it can only accept the price that was offered. */
function checkBid({ price, says }: Bid, by: Bid['by'], said: readonly Bid[]): Bid {
  if (!Number.isSafeInteger(price) || price < 0 || (says === 'offers' && price === 0)) {
    throw new ToolError('ValidationError', `A bid must be a whole number of cents above 0, not ${price}.`, { price })
  }
  const standing = said.at(-1)?.price
  if (by === 'buyer' && says === 'accepts' && price !== standing) {
    throw new ToolError('ValidationError', `The buyer accepts ${price}, but the offer was ${standing ?? 'nothing'}.`)
  }
  return { by, price, says }
}

function saveQuote(store: Store, supplier_id: string, product_id: string, unit: number): Quote {
  const made_on = store.today()
  const quote_id = nextId(store.db, 'quotes')
  const quote = { quote_id, supplier_id, product_id, unit, made_on, expires_on: addDays(made_on, QUOTE_DAYS) }
  store.insert('quotes', { ...quote, dropped: 0 })
  return quote
}
