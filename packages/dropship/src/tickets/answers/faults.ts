/** Answers about broken, faulty, wrong or missing items: money or a replacement within the policy's days, the warranty after that. */
import { addDays, type Day } from '../../day.ts'
import type { Order, OrderLine, ShopPolicy } from '../../ports.ts'
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
  requirePolicy,
  type TicketCase,
  type TopicAnswer,
} from './ticket-case.ts'

const WANTS_MONEY = /\b(?:refund\w*|money back|pay (?:me )?back|reimburse\w*|my money|give back my money)\b/
const WANTS_REPLACEMENT =
  /\b(?:replace\w*|new one|another one|right one|correct (?:one|item|product)|exchange|swap|send (?:me )?(?:the|what|a new|another|my))\b/

export const damagedItem: Answerer = (ticket) => answerFault(ticket, 'arrived damaged or does not work')
export const wrongItem: Answerer = (ticket) => answerFault(ticket, 'is not what you ordered, or not all of it')

function answerFault(ticket: TicketCase, fault: string): TopicAnswer {
  const policy = requirePolicy(ticket, 'damage')
  const { order } = ticket
  if (order === undefined) return askWhichOrder(policy)
  if (isClosed(order)) return answerClosed(ticket, order, policy)
  if (isUnsent(order)) {
    const sentence = `Your ${orderName(ticket, order)} has not been sent yet, so I am not sure which parcel you mean. Please send us the order number from its packing slip.`
    return answer(policy, [sentence], [], 'the customer reports an arrived item, but the order was not sent yet')
  }
  const line = matchLine(ticket, order)
  if (line === undefined) return askWhichItem(ticket, order, policy)
  const received = order.shipment?.delivered_on ?? ticket.today
  return ticket.today > addDays(received, figureOf(policy, 'report_days'))
    ? underWarranty(ticket, order, line, received)
    : refundOrReplace(ticket, order, line, policy, fault)
}

/** The line that the text is about: the only one, or the only one whose title shares words with the text. */
function matchLine({ text }: TicketCase, { lines }: Order): OrderLine | undefined {
  if (lines.length === 1) return lines[0]
  const named = lines.filter(({ title }) =>
    title
      .toLowerCase()
      .split(/[^a-z]+/)
      .some((word) => word.length > 3 && new RegExp(`\\b${word}s?\\b`).test(text)),
  )
  return named.length === 1 ? named[0] : undefined
}

function askWhichItem(ticket: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const titles = order.lines.map(({ title }, index) => ticket.facts.text(`piece ${index + 1}`, title, 'order'))
  const sentence = `Your ${orderName(ticket, order)} has several items: ${titles.join(', ')}. Please tell us which of them you mean.`
  return answer(policy, [sentence], [], 'it is not certain which item of the order it is about')
}

function refundOrReplace(
  ticket: TicketCase,
  order: Order,
  line: OrderLine,
  policy: ShopPolicy,
  fault: string,
): TopicAnswer {
  const { facts, text } = ticket
  const { order_id } = order
  const title = facts.text('product', line.title, 'order')
  const start = `I am sorry that the ${title} of your ${orderName(ticket, order)} ${fault}. You do not need to send it back.`
  const price = Math.round(line.price * line.quantity * figureOf(policy, 'refund_share'))
  const amount = Math.min(price, refundable(order))
  const sum = facts.amount('to be refunded', amount, 'order, price of the piece')
  // A customer who asks for money gets it. Everybody else gets what they bought, and may still choose the money.
  if (WANTS_MONEY.test(text) && !WANTS_REPLACEMENT.test(text)) {
    const refunds = requirePolicy(ticket, 'refunds')
    const days = facts.count(refunds, 'refund_days', 'day')
    const bankDays = facts.count(refunds, 'bank_days', 'day')
    const promise = `I have proposed a refund of ${sum}. It takes us up to ${days}, and your bank up to ${bankDays} more to show it.`
    const detail = `${line.sku} of order ${order_id} ${fault.split(',')[0]}`
    return answer(policy, [start, promise], [orderAction(order, 'refund', detail, amount)])
  }
  const offer = `I have proposed to send you a replacement at our cost. You will get a tracking number when it leaves. If you would rather have ${sum} back, reply to this message and we will refund it instead.`
  const replacement = orderAction(order, 'replacement', `${line.quantity} x ${line.sku}, order ${order_id}`)
  return answer(policy, [start, offer], [replacement])
}

function underWarranty(ticket: TicketCase, order: Order, line: OrderLine, received: Day): TopicAnswer {
  const { facts } = ticket
  const policy = requirePolicy(ticket, 'warranty')
  const title = facts.text('product', line.title, 'order')
  const day = facts.day('delivered on', received, 'shipment')
  const sentences = [
    `Your ${orderName(ticket, order)} with the ${title} arrived on ${day}, so it is covered by the warranty of ${facts.count(policy, 'warranty_months', 'month')}.`,
    'We will repair it, replace it or refund it. Please send us a photo and a short description of the problem. I have already requested a replacement.',
  ]
  const detail = `warranty: ${line.quantity} x ${line.sku}, order ${order.order_id}`
  return answer(policy, sentences, [orderAction(order, 'replacement', detail)])
}
