/** The intents and sentiments of tickets, shared by the model, the replies, the tools and the documents. */

import { INTENTS, type Intent, SENTIMENTS, type Sentiment } from '../ports.ts'

export { INTENTS, type Intent, SENTIMENTS, type Sentiment }

/** In plain words, to follow "asks about", and the topic of the policy that an intent falls under. */
export const INTENT_ABOUT = {
  where_is_my_order: { words: 'where an order is', policy: 'shipping' },
  return_request: { words: 'returning an item', policy: 'returns' },
  refund_status: { words: 'a refund that is under way', policy: 'refunds' },
  damaged_item: { words: 'a damaged or faulty item', policy: 'damage' },
  wrong_item: { words: 'a wrong or missing item', policy: 'damage' },
  cancel_order: { words: 'cancelling an order', policy: 'cancellation' },
  change_address: { words: 'changing the delivery address', policy: 'cancellation' },
  product_question: { words: 'a product', policy: 'contact' },
  invoice: { words: 'an invoice or receipt', policy: 'payment' },
  complaint: { words: 'a complaint', policy: 'contact' },
  praise: { words: 'praise', policy: 'contact' },
  other: { words: 'something else', policy: 'contact' },
} as const satisfies Record<Intent, { words: string; policy: string }>

export const isIntent = (text: string): text is Intent => Object.hasOwn(INTENT_ABOUT, text)

/** Below this confidence a person decides, as article 5 of the constitution requires. */
export const SURE_ENOUGH = 0.7
