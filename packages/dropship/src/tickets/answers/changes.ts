/** Changing one's mind before the parcel leaves: cancel it, or send it elsewhere. */

import { sanitise } from './facts.ts'
import { type Answerer, askWhichOrder, orderName, refundable, requirePolicy } from './ticket-case.ts'

export const cancelOrder: Answerer = (about) => {
  const { order, facts } = about
  const policy = requirePolicy(about, 'cancellation')
  if (order === undefined) return askWhichOrder(policy)
  const name = orderName(about, order)
  if (order.status === 'cancelled' || order.status === 'refunded') {
    const paid = facts.amount('refunded', order.refunded, 'order')
    return { says: [`Your ${name} is ${order.status} already; ${paid} were paid back.`], actions: [], policy }
  }
  if (order.shipment !== undefined || order.status === 'shipped' || order.status === 'delivered') {
    const returns = requirePolicy(about, 'returns')
    return {
      says: [
        `Your ${name} has left us already, so it can no longer be cancelled.`,
        `You can send it back within ${facts.count(returns, 'return_days', 'day')} of receiving it, unused and in its packing. Answer this message and we email you a return label.`,
      ],
      actions: [],
      policy,
    }
  }
  const amount = refundable(order)
  return {
    says: [
      `Your ${name} has not been sent yet, so it can be cancelled free of charge. I have put that forward.`,
      `Within ${facts.count(policy, 'refund_days', 'day')} of the cancellation we pay back ${facts.amount('to be refunded', amount, 'order, total less what was refunded')} the way you paid. You get a message when it is done.`,
    ],
    actions: [{ action: 'cancel', detail: `order ${order.order_id}, not sent yet`, order_id: order.order_id, amount }],
    policy,
  }
}

/** A street with a number, in either order, and what follows up to the end of the sentence. */
const ADDRESS =
  /(?:\b\d{1,4}[a-z]?,?\s+(?:[\p{L}'.-]+\s+){1,4}|\b[\p{L}'.-]+(?:\s[\p{L}'.-]+){0,2}\s+\d{1,4}[a-z]?\b)[^!?\n]{0,80}/u

export const addressIn = (text: string): string | undefined => {
  const after = /\b(?:address(?: is)?|to|instead|use|street|there)\s*:?\s+(?=[^.]{0,40}\d)/i.exec(text)
  const found = ADDRESS.exec(after === null ? text : text.slice(after.index + after[0].length))?.[0]
  return found === undefined ? undefined : sanitise(found).replace(/\.\s.*$/, '')
}

export const changeAddress: Answerer = (about) => {
  const { order, ticket } = about
  const policy = requirePolicy(about, 'cancellation')
  if (order === undefined) return askWhichOrder(policy)
  const name = orderName(about, order)
  if (order.status !== 'paid' && order.status !== 'ordered') {
    const after =
      order.status === 'shipped' ? 'has left us already, and the carrier has its address' : `is ${order.status}`
    return {
      says: [
        `Your ${name} ${after}, so we can no longer change where it goes. If it comes back to us, we write to you.`,
      ],
      actions: [],
      policy,
    }
  }
  const address = addressIn(ticket.body)
  if (address === undefined) {
    return {
      says: [
        `Your ${name} has not been sent yet, so its address can still be changed.`,
        'Please answer with the full new address: name, street and number, postal code, city and country.',
      ],
      actions: [],
      policy,
    }
  }
  return {
    says: [
      `Your ${name} has not been sent yet. I have put the new address from your message forward, and we confirm it by email before the parcel leaves.`,
      'If name, street, postal code, city or country was missing, please answer with the full address.',
    ],
    actions: [{ action: 'change_address', detail: `order ${order.order_id}: ${address}`, order_id: order.order_id }],
    policy,
  }
}
