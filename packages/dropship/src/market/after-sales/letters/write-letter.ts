/**
 * Letters of customers. What a letter is about and in which mood it is written is hidden beside it; its words are put together from
 * many parts, with typing errors, second topics and now and then nothing one could go by, so that no reader can be always right.
 */
import { dayNumber } from '../../calendar.ts'
import type { Market } from '../../market.ts'
import { chance, type Dice, diceFor, integerBetween, pick } from '../../random.ts'
import { nextNumber, run } from '../../statements.ts'
import { cancelOrder, changeAddress, whereIsMyOrder } from './delivery.ts'
import { invoice, other, productQuestion, refundStatus, returnRequest } from './money.ts'
import { CLOSINGS, GREETINGS, LEADS, ORDER_NAMES, type Phrases, VAGUE } from './phrases.ts'
import { complaint, damagedItem, praise, wrongItem } from './trouble.ts'

export const PHRASES = {
  where_is_my_order: whereIsMyOrder,
  return_request: returnRequest,
  refund_status: refundStatus,
  damaged_item: damagedItem,
  wrong_item: wrongItem,
  cancel_order: cancelOrder,
  change_address: changeAddress,
  product_question: productQuestion,
  invoice,
  complaint,
  praise,
  other,
} as const satisfies Record<string, Phrases>

export type Intent = keyof typeof PHRASES
export type Sentiment = keyof typeof LEADS
export const INTENTS = Object.keys(PHRASES) as readonly Intent[]

export interface LetterContext {
  readonly intent: Intent
  readonly sentiment: Sentiment
  /** since whatever it is that the letter is about */
  readonly days: number
  readonly email: string
  readonly name: string
  readonly order_id: number | undefined
  /** the product's title */
  readonly product: string
}

const CITIES = ['Berlin', 'Utrecht', 'Graz', 'Lyon', 'Gent', 'Bologna', 'Leipzig', 'Nantes', 'Sevilla']
/** Most people who write of one of these have the other on their mind too. */
const SECOND_TOPICS = [
  'invoice',
  'change_address',
  'return_request',
  'where_is_my_order',
  'product_question',
  'praise',
  'refund_status',
] as const

export interface Letter {
  readonly subject: string
  readonly body: string
}

export const writeLetter = (dice: Dice, about: LetterContext): Letter => {
  const phrases: Phrases = PHRASES[about.intent]
  const filled = slots(dice, about)
  const subject = chance(dice, 0.12) ? '' : filled(pick(dice, phrases.subjects))
  const core = chance(dice, 0.04) ? pick(dice, VAGUE) : pick(dice, phrases.cores)
  const parts = [
    chance(dice, 0.7) ? pick(dice, GREETINGS) : '',
    about.sentiment === 'neutral' && chance(dice, 0.6)
      ? ''
      : chance(dice, 0.8)
        ? pick(dice, LEADS[about.sentiment])
        : '',
    core,
    chance(dice, 0.45) ? pick(dice, phrases.details) : '',
    chance(dice, 0.65) ? pick(dice, phrases.asks) : '',
    chance(dice, 0.08) ? `By the way: ${lowerFirst(pick(dice, PHRASES[pick(dice, SECOND_TOPICS)].cores))}` : '',
    chance(dice, 0.6) ? pick(dice, CLOSINGS[about.sentiment]) : '',
    chance(dice, 0.55) ? (about.name.split(' ')[0] ?? '') : '',
  ]
  const body = filled(parts.filter((part) => part !== '').join(' '))
  return { subject: subject === '' ? '(no subject)' : subject, body: byHand(dice, body, about.sentiment) }
}

const slots = (dice: Dice, about: LetterContext): ((text: string) => string) => {
  const named =
    about.order_id === undefined ? 'my order' : pick(dice, ORDER_NAMES).replace('{n}', String(about.order_id))
  const thing = about.product.split(' in ')[0]?.split(' ').slice(-2).join(' ').toLowerCase() ?? 'thing'
  const city = pick(dice, CITIES)
  const values: Record<string, string> = {
    order: named,
    product: about.product,
    thing,
    city,
    days: String(Math.max(3, about.days)),
  }
  return (text) => text.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** People type in a hurry: small letters, missing and swapped ones, shouting. */
const byHand = (dice: Dice, text: string, sentiment: Sentiment): string => {
  let written = text
  if (chance(dice, 0.12)) written = written.toLowerCase()
  if (sentiment === 'angry' && chance(dice, 0.18)) written = written.toUpperCase()
  if (sentiment === 'angry' && chance(dice, 0.3)) written = written.replaceAll('. ', '! ')
  const slips = chance(dice, 0.35) ? integerBetween(dice, 1, 3) : 0
  for (let at = 0; at < slips; at++) written = slip(dice, written)
  return written
}

const slip = (dice: Dice, text: string): string => {
  const at = integerBetween(dice, 1, Math.max(1, text.length - 3))
  const two = text.slice(at, at + 2)
  if (!/^[a-z]{2}$/.test(two)) return text
  const typed = chance(dice, 0.5) ? `${two[1]}${two[0]}` : `${two[1]}`
  return text.slice(0, at) + typed + text.slice(at + 2)
}

export const openTicket = (market: Market, today: string, about: LetterContext): string => {
  const ticket_id = `t_${nextNumber(market.db, 'tickets')}`
  writeTicket(market, today, ticket_id, about)
  return ticket_id
}

export const writeTicket = (market: Market, today: string, ticket_id: string, about: LetterContext): void => {
  const dice = diceFor(market.seed, dayNumber(today), `${about.email} ${about.intent}`, 'letter')
  const { subject, body } = writeLetter(dice, about)
  // one in ten does not say which order it is; the address tells
  const order_id = about.order_id === undefined || chance(dice, 0.1) ? null : about.order_id
  const kept = order_id ?? (needsOrder(about.intent) ? (about.order_id ?? null) : null)
  run(
    market.db,
    "INSERT INTO tickets VALUES (?, ?, ?, ?, ?, ?, 'open')",
    ticket_id,
    today,
    about.email,
    kept,
    subject,
    body,
  )
  run(market.db, 'INSERT INTO hidden_tickets VALUES (?, ?, ?)', ticket_id, about.intent, about.sentiment)
}

/** What is to be paid back has to be known by its order. */
const needsOrder = (intent: Intent): boolean =>
  intent === 'damaged_item' ||
  intent === 'wrong_item' ||
  intent === 'return_request' ||
  intent === 'cancel_order' ||
  intent === 'complaint'
