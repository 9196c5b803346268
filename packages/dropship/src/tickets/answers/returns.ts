/** Sending something back, and where the money is. */
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

export const returnRequest: Answerer = (about) => {
  const policy = requirePolicy(about, 'returns')
  const { order, today } = about
  if (order === undefined) return askWhichOrder(policy)
  if (order.status === 'cancelled' || order.status === 'refunded') return nothingLeft(about, order, policy)
  if (order.status === 'paid' || order.status === 'ordered') return cancelInstead(about, order, policy)
  const received = order.shipment?.delivered_on
  if (received === undefined) return whenItIsThere(about, order, policy)
  const last = about.facts.dayAfter('last day to return', received, policy, 'return_days')
  if (today > addDays(received, figureOf(policy, 'return_days'))) return tooLate(about, order, policy, received, last)
  return label(about, order, policy, last)
}

function label(about: TicketCase, order: Order, policy: ShopPolicy, last: string): TopicAnswer {
  const { facts } = about
  const refunds = requirePolicy(about, 'refunds')
  const amount = refundable(order)
  return {
    says: [
      `You can send back ${orderName(about, order)} until ${last}, unused and in its packing.`,
      `We email you a return label${figureOf(policy, 'return_cost') === 0 ? '; the return is free for you' : ''}. Stick it on the parcel and hand it to the carrier.`,
      `Within ${facts.count(refunds, 'refund_days', 'day')} of its reaching us we pay back ${facts.amount('to be refunded', amount, 'order, total less what was refunded')} the way you paid; your bank may take ${facts.count(refunds, 'bank_days', 'day')} more to show it.`,
    ],
    actions: [
      {
        action: 'return',
        detail: `label for order ${order.order_id}; refund when it is back`,
        order_id: order.order_id,
        amount,
      },
    ],
    policy,
  }
}

function tooLate(about: TicketCase, order: Order, policy: ShopPolicy, received: string, last: string): TopicAnswer {
  const warranty = requirePolicy(about, 'warranty')
  const { facts } = about
  return {
    says: [
      `Your ${orderName(about, order)} was delivered on ${facts.day('delivered on', received, 'shipment')} and could be returned until ${last}. I am sorry, that day is over.`,
      `Should something be wrong with it, you still have the warranty of ${facts.count(warranty, 'warranty_months', 'month')}: tell us what it is.`,
    ],
    actions: [],
    policy,
  }
}

const whenItIsThere = (about: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer => ({
  says: [
    `Your ${orderName(about, order)} is still on its way. Once it is with you, you have ${about.facts.count(policy, 'return_days', 'day')} to send it back, unused and in its packing.`,
    'Answer this message when it has arrived, and we email you a return label.',
  ],
  actions: [],
  policy,
})

function cancelInstead(about: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const { facts } = about
  const cancellation = requirePolicy(about, 'cancellation')
  const amount = refundable(order)
  return {
    says: [
      `Your ${orderName(about, order)} has not been sent, so there is no need to return it: I have proposed to cancel it.`,
      `Within ${facts.count(cancellation, 'refund_days', 'day')} of the cancellation we pay back ${facts.amount('to be refunded', amount, 'order, total less what was refunded')}.`,
    ],
    actions: [{ action: 'cancel', detail: `order ${order.order_id}, not sent yet`, order_id: order.order_id, amount }],
    policy,
  }
}

function nothingLeft(about: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const amount = about.facts.amount('refunded', order.refunded, 'order')
  return {
    says: [`Your ${orderName(about, order)} is ${order.status} already; ${amount} were paid back.`],
    actions: [],
    policy,
    ...(refundable(order) > 0 && { human: `the order is ${order.status}, but not all of it was paid back` }),
  }
}

export const refundStatus: Answerer = (about) => {
  const { order, facts } = about
  const policy = requirePolicy(about, 'refunds')
  if (order === undefined) return askWhichOrder(policy)
  const bank = facts.count(policy, 'bank_days', 'day')
  const within = facts.count(policy, 'refund_days', 'day')
  const name = orderName(about, order)
  if (order.refunded > 0) {
    const paid = facts.amount('refunded', order.refunded, 'order')
    const of = facts.amount('total', order.total, 'order')
    return {
      says: [
        `For your ${name} we have paid back ${paid} of ${of}, to the card or account you paid with.`,
        `Your bank may take up to ${bank} to show it. If it is not there after that, answer this message.`,
      ],
      actions: [],
      policy,
    }
  }
  if (order.status === 'cancelled' || order.status === 'refunded') {
    const amount = refundable(order)
    return {
      says: [
        `Your ${name} is cancelled, and I cannot see that it was paid back. I am sorry about that.`,
        `I have proposed to pay ${facts.amount('to be refunded', amount, 'order, total less what was refunded')} now; it takes us up to ${within}, and your bank up to ${bank} more.`,
      ],
      actions: [
        {
          action: 'refund',
          detail: `order ${order.order_id} is cancelled and was not paid back`,
          order_id: order.order_id,
          amount,
        },
      ],
      policy,
    }
  }
  return {
    says: [
      `I do not see a refund for your ${name} yet.`,
      `We pay within ${within} of a return reaching us, to the card or account you paid with, and your bank may take ${bank} more to show it.`,
      'I am having our warehouse look for your return. If you have the number of the return parcel, please send it to us.',
    ],
    actions: [
      {
        action: 'escalate',
        detail: `look for the return of order ${order.order_id}: a refund is asked for, none is on the books`,
        order_id: order.order_id,
      },
    ],
    policy,
  }
}
