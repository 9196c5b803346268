/**
 * A talk between a buyer and a supplier: alternating offers, the buyer first, until one accepts or leaves. What was said is
 * kept; a deal becomes a quote, a talk that failed closes the door for some days.
 */
import { ToolError } from 'myrmex'
import { addDays } from '../../day.ts'
import { QUOTE_DAYS, supplierReply, TALKS_CLOSED_DAYS } from '../../market/suppliers/bargain.ts'
import { readHiddenOffer } from '../../market/world/hidden-parameters.ts'
import type { Bid, BuyerStrategy, Negotiation, Quote } from '../../ports.ts'
import { nextId } from '../database/next-id.ts'
import type { Store } from '../database/store.ts'

/** Each says so much at most; then the supplier has other things to do. */
const MOST_ROUNDS = 12

export function negotiate(store: Store, supplier_id: string, product_id: string, buyer: BuyerStrategy): Negotiation {
  const { kysely } = store
  const hidden = readHiddenOffer(store.db, supplier_id, product_id)
  if (hidden === undefined) {
    throw new ToolError('UnknownOffer', `The supplier ${supplier_id} does not offer the product ${product_id}.`, {
      supplier_id,
      product_id,
    })
  }
  requireTalksOpen(store, supplier_id, product_id)
  const { said, price } = exchangeBids(buyer, (so_far) => supplierReply(hidden, so_far))
  const quote = price === undefined ? undefined : saveQuote(store, supplier_id, product_id, price)
  const row = {
    supplier_id,
    product_id,
    day: store.today(),
    said: JSON.stringify(said),
    quote_id: quote?.quote_id ?? null,
  }
  store.run(kysely.insertInto('talks').values(row))
  return { said, quote }
}

function requireTalksOpen(store: Store, supplier_id: string, product_id: string): void {
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
    `The supplier ${supplier_id} broke off a talk about the product ${product_id} on ${failed.day}. It talks again from ${again} on.`,
    { supplier_id, product_id, failed_on: failed.day, again_on: again },
  )
}

/** `price` is what both agreed on; undefined where they did not. */
export function exchangeBids(
  buyer: BuyerStrategy,
  supplier: (said: readonly Bid[]) => Bid,
): { said: Bid[]; price: number | undefined } {
  const said: Bid[] = []
  for (let round = 0; round < MOST_ROUNDS; round++) {
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

/** The buyer is a tool's own function, and may be led by what a model wrote: it can accept no more than what is on the table. */
function checkBid({ price, says }: Bid, by: Bid['by'], said: readonly Bid[]): Bid {
  if (!Number.isSafeInteger(price) || price < 0 || (says === 'offers' && price === 0)) {
    throw new ToolError('ValidationError', `A bid is a whole number of cents above 0, not ${price}.`, { price })
  }
  const standing = said.at(-1)?.price
  if (by === 'buyer' && says === 'accepts' && price !== standing) {
    throw new ToolError('ValidationError', `The buyer accepts ${price}, but ${standing ?? 'nothing'} was offered.`)
  }
  return { by, price, says }
}

function saveQuote(store: Store, supplier_id: string, product_id: string, unit: number): Quote {
  const made_on = store.today()
  const quote_id = nextId(store, 'quotes')
  const quote = { quote_id, supplier_id, product_id, unit, made_on, expires_on: addDays(made_on, QUOTE_DAYS) }
  store.run(store.kysely.insertInto('quotes').values({ ...quote, dropped: 0 }))
  return quote
}
