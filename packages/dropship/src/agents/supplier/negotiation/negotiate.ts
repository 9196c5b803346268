/**
 * Negotiates with one supplier until no better price is available: the first talk secures a deal, each further talk tries to improve
 * it, so that little is lost if the supplier leaves. A better quote replaces the earlier one.
 */
import { ToolError } from 'myrmex'
import type { Cents } from '../../../money.ts'
import type { Bid, IdempotencyKey, Quote, Shop } from '../../../ports.ts'
import { type BuyerLimits, createBuyer } from './buyer.ts'

const MAX_TALKS = 3
/** A smaller gain, as a share of the list price, is not worth another talk. */
const WORTH_A_TALK = 0.01

export interface NegotiationResult {
  readonly talks: readonly (readonly Bid[])[]
  readonly quote: Quote | undefined
}

/** The same key repeats the same talks: each uses the key with its number. Throws TalksClosed. */
export async function negotiateQuote(
  { suppliers }: Pick<Shop, 'suppliers'>,
  supplier_id: string,
  product_id: string,
  limits: BuyerLimits,
  key: IdempotencyKey,
): Promise<NegotiationResult> {
  const keyOf = (part: string): IdempotencyKey => (key === undefined ? undefined : `${key} ${part}`)
  const first = await suppliers.negotiate(supplier_id, product_id, createBuyer(limits), key)
  const talks = [first.said]
  let quote = first.quote
  while (quote !== undefined && talks.length < MAX_TALKS && quote.unit - limits.opening > WORTH_A_TALK * limits.list) {
    const number = talks.length + 1
    const pressing = createBuyer({ ...limits, limit: quote.unit - 1 })
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

/** A supplier that refuses further talks still honours the quote already agreed. */
function ignoreClosedTalks(thrown: unknown): undefined {
  if (!(thrown instanceof ToolError) || thrown.error_type !== 'TalksClosed') throw thrown
}

/** The negotiation in sentences. */
export function transcript(
  talks: readonly (readonly Bid[])[],
  name: string,
  money: (price: Cents) => string,
): string[] {
  return talks.flatMap((said, talk) => [
    ...(talk === 0 ? [] : ['Asked again, with that deal agreed.']),
    ...said.map(({ by, price, says }) => sentence(by === 'buyer' ? 'We' : name, says, money(price))),
  ])
}

function sentence(who: string, says: Bid['says'], price: string): string {
  const we = who === 'We'
  if (says === 'accepts') return `${who} ${we ? 'accept' : 'accepts'} ${price}.`
  if (says === 'leaves') return `${who} ${we ? 'leave' : 'leaves'} the table at ${price}.`
  return we ? `We offer ${price}.` : `${who} asks for ${price}.`
}
