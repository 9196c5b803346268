import { expect, test } from 'vitest'
import { asSentence, clip, fit, plural, wholeAt } from './text.ts'

test('a long text is cut, and a character of two units never in half', () => {
  expect(clip('abc', 3)).toBe('abc')
  expect(clip('abcd', 3)).toBe('abc…')
  // The emoji takes units 2 and 3.
  expect(clip('ab😀cd', 3)).toBe('ab…')
  expect(clip('ab😀cd', 4)).toBe('ab😀…')
  for (let most = 0; most < 12; most++) expect(clip('😀'.repeat(6), most).isWellFormed()).toBe(true)
  expect([fit('abcd', 4), fit('abcde', 4), fit('ab😀de', 4)]).toEqual(['abcd', 'abc…', 'ab…'])
  expect(wholeAt('a😀', 2)).toBe(1)
  // A lone half was there before; nothing is taken away because of it.
  expect(clip('a\udc00bc', 1)).toBe('a…')
})

test('counts agree with their noun', () => {
  expect([0, 1, 2, 1234].map((count) => plural(count, 'ticket'))).toEqual([
    '0 tickets',
    '1 ticket',
    '2 tickets',
    '1,234 tickets',
  ])
  expect(plural(2, 'reply', 'replies')).toBe('2 replies')
})

test('sentences begin with a capital letter and end with a full stop', () => {
  expect(asSentence('it is full')).toBe('It is full.')
  expect(asSentence('Is it?')).toBe('Is it?')
})
