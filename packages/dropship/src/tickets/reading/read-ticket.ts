/** Reads a ticket: its topics, the writer's mood, the language, and reasons to involve a person. */
import { type Language, languageOf } from 'myrmex/english'
import type { Ticket } from '../../ports.ts'
import { type Alarm, findAlarms } from './alarms.ts'
import { type Mood, readMood } from './mood.ts'
import { findTopics, type Topic } from './topics.ts'
import { plainText } from './words.ts'

export interface TicketReading {
  /** the main one first */
  readonly topics: readonly [Topic, ...Topic[]]
  readonly mood: Mood
  readonly language: Language
  readonly alarms: readonly Alarm[]
  /** order numbers named in the text */
  readonly order_ids: readonly string[]
}

const MOST_ORDERS = 5

export async function readTicket({ subject, body }: Pick<Ticket, 'subject' | 'body'>): Promise<TicketReading> {
  const whole = `${subject}. ${body}`
  const text = plainText(whole)
  const [topics, mood] = await Promise.all([findTopics(text), readMood(text)])
  return { topics, mood, language: languageOf(text), alarms: findAlarms(whole), order_ids: orderNumbers(text) }
}

export function orderNumbers(text: string): string[] {
  const found = text.matchAll(/(?:#\s?|\border(?:\s+(?:number|no\.?|nr\.?|id))?\s*:?\s*#?\s?|\bo_)(\d{1,15})\b/gi)
  return [...new Set([...found].map(([, digits]) => String(Number(digits))))].slice(0, MOST_ORDERS)
}
