/**
 * Writes customers' tickets. The true intent and mood are stored in a hidden table. The text is composed of many parts, with typos,
 * second topics and sometimes no usable information, so that no reader can always be right.
 */
import type { Intent, Sentiment, Ticket } from '../../../ports.ts'
import { dayNumber } from '../../calendar.ts'
import type { Market } from '../../market.ts'
import { chance, type Dice, diceFor, integerBetween, pick } from '../../random.ts'
import { insert, nextId } from '../../statements.ts'
import { PHRASES } from './letter-texts.ts'
import { CLOSINGS, GREETINGS, LEADS, ORDER_NAMES, VAGUE } from './phrases.ts'

export interface LetterContext {
  readonly intent: Intent
  readonly sentiment: Sentiment
  /** days since the event that the letter is about */
  readonly days: number
  readonly email: string
  readonly name: string
  readonly order_id: number | undefined
  /** the product's title */
  readonly product: string
}

const CITIES = ['Berlin', 'Utrecht', 'Graz', 'Lyon', 'Gent', 'Bologna', 'Leipzig', 'Nantes', 'Sevilla']
/** Topics that a letter may mention besides its own. */
const SECOND_TOPICS = [
  'invoice',
  'change_address',
  'return_request',
  'where_is_my_order',
  'product_question',
  'praise',
  'refund_status',
] as const

export const writeLetter = (dice: Dice, about: LetterContext): Pick<Ticket, 'subject' | 'body'> => {
  const phrases = PHRASES[about.intent]
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

/** Imitates hurried typing: lower case, missing and swapped letters, shouting. */
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
  const ticket_id = nextId(market.db, 'tickets')
  writeTicket(market, today, ticket_id, about)
  return ticket_id
}

export const writeTicket = (market: Market, today: string, ticket_id: string, about: LetterContext): void => {
  const dice = diceFor(market.seed, dayNumber(today), `${about.email} ${about.intent}`, 'letter')
  const { subject, body } = writeLetter(dice, about)
  // One in ten does not name the order. The email address still identifies the customer.
  const order_id = about.order_id === undefined || chance(dice, 0.1) ? null : about.order_id
  const kept = order_id ?? (JUSTIFIED.includes(about.intent) ? (about.order_id ?? null) : null)
  const { email, intent, sentiment } = about
  insert(market.db, 'tickets', { ticket_id, opened_on: today, email, order_id: kept, subject, body, status: 'open' })
  insert(market.db, 'hidden_tickets', { ticket_id, intent, sentiment })
}

/** Intents that may lead to a refund, which needs to know its order. */
export const JUSTIFIED = ['damaged_item', 'wrong_item', 'return_request', 'cancel_order', 'complaint']
