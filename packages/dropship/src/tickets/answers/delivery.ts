/** Answers to "where is my order", from the order, its shipment and the shipping policy. */
import type { Shipment } from '../../ports.ts'
import { figureOf } from './facts.ts'
import { aboutOrder, type OrderCase, type TopicAnswer } from './ticket-case.ts'

export const whereIsMyOrder = aboutOrder('shipping', (about) => {
  const { status, shipment } = about.order
  if (about.isClosed()) return about.closedAnswer()
  if (status === 'delivered') return delivered(about)
  return shipment === undefined ? notSent(about) : onItsWay(about, shipment)
})

function notSent(about: OrderCase): TopicAnswer {
  const { facts, policy } = about
  const { order_id, placed_on } = about.order
  const placed = facts.day('placed on', placed_on, 'order')
  const by = facts.dayAfter('leaves us by', placed_on, policy, 'dispatch_days')
  const name = about.name()
  if (!about.isPast(placed_on, 'dispatch_days')) {
    return about.answer([
      `Your ${name} of ${placed} is being prepared and leaves us by ${by}. You will get the tracking number by email.`,
    ])
  }
  const sentences = [
    `Your ${name} of ${placed} should have left us by ${by}, and it has not yet. I am sorry about that.`,
    'I have asked our warehouse to send it now. You will get the tracking number by email as soon as it is on its way.',
    'If you do not want to wait any longer, tell us and we will cancel it free of charge.',
  ]
  return about.answer(sentences, [about.action('fulfil', `order ${order_id} waits since ${placed_on}`)])
}

function onItsWay(about: OrderCase, shipment: Shipment): TopicAnswer {
  const { facts, policy } = about
  const { order_id } = about.order
  const carrier = facts.text('carrier', shipment.carrier, 'shipment')
  const tracking = facts.text('tracking number', shipment.tracking, 'shipment')
  const sent = facts.day('shipped on', shipment.shipped_on, 'shipment')
  const due = facts.day('arrives on', shipment.arrives_on, 'shipment')
  const start = `Your ${about.name()} went to ${carrier} on ${sent}. Its tracking number is ${tracking}.`
  if (about.ticket.today <= shipment.arrives_on) return about.answer([start, `It is due on ${due}.`])
  const latest = facts.dayAfter('late from', shipment.arrives_on, policy, 'late_after_days')
  if (!about.isPast(shipment.arrives_on, 'late_after_days')) {
    const sentences = [
      start,
      `It was due on ${due} and is late, so I am asking the carrier where it is.`,
      `If it has not arrived by ${latest}, write to us and you can have your money back.`,
    ]
    return about.answer(sentences, [about.action('ask_carrier', `${shipment.carrier} ${shipment.tracking}`)])
  }
  const sentences = [
    start,
    `It was due on ${due}, and we promise delivery by ${latest} at the latest. That day has passed, and I am sorry.`,
    `I have proposed a refund of ${about.refundText()}. You will hear from us when it is on its way.`,
  ]
  const detail = `order ${order_id} is more than ${figureOf(policy, 'late_after_days')} days late`
  return about.answer(sentences, [about.action('refund', detail, about.refundable())])
}

function delivered(about: OrderCase): TopicAnswer {
  const { facts, order } = about
  const { shipment } = order
  const delivered_on = shipment?.delivered_on
  const carrier = shipment === undefined ? 'The carrier' : facts.text('carrier', shipment.carrier, 'shipment')
  const on = delivered_on === undefined ? '' : ` on ${facts.day('delivered on', delivered_on, 'shipment')}`
  const sentences = [
    `${carrier} reports that your ${about.name()} was delivered${on}.`,
    'Please check with your neighbours and wherever a parcel could be left at your address.',
    'I am asking the carrier for the proof of delivery. If the parcel does not turn up, reply to this message and we will sort it out.',
  ]
  return about.answer(sentences, [about.action('ask_carrier', `proof of delivery, order ${order.order_id}`)])
}
