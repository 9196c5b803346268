import { expect, test } from 'vitest'
import { pageDifferences } from './page-differences.ts'

test('addresses and lines are named', () => {
  const before = '<p>\n  one\n</p>\n<img src="https://a.example/x.png">\n'
  const after = '<p>\n  two\n</p>\n<img src="https://b.example/y.png">\n<b>'
  expect(pageDifferences(before, after)).toEqual([
    'page: new address https://b.example',
    'page: address gone https://a.example',
    'page, line 2: “one” → “two”',
    'page, line 4: “<img src="https://a.example/x.png">” → “<img src="https://b.example/y.png">”',
    'page, line 5: “” → “<b>”',
  ])
})

test('of a long line only the place that differs is shown, and of many lines a few', () => {
  const program = 'x'.repeat(5000)
  expect(pageDifferences(`${program}1${program}`, `${program}2${program}`)).toEqual([
    expect.stringMatching(/^page, line 1: “…x{60}1x{59}…” → “…x{60}2x{59}…”$/),
  ])
  const lines = (word: string): string => Array.from({ length: 30 }, (_, index) => `${word} ${index}`).join('\n')
  expect(pageDifferences(lines('a'), lines('b')).at(-1)).toBe('page: 20 more lines differ')
})

test('the same page has no differences', () => {
  expect(pageDifferences('a\nb', 'a\nb')).toEqual([])
})
