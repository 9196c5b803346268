/**
 * Talks with one supplier until no better price is to be had: the first secures a deal, each further one presses on with that deal
 * in hand, so that little is lost when the supplier has had enough. What was agreed before is let go for what is better.
 */
import { ToolError } from 'myrmex'
import type { Cents } from '../../../money.ts'
import type { Bid, IdempotencyKey, Quote, Shop } from '../../../ports.ts'
import { type BuyerLimits, createBuyer } from './buyer.ts'

/** A supplier can be asked once more, and once more; then it is rude. */
const MOST_TALKS = 3
/** Less than this part of the list price is not worth another talk. */
const WORTH_A_TALK = 0.01

export interface NegotiationResult {
  readonly talks: readonly (readonly Bid[])[]
  readonly quote: Quote | undefined
}

/** With the same key the same talks are had: each carries the key with its number. TalksClosed. */
export async function negotiateQuote(
  { suppliers }: Pick<Shop, 'suppliers'>,
  supplier_id: string,
  product_id: string,
  stance: BuyerLimits,
  key: IdempotencyKey,
): Promise<NegotiationResult> {
  const keyOf = (part: string): IdempotencyKey => (key === undefined ? undefined : `${key} ${part}`)
  const first = await suppliers.negotiate(supplier_id, product_id, createBuyer(stance), key)
  const talks = [first.said]
  let quote = first.quote
  while (quote !== undefined && talks.length < MOST_TALKS && quote.unit - stance.opening > WORTH_A_TALK * stance.list) {
    const number = talks.length + 1
    const pressing = createBuyer({ ...stance, limit: quote.unit - 1 })
    const talk = await suppliers
      .negotiate(supplier_id, product_id, pressing, keyOf(`talk ${number}`))
      .catch(ignoreClosedTalks)
    if (talk === undefined) break
    talks.push(talk.said)
    if (talk.quote === undefined) break
    await suppliers.withdrawQuote(quote.quote_id, keyOf(`drop ${number}`))
    quote = talk.quote
  }
  return { talks, quote }
}

/** A supplier that does not want to hear more keeps its word all the same: the deal in hand stands. */
function ignoreClosedTalks(thrown: unknown): undefined {
  if (!(thrown instanceof ToolError) || thrown.error_type !== 'TalksClosed') throw thrown
}

/** What was said, for people. */
export function transcript(
  talks: readonly (readonly Bid[])[],
  name: string,
  money: (price: Cents) => string,
): string[] {
  return talks.flatMap((said, talk) => [
    ...(talk === 0 ? [] : ['Asked again, with that deal in hand.']),
    ...said.map(({ by, price, says }) => sentence(by === 'buyer' ? 'We' : name, says, money(price))),
  ])
}

function sentence(who: string, says: Bid['says'], price: string): string {
  const we = who === 'We'
  if (says === 'accepts') return `${who} ${we ? 'accept' : 'accepts'} ${price}.`
  if (says === 'leaves') return `${who} ${we ? 'leave' : 'leaves'} the table at ${price}.`
  return we ? `We offer ${price}.` : `${who} asks for ${price}.`
}
