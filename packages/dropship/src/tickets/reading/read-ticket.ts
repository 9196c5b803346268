/** Reads a ticket: its topics, the writer's mood, the language, and reasons to involve a person. */
import { type Language, languageOf } from 'myrmex/english'
import type { Ticket } from '../../ports.ts'
import type { Sentiment } from '../intents.ts'
import { classify, likeliest, type Reason } from '../model/classify.ts'
import { readModels } from '../model/model-file.ts'
import { polarity, sentimentFeatures } from '../model/sentiment-features.ts'
import { type Alarm, findAlarms } from './alarms.ts'
import { findTopics, type Topic } from './topics.ts'
import { plainText } from './words.ts'

/** How the writer feels, and the words that decided. */
export interface Mood {
  readonly sentiment: Sentiment
  readonly confidence: number
  readonly why: readonly Reason[]
}

export interface TicketReading {
  /** the main one first */
  readonly topics: readonly [Topic, ...Topic[]]
  readonly mood: Mood
  readonly language: Language
  readonly alarms: readonly Alarm[]
  /** order numbers named in the text */
  readonly order_ids: readonly string[]
}

const MAX_ORDERS = 5

export async function readTicket({ subject, body }: Pick<Ticket, 'subject' | 'body'>): Promise<TicketReading> {
  const whole = `${subject}. ${body}`
  const text = plainText(whole)
  const [topics, mood] = await Promise.all([findTopics(text), readMood(text)])
  return { topics, mood, language: languageOf(text), alarms: findAlarms(whole), order_ids: orderNumbers(text) }
}

export function orderNumbers(text: string): string[] {
  const found = text.matchAll(/(?:#\s?|\border(?:\s+(?:number|no\.?|nr\.?|id))?\s*:?\s*#?\s?|\bo_)(\d{1,15})\b/gi)
  return [...new Set([...found].map(([, digits]) => String(Number(digits))))].slice(0, MAX_ORDERS)
}

const MAX_REASONS = 6

async function readMood(text: string): Promise<Mood> {
  const [{ sentiment: model }, polarityOf] = await Promise.all([readModels(), polarity()])
  const found = sentimentFeatures(text, polarityOf)
  const kept = [...found.keys()].filter((feature) => feature in model.weights)
  const named = new Map(kept.map((feature) => [feature, nameOf(feature, found.get(feature) ?? '')]))
  const judged = classify(model, named, new Map(kept.map((feature) => [feature, 1])))
  const { label, chance } = likeliest<Sentiment>(judged.chances)
  return { sentiment: label, confidence: chance, why: judged.reasonsFor(label, MAX_REASONS) }
}

/** Such as `threat: lawyer`. The lexicon's grades have one name, because a reader does not need them. */
const nameOf = (feature: string, words: string): string => {
  const name = feature.replace(/ \d$/, '')
  return words === '' ? name : `${name}: ${words}`
}
