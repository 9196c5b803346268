/** Changes in one of several choices, where another choice has something of the same name. */
import * as z from 'zod'
import { type Case, field, gives, inputOf, parameter, string, takes } from './case.ts'

const note = { note: z.string().optional() }
const card = z.object({ by: z.literal('card'), number: z.string() })
const bank = z.object({ by: z.literal('bank'), iban: z.string() })
const cash = z.object({ by: z.literal('cash') })
const one = (...choices: [z.ZodObject, ...z.ZodObject[]]): z.ZodType => z.discriminatedUnion('by', choices as never)
const limit = (value: number) => ({ limit: z.int().default(value) })
const noLimit = { limit: z.int().optional() }
const token = (secret: boolean) => ({
  type: 'object',
  properties: { token: { type: 'string', ...(secret && { 'x-secret': true }) } },
})

export const CHOICES: Case[] = [
  [
    'a parameter of one choice that is gone and stays in the other',
    takes(one(card.extend(note), bank.extend(note))),
    takes(one(card.extend(note), bank)),
    'major',
    ['parameter-removed'],
  ],
  [
    'an output field of one choice that is gone and stays in the other',
    gives(one(card.extend(note), bank.extend(note))),
    gives(one(card.extend(note), bank)),
    'major',
    ['output-field-removed'],
  ],
  [
    'an output field that went from one choice, and with another',
    gives(one(card.extend(note), bank.extend(note), cash)),
    gives(one(card, cash)),
    'major',
    ['output-field-removed', 'output-narrowed', 'output-choice-removed'],
  ],
  [
    'a parameter of one choice that the other has, too, now',
    takes(one(card.extend(note), bank)),
    takes(one(card.extend(note), bank.extend(note))),
    'minor',
    ['input-widened'],
  ],
  [
    'an output field of one choice that the other has, too, now',
    gives(one(card.extend(note), bank)),
    gives(one(card.extend(note), bank.extend(note))),
    'minor',
    ['output-narrowed'],
  ],
  [
    'a parameter of one choice that all the others have beside',
    inputOf({ properties: { x: { properties: { note: string }, oneOf: [{ required: ['a'] }, { required: ['b'] }] } } }),
    inputOf({
      properties: {
        x: {
          properties: { note: string },
          oneOf: [{ required: ['a'], properties: { note: { type: 'number' } } }, { required: ['b'] }],
        },
      },
    }),
    'major',
    ['input-narrowed'],
  ],
  [
    'defaults that change places between choices',
    takes(one(card.extend(limit(1)), bank.extend(limit(2)))),
    takes(one(card.extend(limit(2)), bank.extend(limit(1)))),
    'major',
    ['default-changed', 'default-changed'],
  ],
  [
    'a default that only one choice still has',
    takes(one(card.extend(limit(1)), bank.extend(limit(1)))),
    takes(one(card.extend(limit(1)), bank.extend(noLimit))),
    'major',
    ['default-removed'],
  ],
  [
    'a default for a choice that had none, where another has one',
    takes(one(card.extend(limit(1)), bank.extend(noLimit))),
    takes(one(card.extend(limit(1)), bank.extend(limit(2)))),
    'minor',
    ['default-added'],
  ],
  [
    'a choice added that has another default for the same name',
    takes(one(card.extend(limit(1)), bank)),
    takes(one(card.extend(limit(1)), bank, cash.extend(limit(2)))),
    'minor',
    ['choice-added'],
  ],
  [
    'a secret that is no longer one in one choice',
    parameter({ oneOf: [token(true), { ...token(true), title: 'B' }] }),
    parameter({ oneOf: [token(true), { ...token(false), title: 'B' }] }),
    'major',
    ['secret-off'],
  ],
  [
    'choices in another order',
    takes(one(card.extend(limit(1)), bank.extend(limit(2)))),
    takes(one(bank.extend(limit(2)), card.extend(limit(1)))),
    'patch',
    ['schema-rewritten'],
  ],
  [
    'choices in another order, and one with a parameter more',
    takes(one(card, bank)),
    takes(one(bank, card.extend(note))),
    'minor',
    ['parameter-added'],
  ],
  [
    'a parameter gone from one element of a tuple',
    parameter({ type: 'array', prefixItems: [{ properties: { a: string } }, { properties: { a: string } }] }),
    parameter({ type: 'array', prefixItems: [{ properties: { a: string } }, { properties: {} }] }),
    'major',
    ['parameter-removed'],
  ],
  [
    'a map that becomes a list of names',
    takes(z.record(z.string(), z.string())),
    takes(z.object({ a: z.string().optional() })),
    'major',
    ['parameter-removed', 'parameter-added', 'input-widened', 'other-parameters-taken'],
  ],
  [
    'a map of one type that becomes free',
    parameter({ type: 'object', additionalProperties: string }),
    parameter({ type: 'object' }),
    'minor',
    ['other-parameters-taken'],
  ],
  ['an object that may be null', takes(card), takes(card.nullable()), 'minor', ['choice-added']],
  ['an object that comes as null', gives(card), gives(card.nullable()), 'major', ['output-choice-added']],
  [
    'an object that never comes as null any more, with a field more',
    gives(card.nullable()),
    gives(card.extend(note)),
    'minor',
    ['output-choice-removed', 'output-field-added'],
  ],
  [
    'an output format for another',
    field({ type: 'string', format: 'date-time' }),
    field({ type: 'string', format: 'date' }),
    'major',
    ['output-form-widened'],
  ],
]
