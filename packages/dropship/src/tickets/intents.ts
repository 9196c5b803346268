/** The intents and sentiments of tickets, shared by the model, the replies, the tools and the documents. */

export const INTENTS = [
  'where_is_my_order',
  'return_request',
  'refund_status',
  'damaged_item',
  'wrong_item',
  'cancel_order',
  'change_address',
  'product_question',
  'invoice',
  'complaint',
  'praise',
  'other',
] as const
export type Intent = (typeof INTENTS)[number]

export const SENTIMENTS = ['angry', 'unhappy', 'neutral', 'happy'] as const
export type Sentiment = (typeof SENTIMENTS)[number]

/** An intent in plain words, to follow "asks about". */
export const INTENT_WORDS: Readonly<Record<Intent, string>> = {
  where_is_my_order: 'where an order is',
  return_request: 'returning an item',
  refund_status: 'a refund that is under way',
  damaged_item: 'a damaged or faulty item',
  wrong_item: 'a wrong or missing item',
  cancel_order: 'cancelling an order',
  change_address: 'changing the delivery address',
  product_question: 'a product',
  invoice: 'an invoice or receipt',
  complaint: 'a complaint',
  praise: 'praise',
  other: 'something else',
}

/** Below this confidence a person decides, as article 5 of the constitution requires. */
export const SURE_ENOUGH = 0.7
