/** Answers about broken, faulty, wrong or missing items: money or a replacement within the policy's days, the warranty after that. */
import type { Day } from '../../day.ts'
import type { OrderLine } from '../../ports.ts'
import { figureOf } from './facts.ts'
import { aboutOrder, answer, type OrderCase, requirePolicy, type TopicAnswer } from './ticket-case.ts'

const WANTS_MONEY = /\b(?:refund\w*|money back|pay (?:me )?back|reimburse\w*|my money|give back my money)\b/
const WANTS_REPLACEMENT =
  /\b(?:replace\w*|new one|another one|right one|correct (?:one|item|product)|exchange|swap|send (?:me )?(?:the|what|a new|another|my))\b/

export const damagedItem = aboutOrder('damage', (about) => answerFault(about, 'arrived damaged or does not work'))
export const wrongItem = aboutOrder('damage', (about) =>
  answerFault(about, 'is not what you ordered, or not all of it'),
)

function answerFault(about: OrderCase, fault: string): TopicAnswer {
  if (about.isClosed()) return about.closedAnswer()
  if (about.isUnsent()) {
    const sentence = `Your ${about.name()} has not been sent yet, so I am not sure which parcel you mean. Please send us the order number from its packing slip.`
    return about.answer([sentence], [], 'the customer reports an arrived item, but the order was not sent yet')
  }
  const line = matchLine(about)
  if (line === undefined) return askWhichItem(about)
  const received = about.order.shipment?.delivered_on ?? about.ticket.today
  return about.isPast(received, 'report_days')
    ? underWarranty(about, line, received)
    : refundOrReplace(about, line, fault)
}

/** The line that the text is about: the only one, or the only one whose title shares words with the text. */
function matchLine({ ticket, order: { lines } }: OrderCase): OrderLine | undefined {
  if (lines.length === 1) return lines[0]
  const named = lines.filter(({ title }) =>
    title
      .toLowerCase()
      .split(/[^a-z]+/)
      .some((word) => word.length > 3 && new RegExp(`\\b${word}s?\\b`).test(ticket.text)),
  )
  return named.length === 1 ? named[0] : undefined
}

function askWhichItem(about: OrderCase): TopicAnswer {
  const titles = about.order.lines.map(({ title }, index) => about.facts.text(`piece ${index + 1}`, title, 'order'))
  const sentence = `Your ${about.name()} has several items: ${titles.join(', ')}. Please tell us which of them you mean.`
  return about.answer([sentence], [], 'it is not certain which item of the order it is about')
}

function refundOrReplace(about: OrderCase, line: OrderLine, fault: string): TopicAnswer {
  const { facts, policy, ticket } = about
  const { order_id } = about.order
  const title = facts.text('product', line.title, 'order')
  const start = `I am sorry that the ${title} of your ${about.name()} ${fault}. You do not need to send it back.`
  const price = Math.round(line.price * line.quantity * figureOf(policy, 'refund_share'))
  const amount = Math.min(price, about.refundable())
  const sum = facts.amount('to be refunded', amount, 'order, price of the piece')
  // A customer who asks for money gets it. Everybody else gets what they bought, and may still choose the money.
  if (WANTS_MONEY.test(ticket.text) && !WANTS_REPLACEMENT.test(ticket.text)) {
    const refunds = requirePolicy(ticket, 'refunds')
    const days = facts.count(refunds, 'refund_days', 'day')
    const bankDays = facts.count(refunds, 'bank_days', 'day')
    const promise = `I have proposed a refund of ${sum}. It takes us up to ${days}, and your bank up to ${bankDays} more to show it.`
    const detail = `${line.sku} of order ${order_id} ${fault.split(',')[0]}`
    return about.answer([start, promise], [about.action('refund', detail, amount)])
  }
  const offer = `I have proposed to send you a replacement at our cost. You will get a tracking number when it leaves. If you would rather have ${sum} back, reply to this message and we will refund it instead.`
  return about.answer(
    [start, offer],
    [about.action('replacement', `${line.quantity} x ${line.sku}, order ${order_id}`)],
  )
}

function underWarranty(about: OrderCase, line: OrderLine, received: Day): TopicAnswer {
  const { facts, ticket, order } = about
  const policy = requirePolicy(ticket, 'warranty')
  const title = facts.text('product', line.title, 'order')
  const day = facts.day('delivered on', received, 'shipment')
  const sentences = [
    `Your ${about.name()} with the ${title} arrived on ${day}, so it is covered by the warranty of ${facts.count(policy, 'warranty_months', 'month')}.`,
    'We will repair it, replace it or refund it. Please send us a photo and a short description of the problem. I have already requested a replacement.',
  ]
  const detail = `warranty: ${line.quantity} x ${line.sku}, order ${order.order_id}`
  return answer(policy, sentences, [about.action('replacement', detail)])
}
