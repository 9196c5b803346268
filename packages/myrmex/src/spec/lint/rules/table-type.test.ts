import { describe, expect, test } from 'vitest'
import { findField } from './table-field.ts'
import { typeDiffers } from './table-type.ts'

const STRING = { type: 'string' }
const NULLABLE = { type: ['string', 'null'] }
const CHOICE = { enum: ['a', 'b'] }
const LIST = { type: 'array', items: { type: 'string' } }
const INTEGER = { type: 'integer' }
const OBJECT = { type: 'object' }
const EITHER = { anyOf: [{ type: 'string' }, { type: 'integer' }] }

test.each<[words: string, schema: object]>([
  ['string', STRING],
  ['str', STRING],
  ['String', STRING],
  ['string (uuid)', STRING],
  ['int', INTEGER],
  ['integer', INTEGER],
  ['integer (>= 1)', INTEGER],
  ['float', { type: 'number' }],
  ['bool', { type: 'boolean' }],
  ['string or null', NULLABLE],
  ['string | null', NULLABLE],
  ['null/string', NULLABLE],
  ['string, integer', EITHER],
  ['"a" or "b"', CHOICE],
  ["'a', 'b'", CHOICE],
  ['"a" | "b"', CHOICE],
  ['"a" or 1 more', CHOICE],
  ['"a" or …', CHOICE],
  ['enum', CHOICE],
  ['string', CHOICE],
  ['1 or 2', { enum: [1, 2] }],
  ['number', { enum: [1, 2.5] }],
  ['"a" or "b"', { anyOf: [{ const: 'a' }, { const: 'b' }] }],
  ['"a, or b"', { const: 'a, or b' }],
  ['array', LIST],
  ['array of string', LIST],
  ['list of strings', LIST],
  ['string[]', LIST],
  ['Array<string>', LIST],
  ['list[str]', LIST],
  ['array of string or null', LIST],
  ['dict', OBJECT],
  ['dict[str, int]', OBJECT],
])('%s is what %j says', (words, schema) => {
  expect(typeDiffers(words, schema as never, schema as never)).toBeUndefined()
})

test.each<[words: string, schema: object, says: string]>([
  ['string', INTEGER, 'integer'],
  ['number', INTEGER, 'integer'],
  ['string', NULLABLE, 'string or null'],
  ['string or null', STRING, 'string'],
  ['enum', STRING, 'string'],
  ['"a"', CHOICE, '"a" or "b"'],
  ['"a" or "c"', CHOICE, '"a" or "b"'],
  ['"c" or 1 more', CHOICE, '"a" or "b"'],
  ['integer[]', LIST, 'array of string'],
  ['array of integers', LIST, 'array of string'],
  ['object', LIST, 'array of string'],
  ['array', OBJECT, 'object'],
  ['string', EITHER, 'string or integer'],
])('%s is not what %j says', (words, schema, says) => {
  expect(typeDiffers(words, schema as never, schema as never)).toBe(says)
})

test.each(['uuid', 'Path', 'any', 'whatever it takes', 'Optional[str]', '', '"', '|', ' or ', 'x'.repeat(5000)])(
  'words that are not understood pass: %s',
  (words) => {
    expect(typeDiffers(words, INTEGER, INTEGER)).toBeUndefined()
  },
)

test('a reference is followed, one that goes round is not', () => {
  const root = { $defs: { line: { type: 'object' }, round: { $ref: '#/$defs/round' } } }
  expect(typeDiffers('object', { $ref: '#/$defs/line' }, root)).toBeUndefined()
  expect(typeDiffers('string', { $ref: '#/$defs/line' }, root)).toBe('object')
  expect(typeDiffers('string', { $ref: '#/$defs/round' }, root)).toBeUndefined()
})

describe('a field by its name in a table', () => {
  const root = {
    type: 'object',
    properties: {
      'a.b': { type: 'null' },
      address: { $ref: '#/$defs/address' },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } },
      prices: { type: 'object', additionalProperties: { type: 'number' } },
      free: { type: 'object', patternProperties: { '^x': {} } },
      loop: { $ref: '#' },
    },
    required: ['lines'],
    allOf: [{ properties: { extra: { type: 'string' } }, required: ['address'] }],
    $defs: { address: { type: 'object', properties: { city: { type: 'string' } } } },
  }

  test.each<[name: string, type: string, required: boolean | undefined]>([
    ['lines', 'array', true],
    ['extra', 'string', false],
    ['address', 'object', undefined],
    ['address.city', 'string', false],
    ['lines[].sku', 'string', true],
    ['lines[0].sku', 'string', true],
    ['lines[]', 'object', undefined],
    ['a.b', 'null', false],
    ['loop.loop.lines', 'array', true],
  ])('%s', (name, type, required) => {
    expect(findField(name, root)).toMatchObject({ schema: { type }, required })
  })

  test.each([
    'nothing',
    'address.street',
    'lines.sku',
    'lines[].price',
    '__proto__',
    'constructor',
    'prices.main',
    '[]',
    '.',
  ])('%s is not there', (name) => expect(findField(name, root)).toBe('none'))

  test.each(['free.anything', 'prices.<place>', 'prices.*'])('%s may be there', (name) => {
    expect(findField(name, root)).toBe('unknown')
  })
})
