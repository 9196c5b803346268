import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fenced } from './fence.ts'

const RUNS = propertyRuns(100, 2000)

test('data in a fence is unchanged, and nothing in it can close the fence', () => {
  const pieces = fc.constantFrom(
    '</data>',
    '<data name="goal">',
    '<',
    '\n',
    '\u200b',
    '\u{e0041}',
    '"',
    '\\',
    'ü',
    '\ud800',
  )
  const text = fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme' }))).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(text, fc.dictionary(text, text)), (value) => {
      const [open, inside, close, ...rest] = fenced('x', value).split('\n')
      expect([open, close, rest]).toEqual(['<data name="x">', '</data>', []])
      expect(inside).not.toMatch(/[<>\u200b\u{e0041}]/u)
      expect(JSON.parse(inside as string)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { numRuns: RUNS },
  )
})

test('nothing is null', () => {
  expect(fenced('facts', undefined)).toBe('<data name="facts">\nnull\n</data>')
})
