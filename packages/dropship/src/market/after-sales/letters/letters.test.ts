/** Letters and people: varied enough to be a task, and shaped as real ones are. */
import { expect, test } from 'vitest'
import { INTENTS, type Sentiment } from '../../../ports.ts'
import { diceFor } from '../../random.ts'
import { drawCustomer } from '../../sales/customers.ts'
import { PHRASES } from './letter-texts.ts'
import { type LetterContext, writeLetter } from './write-letter.ts'

const about = (intent: LetterContext['intent'], sentiment: Sentiment): LetterContext => ({
  intent,
  sentiment,
  days: 9,
  email: 'a@example.com',
  name: 'Anna Becker',
  order_id: 1042,
  product: 'Rattan Table Lamp',
})

test.each(INTENTS)('%s has at least twelve ways of being said, each its own', (intent) => {
  const { cores, asks, details, subjects } = PHRASES[intent]
  expect(new Set(cores).size).toBeGreaterThanOrEqual(12)
  for (const parts of [asks, details, subjects]) expect(new Set(parts).size).toBeGreaterThanOrEqual(5)
})

test('letters leave no slot open, and hardly any two are alike', () => {
  const letters = INTENTS.flatMap((intent) =>
    Array.from({ length: 60 }, (_, at) =>
      writeLetter(diceFor(1, at, intent, 'letter'), about(intent, at % 2 === 0 ? 'angry' : 'neutral')),
    ),
  )
  for (const { subject, body } of letters) {
    expect(`${subject} ${body}`).not.toMatch(/[{}]|undefined/)
    expect(body.length).toBeGreaterThan(10)
  }
  expect(new Set(letters.map(({ body }) => body)).size).toBeGreaterThan(letters.length * 0.97)
})

const SHAPES: Readonly<Record<string, RegExp>> = {
  DE: /^\d{5}$/,
  FR: /^\d{5}$/,
  IT: /^\d{5}$/,
  ES: /^\d{5}$/,
  AT: /^\d{4}$/,
  BE: /^\d{4}$/,
  NL: /^\d{4} [A-Z]{2}$/,
  PL: /^\d{2}-\d{3}$/,
}

test('customers live somewhere: the postal code has the shape of the country, the email is at a domain for examples', () => {
  const people = Array.from({ length: 500 }, (_, at) => drawCustomer(diceFor(3, at, 'people', 'test')))
  for (const { email, address } of people) {
    expect(address.postal_code).toMatch(SHAPES[address.country] ?? /^$/)
    expect(address.street).toMatch(/\d/)
    expect(email).toMatch(/^[a-z]+\.[a-z]+\d+@example\.(com|org|net)$/)
  }
  expect(new Set(people.map(({ address }) => address.country)).size).toBe(Object.keys(SHAPES).length)
})
