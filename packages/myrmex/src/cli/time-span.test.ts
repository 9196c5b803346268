import { expect, test } from 'vitest'
import { formatSpan, parseExpiry } from './time-span.ts'

const SECOND = 1000
const [MINUTE, HOUR, DAY] = [60 * SECOND, 3600 * SECOND, 86_400 * SECOND]
const NOW = Date.UTC(2026, 2, 31, 12)

test.each([
  [0, '0 seconds'],
  [-5 * SECOND, '0 seconds'],
  [1.4 * SECOND, '1 second'],
  [119 * SECOND, '119 seconds'],
  [59.9 * MINUTE, '60 minutes'],
  [1.5 * HOUR, '90 minutes'],
  [DAY - 1, '24 hours'],
  [7 * DAY - SECOND, '7 days'],
])('%d ms are %s', (milliseconds, words) => {
  expect(formatSpan(milliseconds)).toBe(words)
})

test.each([
  ['90s', NOW + 90 * SECOND],
  ['15m', NOW + 15 * MINUTE],
  ['7d', NOW + 7 * DAY],
  ['2w', NOW + 14 * DAY],
  ['2026-04-01T10:00Z', Date.UTC(2026, 3, 1, 10)],
])('%s from now on ends when it says', (text, end) => {
  expect(parseExpiry(text, NOW)).toBe(end)
})

test('a date is included to its end', () => {
  expect(parseExpiry('2026-04-01', NOW)).toBe(new Date(2026, 3, 2).getTime() - 1)
})

test.each([
  ['soon', /"soon" is not a valid expiry/],
  ['', /"" is not a valid expiry/],
  ['-7d', /is not a valid expiry/],
  ['2001-01-01', /is not in the future/],
  ['0d', /is not in the future/],
  ['99999999999999d', /is not in the future/],
  ['2999-02-31', /Invalid time/],
])('%j is refused', (text, message) => {
  expect(() => parseExpiry(text, NOW)).toThrow(message)
})
