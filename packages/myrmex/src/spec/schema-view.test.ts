import { withTimeLimit } from '@myrmex/testing/time-limit'
import { expect, test } from 'vitest'
import { fieldsOf, typeInWords } from './schema-view.ts'

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
  [{ enum: ['a', 1, null] }, '"a" or 1 or null'],
  [{ const: 'x' }, '"x"'],
  [{ type: 'array', items: { type: ['string', 'number'] } }, 'array of string or number'],
  [{ type: 'array' }, 'array'],
  [{ allOf: [{ description: 'only words' }, { type: 'boolean' }] }, 'boolean'],
  [{ properties: {} }, 'object'],
  [{}, 'any'],
  [true, 'any'],
  [{ $ref: '#/$defs/id' }, 'string'],
  [{ $ref: '#/$defs/nowhere' }, 'any'],
  [{ $ref: 'https://example.com/x' }, 'any'],
])('%j is said as %s', (schema, words) => {
  expect(typeInWords(schema, { $defs: { id: { type: 'string' } } })).toBe(words)
})

test('a long list of values is cut, and says how many more there are', () => {
  const words = typeInWords({ enum: Array.from({ length: 50 }, (_, index) => `value-${index}`) }, {})
  expect(words).toMatch(/^"value-0" or .* or 4\d more$/)
  expect(words.length).toBeLessThan(90)
  const thousand = typeInWords({ enum: Array.from({ length: 1000 }, (_, index) => `value-${index}`) }, {})
  expect(thousand).toMatch(/^"value-0" or .* or 99\d more$/)
})

test('schemas that contain themselves many times over take no time', () => {
  const self = { $ref: '#' }
  const choices = { anyOf: Array.from({ length: 100 }, () => self) }
  expect(withTimeLimit(500, () => typeInWords(choices, choices))).toBe('any')
  const wide = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, self])),
  }
  const rows = withTimeLimit(500, () => fieldsOf(wide))
  expect(rows.length).toBeLessThan(800)
  expect(rows.filter(({ depth }) => depth === 1)).toHaveLength(200)
})
