/** Answers about returning an order, and about the state of a refund. */
import type { Day } from '../../day.ts'
import { figureOf } from './facts.ts'
import { aboutOrder, type OrderCase, requirePolicy, type TopicAnswer } from './ticket-case.ts'

export const returnRequest = aboutOrder('returns', (about) => {
  if (about.isClosed()) return about.closedAnswer()
  if (about.isUnsent()) return cancelInstead(about)
  const received = about.order.shipment?.delivered_on
  if (received === undefined) return notArrived(about)
  const last = about.facts.dayAfter('last day to return', received, about.policy, 'return_days')
  return about.isPast(received, 'return_days') ? tooLate(about, received, last) : sendLabel(about, last)
})

function sendLabel(about: OrderCase, last: string): TopicAnswer {
  const { facts, policy, order } = about
  const refunds = requirePolicy(about.ticket, 'refunds')
  const isFree = figureOf(policy, 'return_cost') === 0
  const sentences = [
    `You can send back ${about.name()} until ${last}, unused and in its packaging.`,
    `We will email you a return label${isFree ? ', so the return is free for you' : ''}. Stick it on the parcel and hand it to the carrier.`,
    `Within ${facts.count(refunds, 'refund_days', 'day')} of receiving it we will refund ${about.refundText()} the way you paid. Your bank may take ${facts.count(refunds, 'bank_days', 'day')} more to show it.`,
  ]
  const detail = `label for order ${order.order_id}; refund when it is back`
  return about.answer(sentences, [about.action('return', detail, about.refundable())])
}

function tooLate(about: OrderCase, received: Day, last: string): TopicAnswer {
  const { facts } = about
  const months = facts.count(requirePolicy(about.ticket, 'warranty'), 'warranty_months', 'month')
  return about.answer([
    `Your ${about.name()} was delivered on ${facts.day('delivered on', received, 'shipment')} and could be returned until ${last}. I am sorry, but that day has passed.`,
    `If something is wrong with it, you still have the warranty of ${months}: just tell us what it is.`,
  ])
}

const notArrived = (about: OrderCase): TopicAnswer =>
  about.answer([
    `Your ${about.name()} is still on its way. Once you have it, you have ${about.facts.count(about.policy, 'return_days', 'day')} to send it back, unused and in its packaging.`,
    'Reply to this message when it has arrived, and we will email you a return label.',
  ])

function cancelInstead(about: OrderCase): TopicAnswer {
  const days = about.facts.count(requirePolicy(about.ticket, 'cancellation'), 'refund_days', 'day')
  const sentences = [
    `Your ${about.name()} has not been sent, so you do not need to return it: I have proposed to cancel it.`,
    `Within ${days} of the cancellation we will refund ${about.refundText()}.`,
  ]
  const detail = `order ${about.order.order_id}, not sent yet`
  return about.answer(sentences, [about.action('cancel', detail, about.refundable())])
}

export const refundStatus = aboutOrder('refunds', (about) => {
  const { order, facts, policy } = about
  const bankDays = facts.count(policy, 'bank_days', 'day')
  const days = facts.count(policy, 'refund_days', 'day')
  const name = about.name()
  if (order.refunded > 0) {
    const paid = facts.amount('refunded', order.refunded, 'order')
    const total = facts.amount('total', order.total, 'order')
    return about.answer([
      `For your ${name} we have refunded ${paid} of ${total} to the card or account you paid with.`,
      `Your bank may take up to ${bankDays} to show it. If it is not there after that, reply to this message.`,
    ])
  }
  if (about.isClosed()) {
    const sentences = [
      `Your ${name} is cancelled, and I cannot see a refund for it. I am sorry about that.`,
      `I have proposed to refund ${about.refundText()} now. It takes us up to ${days}, and your bank up to ${bankDays} more.`,
    ]
    const detail = `order ${order.order_id} is cancelled and was not refunded`
    return about.answer(sentences, [about.action('refund', detail, about.refundable())])
  }
  const sentences = [
    `I do not see a refund for your ${name} yet.`,
    `We refund within ${days} of receiving a return, to the card or account you paid with, and your bank may take ${bankDays} more to show it.`,
    'I have asked our warehouse to look for your return. If you have the number of the return parcel, please send it to us.',
  ]
  const detail = `look for the return of order ${order.order_id}: the customer asks for a refund, and none is recorded`
  return about.answer(sentences, [about.action('escalate', detail)])
})
