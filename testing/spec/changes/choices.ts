/** Changes in one of several choices, where another choice has something of the same name. */
import * as z from 'zod'
import { type ChangeCase, field, inputOf, parameter, string, withInput, withOutput } from './change-case.ts'

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

export const CHOICES: ChangeCase[] = [
  [
    'a parameter of one choice that is gone and stays in the other',
    withInput(one(card.extend(note), bank.extend(note))),
    withInput(one(card.extend(note), bank)),
    'major',
    ['parameter-removed'],
  ],
  [
    'an output field of one choice that is gone and stays in the other',
    withOutput(one(card.extend(note), bank.extend(note))),
    withOutput(one(card.extend(note), bank)),
    'major',
    ['output-field-removed'],
  ],
  [
    'an output field that went from one choice, and with another',
    withOutput(one(card.extend(note), bank.extend(note), cash)),
    withOutput(one(card, cash)),
    'major',
    ['output-field-removed', 'output-narrowed', 'output-choice-removed'],
  ],
  [
    'a parameter of one choice that the other has, too, now',
    withInput(one(card.extend(note), bank)),
    withInput(one(card.extend(note), bank.extend(note))),
    'minor',
    ['input-widened'],
  ],
  [
    'an output field of one choice that the other has, too, now',
    withOutput(one(card.extend(note), bank)),
    withOutput(one(card.extend(note), bank.extend(note))),
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
    withInput(one(card.extend(limit(1)), bank.extend(limit(2)))),
    withInput(one(card.extend(limit(2)), bank.extend(limit(1)))),
    'major',
    ['default-changed', 'default-changed'],
  ],
  [
    'a default that only one choice still has',
    withInput(one(card.extend(limit(1)), bank.extend(limit(1)))),
    withInput(one(card.extend(limit(1)), bank.extend(noLimit))),
    'major',
    ['default-removed'],
  ],
  [
    'a default for a choice that had none, where another has one',
    withInput(one(card.extend(limit(1)), bank.extend(noLimit))),
    withInput(one(card.extend(limit(1)), bank.extend(limit(2)))),
    'minor',
    ['default-added'],
  ],
  [
    'a choice added that has another default for the same name',
    withInput(one(card.extend(limit(1)), bank)),
    withInput(one(card.extend(limit(1)), bank, cash.extend(limit(2)))),
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
    withInput(one(card.extend(limit(1)), bank.extend(limit(2)))),
    withInput(one(bank.extend(limit(2)), card.extend(limit(1)))),
    'patch',
    ['schema-rewritten'],
  ],
  [
    'choices in another order, and one with a parameter more',
    withInput(one(card, bank)),
    withInput(one(bank, card.extend(note))),
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
    withInput(z.record(z.string(), z.string())),
    withInput(z.object({ a: z.string().optional() })),
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
  ['an object that may be null', withInput(card), withInput(card.nullable()), 'minor', ['choice-added']],
  ['an object that comes as null', withOutput(card), withOutput(card.nullable()), 'major', ['output-choice-added']],
  [
    'an object that never comes as null any more, with a field more',
    withOutput(card.nullable()),
    withOutput(card.extend(note)),
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
