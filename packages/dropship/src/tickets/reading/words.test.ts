import { withTimeLimit } from '@myrmex/testing/time-limit'
import { expect, test } from 'vitest'
import { differByOneTypo, spellingCorrector } from '../model/spelling.ts'
import { MAX_READ, mattersOf, normalised, plainText, withoutCourtesies } from './words.ts'

test('numbers, links and addresses are replaced by what they are', () => {
  expect(normalised('See https://evil.example/x?y=1, mail me at a.b@c.example about order 1042 of 49.90 EUR')).toBe(
    'see alink mail me at anemail about order anordernumber of anamount',
  )
})

test('contractions are spelled out, so that a negation is seen', () => {
  expect(normalised("I haven't got it and it won't work, wheres it?")).toContain('have not got it')
  expect(normalised("It won't work at all")).toContain('will not work')
})

test('politeness is left out, and a message of nothing else stays', () => {
  expect(withoutCourtesies('hello team, where is my parcel? thanks in advance. best regards anna')).toBe(
    'where is my parcel?',
  )
  expect(withoutCourtesies('thank you!')).toBe('thank you!')
})

test('markup and hidden characters do not get through, and there is an end to what is read', () => {
  expect(plainText('a<script>alert(1)</script>b\u200b\u202ec')).toBe('a alert(1) bc')
  expect(plainText('x'.repeat(1_000_000))).toHaveLength(MAX_READ)
})

test('hostile text of any length is read in a blink', () => {
  const pieces = ['not ', 'a@', '<', 'thanks ', '1.', 'where is my ', 'https://', "I'", 'hello, ', '. also ']
  withTimeLimit(2_000, () => {
    for (const piece of pieces) normalised(piece.repeat(20_000))
  })
})

test('a message that turns to another matter is cut there', () => {
  expect(mattersOf('The mug is broken. By the way: where is my invoice?')).toEqual([
    'The mug is broken',
    'By the way: where is my invoice?',
  ])
  expect(mattersOf('Where is my parcel?')).toEqual(['Where is my parcel?'])
})

test.each([
  ['recieved', 'received', true],
  ['pakage', 'package', true],
  ['packkage', 'package', true],
  ['pockage', 'package', true],
  ['garage', 'package', false],
])('%s and %s are one slip apart: %s', (a, b, apart) => {
  expect(differByOneTypo(a, b)).toBe(apart)
  expect(differByOneTypo(b, a)).toBe(apart)
})

test('a typo is corrected only to a known word', () => {
  const mend = spellingCorrector(['receiv', 'packag'])
  expect(mend('reciev')).toBe('receiv')
  expect(mend('xylophon')).toBe('xylophon')
})
