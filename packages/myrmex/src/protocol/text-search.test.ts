/** Occurrences of a text in another: what `indexOf` finds, also if they overlap, and in linear time for texts that are made to be slow. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Span, searchCost, spansOf } from './text-search.ts'

function naive(pattern: string, text: string): Span[] {
  const covered = new Array<boolean>(text.length).fill(false)
  const starts = [...text].flatMap((_, at) => (text.startsWith(pattern, at) ? [at] : []))
  for (const at of starts) covered.fill(true, at, at + pattern.length)
  const spans: Span[] = []
  for (const at of starts) {
    const last = spans.at(-1)
    if (last !== undefined && at < last.end) last.end = at + pattern.length
    else spans.push({ start: at, end: at + pattern.length })
  }
  return spans
}

const word = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength })

test('finds all occurrences, in short and in long texts', () => {
  const padding = 'c'.repeat(30_000)
  fc.assert(
    fc.property(word(6), word(40), (pattern, text) => {
      const expected = naive(pattern, text)
      expect(spansOf(pattern, text)).toEqual(expected)
      expect(spansOf(pattern, text + padding)).toEqual(expected)
    }),
  )
})

test.each([
  ['a'.repeat(50_000), 'a'.repeat(500_000), [{ start: 0, end: 500_000 }]],
  [`${'a'.repeat(25_000)}b${'a'.repeat(25_000)}`, 'a'.repeat(500_000), []],
  [`${'a'.repeat(50_000)}b`, 'a'.repeat(500_000), []],
])('a pattern that nearly fits everywhere takes no longer', (pattern, text, expected) => {
  expect(searchCost(pattern, text)).toBeLessThan(3_000_000)
  expect(spansOf(pattern, text)).toEqual(expected)
})
