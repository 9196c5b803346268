/** Answers about invoices, complaints and praise, and to everything without an answer of its own. */
import { type Answerer, aboutOrder, answer, requirePolicy } from './ticket-case.ts'

export const invoice = aboutOrder('payment', (about) => {
  const { order, facts, policy } = about
  const total = facts.amount('total', order.total, 'order')
  const sentences = [
    `We will email you the invoice for your ${about.name()} over ${total} within ${facts.count(policy, 'invoice_days', 'day')}.`,
    'If it should show a company name or a VAT number, reply to this message with both.',
  ]
  return about.answer(sentences, [about.action('send_invoice', `order ${order.order_id}`)])
})

export const complaint: Answerer = (ticket) => {
  const policy = requirePolicy(ticket, 'contact')
  const days = ticket.facts.count(policy, 'complaint_days', 'day')
  const sentence = `One of us will read your message in person and tell you within ${days} what we will do.`
  const order_id = ticket.order?.order_id
  const detail = 'a complaint: a person reads it'
  const escalate = { action: 'escalate', detail, ...(order_id !== undefined && { order_id }) } as const
  return answer(policy, [sentence], [escalate], 'a person reads every complaint')
}

export const praise: Answerer = (ticket) =>
  answer(requirePolicy(ticket, 'contact'), [
    'Thank you for taking the time to tell us. I will pass it on to everybody who had a part in it.',
  ])

export const other: Answerer = (ticket) => {
  const policy = requirePolicy(ticket, 'contact')
  const days = ticket.facts.count(policy, 'answer_days', 'day')
  const sentence = `I have passed your message on. A colleague will answer within ${days}.`
  const escalate = { action: 'escalate', detail: 'none of the usual topics' } as const
  return answer(policy, [sentence], [escalate], 'it is about none of the usual topics')
}
