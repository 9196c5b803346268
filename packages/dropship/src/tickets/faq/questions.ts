/**
 * The questions that an FAQ can contain. A group of tickets gets the first question of its intent whose cue enough of them share. The
 * shop wrote the questions, so that nothing a customer wrote is ever published.
 */
import type { Intent } from '../intents.ts'

export interface Question {
  readonly question: string
  /** name of a cue in cues.ts; without one the question fits every group */
  readonly cue?: string
  /** words to search for in the policy */
  readonly about: string
  /** topics of the policies that answer the question, best first; default: the one of the intent */
  readonly policies?: readonly string[]
}

export const QUESTIONS: Readonly<Partial<Record<Intent, readonly Question[]>>> = {
  where_is_my_order: [
    { question: 'How do I follow my parcel?', cue: 'tracking', about: 'tracking number email' },
    {
      question: 'My order is late. What happens now?',
      cue: 'late',
      about: 'order has not come after announced date money back',
    },
    {
      question: 'When will my order be sent?',
      cue: 'has it been sent',
      about: 'hand orders to the carrier within days',
    },
    { question: 'When will my order arrive?', about: 'arrives within days' },
  ],
  return_request: [
    {
      question: 'Do I get a return label, and what does a return cost?',
      cue: 'return label',
      about: 'return label shipping free',
    },
    {
      question: 'It does not fit or suit me. Can I send it back?',
      cue: 'does not fit or suit',
      about: 'send back within days without reason unused',
    },
    {
      question: 'How do I return something, and until when?',
      about: 'send back within days of receiving label',
      policies: ['returns', 'refunds'],
    },
  ],
  refund_status: [{ question: 'When do I get my money back?', about: 'pay refunds within days bank' }],
  damaged_item: [
    {
      question: 'Something stopped working. What can I do?',
      cue: 'does not work',
      about: 'fails repair replace warranty',
      policies: ['warranty', 'damage'],
    },
    {
      question: 'Something arrived damaged. What can I do?',
      about: 'arrives broken tell us full price or replacement',
    },
  ],
  wrong_item: [
    {
      question: 'Part of my order is missing. What can I do?',
      cue: 'something missing',
      about: 'incomplete tell us replacement',
    },
    { question: 'I got the wrong thing. What can I do?', about: 'not what you ordered replacement full price back' },
  ],
  cancel_order: [{ question: 'Can I cancel my order?', about: 'order cancelled until shipped paid back' }],
  change_address: [
    { question: 'Can I change the delivery address of my order?', about: 'address changed until shipped' },
  ],
  invoice: [{ question: 'How do I get an invoice?', about: 'invoice email company name vat number' }],
  product_question: [
    {
      question: 'Is there a warranty on the products?',
      cue: 'faulty',
      about: 'warranty months',
      policies: ['warranty'],
    },
    {
      question: 'What is known of a product: size, material, what it works with?',
      about: 'answer every message within day',
    },
  ],
}
