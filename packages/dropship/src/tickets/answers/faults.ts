/** Broken, faulty, wrong or missing things: money or a replacement while the policy says so, the warranty after that. */
import { addDays, type Day } from '../../day.ts'
import type { Cents } from '../../money.ts'
import type { Order, OrderLine, ShopPolicy } from '../../ports.ts'
import { figureOf } from './facts.ts'
import {
  type Action,
  type Answerer,
  askWhichOrder,
  orderName,
  refundable,
  requirePolicy,
  type TicketCase,
  type TopicAnswer,
} from './ticket-case.ts'

const WANTS_MONEY = /\b(?:refund\w*|money back|pay (?:me )?back|reimburse\w*|my money|give back my money)\b/
const WANTS_ANOTHER =
  /\b(?:replace\w*|new one|another one|right one|correct (?:one|item|product)|exchange|swap|send (?:me )?(?:the|what|a new|another|my))\b/

export const damagedItem: Answerer = (about) => fault(about, 'arrived damaged or does not work')
export const wrongItem: Answerer = (about) => fault(about, 'is not what you ordered, or not all of it')

function fault(about: TicketCase, what: string): TopicAnswer {
  const policy = requirePolicy(about, 'damage')
  const { order } = about
  if (order === undefined) return askWhichOrder(policy)
  if (order.status === 'cancelled' || order.status === 'refunded') return settled(about, order, policy)
  if (order.status === 'paid' || order.status === 'ordered') {
    return {
      says: [
        `Your ${orderName(about, order)} has not been sent yet, so I am not sure which parcel you mean. Please send us the order number from its slip.`,
      ],
      actions: [],
      policy,
      human: 'the order was not sent yet, but something of it is said to have arrived',
    }
  }
  const line = lineMeant(about, order)
  if (line === undefined) return whichPiece(about, order, policy)
  const received = order.shipment?.delivered_on ?? about.today
  if (about.today > addDays(received, figureOf(policy, 'report_days')))
    return underWarranty(about, order, line, received)
  return makeGood(about, order, line, policy, what)
}

/** The line that the text speaks of: the only one, or the only one whose title it shares words with. */
function lineMeant({ said }: TicketCase, { lines }: Order): OrderLine | undefined {
  if (lines.length === 1) return lines[0]
  const named = lines.filter(({ title }) =>
    title
      .toLowerCase()
      .split(/[^a-z]+/)
      .some((word) => word.length > 3 && new RegExp(`\\b${word}s?\\b`).test(said)),
  )
  return named.length === 1 ? named[0] : undefined
}

function whichPiece(about: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  const titles = order.lines.map(({ title }, index) => about.facts.text(`piece ${index + 1}`, title, 'order'))
  return {
    says: [
      `Your ${orderName(about, order)} has several things: ${titles.join(', ')}. Please tell us which of them it is about.`,
    ],
    actions: [],
    policy,
    human: 'which piece of the order it is about is not certain',
  }
}

function makeGood(about: TicketCase, order: Order, line: OrderLine, policy: ShopPolicy, what: string): TopicAnswer {
  const { facts, said } = about
  const title = facts.text('product', line.title, 'order')
  const price = Math.round(line.price * line.quantity * figureOf(policy, 'refund_share'))
  const amount: Cents = Math.min(price, refundable(order))
  const start = `I am sorry that the ${title} of your ${orderName(about, order)} ${what}. You need not send it back.`
  const money: Action = {
    action: 'refund',
    detail: `${line.sku} of order ${order.order_id} ${what.split(',')[0]}`,
    order_id: order.order_id,
    amount,
  }
  const another: Action = {
    action: 'replacement',
    detail: `${line.quantity} x ${line.sku}, order ${order.order_id}`,
    order_id: order.order_id,
  }
  const sum = (): string => facts.amount('to be refunded', amount, 'order, price of the piece')
  const refunds = requirePolicy(about, 'refunds')
  const moneyComes = (): string =>
    `I have proposed to pay you back ${sum()}; it takes us up to ${facts.count(refunds, 'refund_days', 'day')}, and your bank up to ${facts.count(refunds, 'bank_days', 'day')} more to show it.`
  // Whoever asks for money gets it. Otherwise the goods are replaced: that is what was bought, and the choice stays open.
  if (WANTS_MONEY.test(said) && !WANTS_ANOTHER.test(said))
    return { says: [start, moneyComes()], actions: [money], policy }
  return {
    says: [
      start,
      `I have proposed to send you a replacement at our cost. You get a tracking number when it leaves. If you would rather have ${sum()} back, answer this message and we pay it instead.`,
    ],
    actions: [another],
    policy,
  }
}

function underWarranty(about: TicketCase, order: Order, line: OrderLine, received: Day): TopicAnswer {
  const { facts } = about
  const policy = requirePolicy(about, 'warranty')
  const title = facts.text('product', line.title, 'order')
  return {
    says: [
      `Your ${orderName(about, order)} with the ${title} came on ${facts.day('delivered on', received, 'shipment')}, so the warranty of ${facts.count(policy, 'warranty_months', 'month')} holds.`,
      'We repair it, replace it, or pay it back. Please send us a photo and a few words on what is wrong; I have put a replacement forward.',
    ],
    actions: [
      {
        action: 'replacement',
        detail: `warranty: ${line.quantity} x ${line.sku}, order ${order.order_id}`,
        order_id: order.order_id,
      },
    ],
    policy,
  }
}

function settled(about: TicketCase, order: Order, policy: ShopPolicy): TopicAnswer {
  return {
    says: [
      `Your ${orderName(about, order)} is ${order.status}, and ${about.facts.amount('refunded', order.refunded, 'order')} were paid back.`,
    ],
    actions: [],
    policy,
    ...(refundable(order) > 0 && { human: `the order is ${order.status}, but not all of it was paid back` }),
  }
}
