/** The answer for each intent, and the policy it falls under. */

import type { Intent } from '../intents.ts'
import { cancelOrder, changeAddress } from './changes.ts'
import { whereIsMyOrder } from './delivery.ts'
import { damagedItem, wrongItem } from './faults.ts'
import { complaint, invoice, other, praise } from './paperwork.ts'
import { productQuestion } from './questions.ts'
import { refundStatus, returnRequest } from './returns.ts'
import type { Answerer } from './ticket-case.ts'

export const ANSWERS: Readonly<Record<Intent, Answerer>> = {
  where_is_my_order: whereIsMyOrder,
  return_request: returnRequest,
  refund_status: refundStatus,
  damaged_item: damagedItem,
  wrong_item: wrongItem,
  cancel_order: cancelOrder,
  change_address: changeAddress,
  product_question: productQuestion,
  invoice,
  complaint,
  praise,
  other,
}

/** For searching tickets by topic. */
export const POLICY_TOPIC: Readonly<Record<Intent, string>> = {
  where_is_my_order: 'shipping',
  return_request: 'returns',
  refund_status: 'refunds',
  damaged_item: 'damage',
  wrong_item: 'damage',
  cancel_order: 'cancellation',
  change_address: 'cancellation',
  product_question: 'contact',
  invoice: 'payment',
  complaint: 'contact',
  praise: 'contact',
  other: 'contact',
}
