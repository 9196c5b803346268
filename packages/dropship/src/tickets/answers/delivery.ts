/** Answers to "where is my order", from the order, its shipment and the shipping policy. */
import { addDays } from '../../day.ts'
import type { Order, Shipment, ShopPolicy } from '../../ports.ts'
import { figureOf } from './facts.ts'
import {
  type Answerer,
  answer,
  answerClosed,
  askWhichOrder,
  isClosed,
  orderAction,
  orderName,
  refundable,
  refundText,
  requirePolicy,
  type TicketCase,
  type TopicAnswer,
} from './ticket-case.ts'

export const whereIsMyOrder: Answerer = (ticket) => {
  const policy = requirePolicy(ticket, 'shipping')
  const { order } = ticket
  if (order === undefined) return askWhichOrder(policy)
  if (isClosed(order)) return answerClosed(ticket, order, policy)
  if (order.status === 'delivered') return delivered(ticket, order, policy)
  return order.shipment === undefined ? notSent(ticket, order, policy) : onItsWay(ticket, order, order.shipment, policy)
}

function notSent(ticket: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const { facts, today } = ticket
  const placed = facts.day('placed on', order.placed_on, 'order')
  const by = facts.dayAfter('leaves us by', order.placed_on, policy, 'dispatch_days')
  const name = orderName(ticket, order)
  if (today <= addDays(order.placed_on, figureOf(policy, 'dispatch_days'))) {
    return answer(policy, [
      `Your ${name} of ${placed} is being prepared and leaves us by ${by}. You will get the tracking number by email.`,
    ])
  }
  const sentences = [
    `Your ${name} of ${placed} should have left us by ${by}, and it has not yet. I am sorry about that.`,
    'I have asked our warehouse to send it now. You will get the tracking number by email as soon as it is on its way.',
    'If you do not want to wait any longer, tell us and we will cancel it free of charge.',
  ]
  const fulfil = orderAction(order, 'fulfil', `order ${order.order_id} waits since ${order.placed_on}`)
  return answer(policy, sentences, [fulfil])
}

function onItsWay(ticket: TicketCase, order: Order, shipment: Shipment, policy: ShopPolicy): TopicAnswer {
  const { facts, today } = ticket
  const carrier = facts.text('carrier', shipment.carrier, 'shipment')
  const tracking = facts.text('tracking number', shipment.tracking, 'shipment')
  const sent = facts.day('shipped on', shipment.shipped_on, 'shipment')
  const due = facts.day('arrives on', shipment.arrives_on, 'shipment')
  const start = `Your ${orderName(ticket, order)} went to ${carrier} on ${sent}. Its tracking number is ${tracking}.`
  if (today <= shipment.arrives_on) return answer(policy, [start, `It is due on ${due}.`])
  const latest = facts.dayAfter('late from', shipment.arrives_on, policy, 'late_after_days')
  const lateDays = figureOf(policy, 'late_after_days')
  if (today <= addDays(shipment.arrives_on, lateDays)) {
    const sentences = [
      start,
      `It was due on ${due} and is late, so I am asking the carrier where it is.`,
      `If it has not arrived by ${latest}, write to us and you can have your money back.`,
    ]
    return answer(policy, sentences, [orderAction(order, 'ask_carrier', `${shipment.carrier} ${shipment.tracking}`)])
  }
  const sentences = [
    start,
    `It was due on ${due}, and we promise delivery by ${latest} at the latest. That day has passed, and I am sorry.`,
    `I have proposed a refund of ${refundText(ticket, order)}. You will hear from us when it is on its way.`,
  ]
  const detail = `order ${order.order_id} is more than ${lateDays} days late`
  return answer(policy, sentences, [orderAction(order, 'refund', detail, refundable(order))])
}

function delivered(ticket: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const { facts } = ticket
  const { shipment } = order
  const delivered_on = shipment?.delivered_on
  const carrier = shipment === undefined ? 'The carrier' : facts.text('carrier', shipment.carrier, 'shipment')
  const on = delivered_on === undefined ? '' : ` on ${facts.day('delivered on', delivered_on, 'shipment')}`
  const sentences = [
    `${carrier} reports that your ${orderName(ticket, order)} was delivered${on}.`,
    'Please check with your neighbours and wherever a parcel could be left at your address.',
    'I am asking the carrier for the proof of delivery. If the parcel does not turn up, reply to this message and we will sort it out.',
  ]
  return answer(policy, sentences, [orderAction(order, 'ask_carrier', `proof of delivery, order ${order.order_id}`)])
}
