/** Where is my order: what the order and its shipment say, and what the shipping policy promises. */
import { addDays } from '../../day.ts'
import type { Order, ShopPolicy } from '../../ports.ts'
import { figureOf } from './facts.ts'
import {
  type Answerer,
  askWhichOrder,
  orderName,
  refundable,
  requirePolicy,
  type TicketCase,
  type TopicAnswer,
} from './ticket-case.ts'

export const whereIsMyOrder: Answerer = (about) => {
  const policy = requirePolicy(about, 'shipping')
  const { order } = about
  if (order === undefined) return askWhichOrder(policy)
  switch (order.status) {
    case 'paid':
    case 'ordered':
      return order.shipment === undefined ? notSent(about, order, policy) : underWay(about, order, policy)
    case 'shipped':
      return underWay(about, order, policy)
    case 'delivered':
      return delivered(about, order, policy)
    case 'cancelled':
    case 'refunded':
      return over(about, order, policy)
  }
}

function notSent(about: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const { facts, today } = about
  const placed = facts.day('placed on', order.placed_on, 'order')
  const by = facts.dayAfter('leaves us by', order.placed_on, policy, 'dispatch_days')
  const name = orderName(about, order)
  if (today <= addDays(order.placed_on, figureOf(policy, 'dispatch_days'))) {
    return {
      says: [
        `Your ${name} of ${placed} is being prepared and leaves us by ${by}. You get the tracking number by email.`,
      ],
      actions: [],
      policy,
    }
  }
  return {
    says: [
      `Your ${name} of ${placed} should have left us by ${by} and has not yet. I am sorry about that.`,
      'I have asked our warehouse to send it now. You get the tracking number by email as soon as it is on its way.',
      'If you do not want to wait any longer, tell us and we cancel it free of charge.',
    ],
    actions: [
      { action: 'fulfil', detail: `order ${order.order_id} waits since ${order.placed_on}`, order_id: order.order_id },
    ],
    policy,
  }
}

function underWay(about: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const { facts, today } = about
  const { shipment } = order
  if (shipment === undefined) return notSent(about, order, policy)
  const carrier = facts.text('carrier', shipment.carrier, 'shipment')
  const tracking = facts.text('tracking number', shipment.tracking, 'shipment')
  const sent = facts.day('shipped on', shipment.shipped_on, 'shipment')
  const due = facts.day('arrives on', shipment.arrives_on, 'shipment')
  const start = `Your ${orderName(about, order)} went to ${carrier} on ${sent}. Its tracking number is ${tracking}.`
  if (today <= shipment.arrives_on) return { says: [start, `It is due on ${due}.`], actions: [], policy }
  const latest = facts.dayAfter('late from', shipment.arrives_on, policy, 'late_after_days')
  if (today <= addDays(shipment.arrives_on, figureOf(policy, 'late_after_days'))) {
    return {
      says: [
        start,
        `It was due on ${due} and is late; I am asking the carrier where it is.`,
        `If it is not with you by ${latest}, write to us and you may have your money back.`,
      ],
      actions: [
        { action: 'ask_carrier', detail: `${shipment.carrier} ${shipment.tracking}`, order_id: order.order_id },
      ],
      policy,
    }
  }
  const amount = refundable(order)
  return {
    says: [
      start,
      `It was due on ${due}, and we promise it by ${latest} at the latest. That day is over, and I am sorry.`,
      `I have proposed to pay you back ${facts.amount('to be refunded', amount, 'order, total less what was refunded')}. You will hear from us when the refund is on its way.`,
    ],
    actions: [
      {
        action: 'refund',
        detail: `order ${order.order_id} is more than ${figureOf(policy, 'late_after_days')} days late`,
        order_id: order.order_id,
        amount,
      },
    ],
    policy,
  }
}

function delivered(about: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const { facts } = about
  const { shipment } = order
  const when = shipment?.delivered_on
  const carrier = shipment === undefined ? 'The carrier' : facts.text('carrier', shipment.carrier, 'shipment')
  const on = when === undefined ? '' : ` on ${facts.day('delivered on', when, 'shipment')}`
  return {
    says: [
      `${carrier} reports that your ${orderName(about, order)} was delivered${on}.`,
      'Please look with your neighbours and wherever a parcel may be left at your address.',
      'I am asking the carrier for the proof of delivery. If it does not turn up, answer this message and we sort it out.',
    ],
    actions: [
      { action: 'ask_carrier', detail: `proof of delivery, order ${order.order_id}`, order_id: order.order_id },
    ],
    policy,
  }
}

function over(about: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const { facts } = about
  const paid = order.refunded > 0 ? ` We paid back ${facts.amount('refunded', order.refunded, 'order')}.` : ''
  return {
    says: [`Your ${orderName(about, order)} was ${order.status}, so nothing is on its way to you.${paid}`],
    actions: [],
    policy,
    ...(refundable(order) > 0 && { human: `the order is ${order.status}, but not all of it was paid back` }),
  }
}
