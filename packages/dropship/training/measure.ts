/** Measures how well labelled tickets are read, for tests and the bench. The shop itself never sees the labels. */
import type { Ticket } from '../src/ports.ts'
import { SURE_ENOUGH } from '../src/tickets/intents.ts'
import { readTicket } from '../src/tickets/reading/read-ticket.ts'
import { calibrationError } from './regression.ts'

export interface LabelledTicket extends Pick<Ticket, 'subject' | 'body'> {
  readonly intent: string
  readonly sentiment: string
}

export interface ReadingAccuracy {
  readonly tickets: number
  /** share of tickets read with enough confidence to answer, 0 to 1 */
  readonly answered: number
  readonly accuracy: number
  readonly accuracy_answered: number
  /** expected calibration error over ten bins */
  readonly ece: number
  readonly sentiment_accuracy: number
}

const shareOf = <T>(all: readonly T[], holds: (one: T) => boolean): number =>
  all.filter(holds).length / Math.max(1, all.length)

export async function measureReading(tickets: readonly LabelledTicket[]): Promise<ReadingAccuracy> {
  const judged = []
  for (const ticket of tickets) {
    const { topics, mood } = await readTicket(ticket)
    const [{ intent, confidence }] = topics
    judged.push({ confidence, right: intent === ticket.intent, mood: mood.sentiment === ticket.sentiment })
  }
  const sure = judged.filter(({ confidence }) => confidence >= SURE_ENOUGH)
  return {
    tickets: tickets.length,
    answered: sure.length / Math.max(1, judged.length),
    accuracy: shareOf(judged, ({ right }) => right),
    accuracy_answered: shareOf(sure, ({ right }) => right),
    ece: calibrationError(judged),
    sentiment_accuracy: shareOf(judged, ({ mood }) => mood),
  }
}
