/** Answers about returning an order, and about the state of a refund. */
import { addDays, type Day } from '../../day.ts'
import type { Order, ShopPolicy } from '../../ports.ts'
import { figureOf } from './facts.ts'
import {
  type Answerer,
  answer,
  answerClosed,
  askWhichOrder,
  isClosed,
  isUnsent,
  orderAction,
  orderName,
  refundable,
  refundText,
  requirePolicy,
  type TicketCase,
  type TopicAnswer,
} from './ticket-case.ts'

export const returnRequest: Answerer = (ticket) => {
  const policy = requirePolicy(ticket, 'returns')
  const { order, today } = ticket
  if (order === undefined) return askWhichOrder(policy)
  if (isClosed(order)) return answerClosed(ticket, order, policy)
  if (isUnsent(order)) return cancelInstead(ticket, order, policy)
  const received = order.shipment?.delivered_on
  if (received === undefined) return notArrived(ticket, order, policy)
  const last = ticket.facts.dayAfter('last day to return', received, policy, 'return_days')
  return today > addDays(received, figureOf(policy, 'return_days'))
    ? tooLate(ticket, order, policy, received, last)
    : sendLabel(ticket, order, policy, last)
}

function sendLabel(ticket: TicketCase, order: Order, policy: ShopPolicy, last: string): TopicAnswer {
  const { facts } = ticket
  const refunds = requirePolicy(ticket, 'refunds')
  const isFree = figureOf(policy, 'return_cost') === 0
  const sentences = [
    `You can send back ${orderName(ticket, order)} until ${last}, unused and in its packaging.`,
    `We will email you a return label${isFree ? ', so the return is free for you' : ''}. Stick it on the parcel and hand it to the carrier.`,
    `Within ${facts.count(refunds, 'refund_days', 'day')} of receiving it we will refund ${refundText(ticket, order)} the way you paid. Your bank may take ${facts.count(refunds, 'bank_days', 'day')} more to show it.`,
  ]
  const detail = `label for order ${order.order_id}; refund when it is back`
  return answer(policy, sentences, [orderAction(order, 'return', detail, refundable(order))])
}

function tooLate(ticket: TicketCase, order: Order, policy: ShopPolicy, received: Day, last: string): TopicAnswer {
  const { facts } = ticket
  const months = facts.count(requirePolicy(ticket, 'warranty'), 'warranty_months', 'month')
  return answer(policy, [
    `Your ${orderName(ticket, order)} was delivered on ${facts.day('delivered on', received, 'shipment')} and could be returned until ${last}. I am sorry, but that day has passed.`,
    `If something is wrong with it, you still have the warranty of ${months}: just tell us what it is.`,
  ])
}

const notArrived = (ticket: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer =>
  answer(policy, [
    `Your ${orderName(ticket, order)} is still on its way. Once you have it, you have ${ticket.facts.count(policy, 'return_days', 'day')} to send it back, unused and in its packaging.`,
    'Reply to this message when it has arrived, and we will email you a return label.',
  ])

function cancelInstead(ticket: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const days = ticket.facts.count(requirePolicy(ticket, 'cancellation'), 'refund_days', 'day')
  const sentences = [
    `Your ${orderName(ticket, order)} has not been sent, so you do not need to return it: I have proposed to cancel it.`,
    `Within ${days} of the cancellation we will refund ${refundText(ticket, order)}.`,
  ]
  const cancel = orderAction(order, 'cancel', `order ${order.order_id}, not sent yet`, refundable(order))
  return answer(policy, sentences, [cancel])
}

export const refundStatus: Answerer = (ticket) => {
  const { order, facts } = ticket
  const policy = requirePolicy(ticket, 'refunds')
  if (order === undefined) return askWhichOrder(policy)
  const bankDays = facts.count(policy, 'bank_days', 'day')
  const days = facts.count(policy, 'refund_days', 'day')
  const name = orderName(ticket, order)
  if (order.refunded > 0) {
    const paid = facts.amount('refunded', order.refunded, 'order')
    const total = facts.amount('total', order.total, 'order')
    return answer(policy, [
      `For your ${name} we have refunded ${paid} of ${total} to the card or account you paid with.`,
      `Your bank may take up to ${bankDays} to show it. If it is not there after that, reply to this message.`,
    ])
  }
  if (isClosed(order)) {
    const sentences = [
      `Your ${name} is cancelled, and I cannot see a refund for it. I am sorry about that.`,
      `I have proposed to refund ${refundText(ticket, order)} now. It takes us up to ${days}, and your bank up to ${bankDays} more.`,
    ]
    const detail = `order ${order.order_id} is cancelled and was not refunded`
    return answer(policy, sentences, [orderAction(order, 'refund', detail, refundable(order))])
  }
  const sentences = [
    `I do not see a refund for your ${name} yet.`,
    `We refund within ${days} of receiving a return, to the card or account you paid with, and your bank may take ${bankDays} more to show it.`,
    'I have asked our warehouse to look for your return. If you have the number of the return parcel, please send it to us.',
  ]
  const detail = `look for the return of order ${order.order_id}: the customer asks for a refund, and none is recorded`
  return answer(policy, sentences, [orderAction(order, 'escalate', detail)])
}
