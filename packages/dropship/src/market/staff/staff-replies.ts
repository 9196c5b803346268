/** What the simulated staff reply to each intent, and the actions they take. Their texts are data of the simulation. */
import { type Dice, pick } from '../random.ts'

interface TicketToAnswer {
  readonly intent: string
  readonly order_id: number | null
  readonly name: string | null
  readonly status: string | null
  readonly arrives_on: string | null
}

interface Answer {
  readonly body: string
  readonly actions: readonly { readonly action: string; readonly detail: string }[]
}

const OPENINGS = ['thank you for your message.', 'thanks for writing to us.', 'we have read your message.']
const CLOSINGS = [
  'Kind regards, your shop',
  'Best regards, the team',
  'If anything is unclear, just answer this mail. The team',
]

export const staffReply = (dice: Dice, asked: TicketToAnswer): Answer => {
  const { says, actions } = (ANSWERS[asked.intent] ?? nothingToDo)(asked)
  const name = asked.name?.split(' ')[0]
  return {
    body: `Hello${name === undefined ? '' : ` ${name}`}, ${pick(dice, OPENINGS)} ${says} ${pick(dice, CLOSINGS)}`,
    actions,
  }
}

interface StaffAnswer {
  readonly says: string
  readonly actions: Answer['actions']
}

const nothingToDo = (): StaffAnswer => ({ says: 'We have passed it on to the person in charge.', actions: [] })

const act = (action: string, asked: TicketToAnswer): Answer['actions'] =>
  asked.order_id === null ? [] : [{ action, detail: `order ${asked.order_id}` }]

const orderIs = ({ status, arrives_on }: TicketToAnswer): string => {
  if (status === 'delivered') return 'According to the carrier it has been delivered.'
  if (arrives_on !== null)
    return `It is on its way and was announced for ${arrives_on}. We have asked the carrier to look for it.`
  return 'It is being packed and leaves us within two days.'
}

const ANSWERS: Readonly<Record<string, (asked: TicketToAnswer) => StaffAnswer>> = {
  where_is_my_order: (asked) => ({ says: orderIs(asked), actions: [] }),
  return_request: (asked) => ({
    says: 'You may send it back within 30 days of receiving it, free of charge. The label is attached; the money follows within 5 days of its reaching us.',
    actions: act('return', asked),
  }),
  refund_status: () => ({
    says: 'Refunds are paid within 5 days of the return reaching us; banks may take 3 more days to show it.',
    actions: [],
  }),
  damaged_item: (asked) => ({
    says: 'We are sorry that it arrived like this. You get the full price back within 5 days and need not send anything.',
    actions: act('refund', asked),
  }),
  wrong_item: (asked) => ({
    says: 'That was our mistake. You get the full price back within 5 days; please keep or give away what came.',
    actions: act('refund', asked),
  }),
  cancel_order: (asked) =>
    asked.status === 'paid'
      ? { says: 'Your order is cancelled and will be paid back within 5 days.', actions: act('cancel', asked) }
      : {
          says: 'Your order has left us already. You may send it back within 30 days, free of charge.',
          actions: act('return', asked),
        },
  change_address: ({ status }) => ({
    says:
      status === 'paid'
        ? 'We have changed the address.'
        : 'Your order has left us already; please ask the carrier to redirect it with the tracking number.',
    actions: [],
  }),
  product_question: () => ({
    says: 'All that we know of it stands on its page; we have asked the supplier for the rest.',
    actions: [],
  }),
  invoice: () => ({
    says: 'The invoice is attached. If it should name your company, tell us its name and VAT number.',
    actions: [],
  }),
  complaint: (asked) =>
    asked.status === 'delivered'
      ? { says: 'We are sorry. We have looked into what went wrong and spoken to the supplier.', actions: [] }
      : { says: 'We are sorry. You get your money back within 5 days.', actions: act('refund', asked) },
  praise: () => ({ says: 'We are very happy to read this.', actions: [] }),
}
