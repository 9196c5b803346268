/** What the simulated staff reply to each intent, and the actions they take. Their texts are data of the simulation. */
import type { Reply } from '../../ports.ts'
import { type Dice, pick } from '../random.ts'

export interface TicketToAnswer {
  readonly intent: string
  readonly order_id: number | null
  readonly name: string | null
  readonly status: string | null
  readonly arrives_on: string | null
}

const OPENINGS = ['thank you for your message.', 'thanks for writing to us.', 'we have read your message.']
const CLOSINGS = [
  'Kind regards, your shop',
  'Best regards, the team',
  'If anything is unclear, just answer this mail. The team',
]

export const staffReply = (dice: Dice, ticket: TicketToAnswer): Pick<Reply, 'body' | 'actions'> => {
  const answer = ANSWERS[ticket.intent] ?? ['We have passed it on to the person in charge.']
  const [says, action] = typeof answer === 'function' ? answer(ticket) : answer
  const name = ticket.name?.split(' ')[0]
  const isAct = action !== undefined && ticket.order_id !== null
  return {
    body: `Hello${name === undefined ? '' : ` ${name}`}, ${pick(dice, OPENINGS)} ${says} ${pick(dice, CLOSINGS)}`,
    actions: isAct ? [{ action, detail: `order ${ticket.order_id}` }] : [],
  }
}

const orderIs = ({ status, arrives_on }: TicketToAnswer): string => {
  if (status === 'delivered') return 'According to the carrier it has been delivered.'
  if (arrives_on !== null)
    return `It is on its way and was announced for ${arrives_on}. We have asked the carrier to look for it.`
  return 'It is being packed and leaves us within two days.'
}

type StaffAnswer = readonly [says: string, action?: string]

const ANSWERS: Readonly<Record<string, StaffAnswer | ((ticket: TicketToAnswer) => StaffAnswer)>> = {
  where_is_my_order: (ticket) => [orderIs(ticket)],
  return_request: [
    'You may send it back within 30 days of receiving it, free of charge. The label is attached; the money follows within 5 days of its reaching us.',
    'return',
  ],
  refund_status: ['Refunds are paid within 5 days of the return reaching us; banks may take 3 more days to show it.'],
  damaged_item: [
    'We are sorry that it arrived like this. You get the full price back within 5 days and need not send anything.',
    'refund',
  ],
  wrong_item: [
    'That was our mistake. You get the full price back within 5 days; please keep or give away what came.',
    'refund',
  ],
  cancel_order: ({ status }) =>
    status === 'paid'
      ? ['Your order is cancelled and will be paid back within 5 days.', 'cancel']
      : ['Your order has left us already. You may send it back within 30 days, free of charge.', 'return'],
  change_address: ({ status }) =>
    status === 'paid'
      ? ['We have changed the address.']
      : ['Your order has left us already; please ask the carrier to redirect it with the tracking number.'],
  product_question: ['All that we know of it stands on its page; we have asked the supplier for the rest.'],
  invoice: ['The invoice is attached. If it should name your company, tell us its name and VAT number.'],
  complaint: ({ status }) =>
    status === 'delivered'
      ? ['We are sorry. We have looked into what went wrong and spoken to the supplier.']
      : ['We are sorry. You get your money back within 5 days.', 'refund'],
  praise: ['We are very happy to read this.'],
}
