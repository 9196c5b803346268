/** Answers about changes before the parcel leaves: cancelling an order, or sending it to another address. */
import { sanitise } from './facts.ts'
import { aboutOrder, requirePolicy } from './ticket-case.ts'

export const cancelOrder = aboutOrder('cancellation', (about) => {
  const { order, facts, policy, ticket } = about
  // The customer wanted it cancelled and it is: a missing refund is no reason to hold the answer back.
  if (about.isClosed()) return { ...about.closedAnswer(), human: undefined }
  const name = about.name()
  if (order.shipment !== undefined || !about.isUnsent()) {
    const days = facts.count(requirePolicy(ticket, 'returns'), 'return_days', 'day')
    return about.answer([
      `Your ${name} has already left us, so it can no longer be cancelled.`,
      `You can send it back within ${days} of receiving it, unused and in its packaging. Reply to this message and we will email you a return label.`,
    ])
  }
  const sentences = [
    `Your ${name} has not been sent yet, so it can be cancelled free of charge. I have requested the cancellation.`,
    `Within ${facts.count(policy, 'refund_days', 'day')} of the cancellation we will refund ${about.refundText()} the way you paid. You will get a message when it is done.`,
  ]
  return about.answer(sentences, [about.action('cancel', `order ${order.order_id}, not sent yet`, about.refundable())])
})

/** A street with a number, in either order, and what follows up to the end of the sentence. */
const ADDRESS =
  /(?:\b\d{1,4}[a-z]?,?\s+(?:[\p{L}'.-]+\s+){1,4}|\b[\p{L}'.-]+(?:\s[\p{L}'.-]+){0,2}\s+\d{1,4}[a-z]?\b)[^!?\n]{0,80}/u

const addressIn = (text: string): string | undefined => {
  const after = /\b(?:address(?: is)?|to|instead|use|street|there)\s*:?\s+(?=[^.]{0,40}\d)/i.exec(text)
  const found = ADDRESS.exec(after === null ? text : text.slice(after.index + after[0].length))?.[0]
  return found === undefined ? undefined : sanitise(found).replace(/\.\s.*$/, '')
}

export const changeAddress = aboutOrder('cancellation', (about) => {
  const { status, order_id } = about.order
  const name = about.name()
  if (!about.isUnsent()) {
    const state = status === 'shipped' ? 'has already left us, and the carrier has its address' : `is ${status}`
    return about.answer([
      `Your ${name} ${state}, so we can no longer change where it goes. If it comes back to us, we will write to you.`,
    ])
  }
  const address = addressIn(about.ticket.ticket.body)
  if (address === undefined) {
    return about.answer([
      `Your ${name} has not been sent yet, so its address can still be changed.`,
      'Please reply with the full new address: name, street and number, postal code, city and country.',
    ])
  }
  const sentences = [
    `Your ${name} has not been sent yet. I have passed on the new address from your message, and we will confirm it by email before the parcel leaves.`,
    'If the name, street, postal code, city or country was missing, please reply with the full address.',
  ]
  return about.answer(sentences, [about.action('change_address', `order ${order_id}: ${address}`)])
})
