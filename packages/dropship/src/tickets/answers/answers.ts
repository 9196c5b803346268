/** The answer for each intent. */

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
