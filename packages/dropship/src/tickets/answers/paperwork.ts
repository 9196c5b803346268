/** Invoices, complaints, praise, and all that has no answer of its own. */
import { type Answerer, askWhichOrder, orderName, requirePolicy } from './ticket-case.ts'

export const invoice: Answerer = (about) => {
  const { order, facts } = about
  const policy = requirePolicy(about, 'payment')
  if (order === undefined) return askWhichOrder(policy)
  const total = facts.amount('total', order.total, 'order')
  return {
    says: [
      `We send you the invoice for your ${orderName(about, order)} over ${total} by email within ${facts.count(policy, 'invoice_days', 'day')}.`,
      'If it should show a company name or a VAT number, answer this message with both.',
    ],
    actions: [{ action: 'send_invoice', detail: `order ${order.order_id}`, order_id: order.order_id }],
    policy,
  }
}

export const complaint: Answerer = (about) => {
  const policy = requirePolicy(about, 'contact')
  return {
    says: [
      `A person is reading what you wrote, and answers within ${about.facts.count(policy, 'complaint_days', 'day')} with what we will do.`,
    ],
    actions: [
      {
        action: 'escalate',
        detail: 'a complaint: a person reads it',
        ...(about.order && { order_id: about.order.order_id }),
      },
    ],
    policy,
    human: 'complaints are read by a person',
  }
}

export const praise: Answerer = (about) => ({
  says: ['Thank you for taking the time to tell us. I pass it on to everybody who had a part in it.'],
  actions: [],
  policy: requirePolicy(about, 'contact'),
})

export const other: Answerer = (about) => {
  const policy = requirePolicy(about, 'contact')
  return {
    says: [
      `I have passed your message on; a colleague answers within ${about.facts.count(policy, 'answer_days', 'day')}.`,
    ],
    actions: [{ action: 'escalate', detail: 'none of the usual topics' }],
    policy,
    human: 'it is about none of the usual topics',
  }
}
