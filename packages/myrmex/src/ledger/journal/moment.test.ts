import { expect, test } from 'vitest'
import { parseMoment } from './moment.ts'

const NOW = Date.UTC(2026, 2, 31, 12)

test.each([
  ['90s', NOW - 90_000],
  ['15m', NOW - 900_000],
  ['2h', NOW - 7_200_000],
  ['3d', NOW - 259_200_000],
  ['1w', NOW - 604_800_000],
  ['2026-03-31T10:00:00Z', Date.UTC(2026, 2, 31, 10)],
  ['2026-03-31 10:00:00.250+02:00', Date.UTC(2026, 2, 31, 8, 0, 0, 250)],
  ['2026-03-31T10:00', new Date(2026, 2, 31, 10).getTime()],
  ['2026-03-31', new Date(2026, 2, 31).getTime()],
])('%s is a moment', (text, expected) => {
  expect(parseMoment(text, 'start', NOW)).toBe(expected)
})

test('a date is a whole day: its end is the last millisecond of it', () => {
  expect(parseMoment('2026-03-31', 'end')).toBe(new Date(2026, 3, 1).getTime() - 1)
  expect(parseMoment('2026-03-31T10:00', 'end')).toBe(new Date(2026, 2, 31, 10).getTime())
})

test.each(['', 'yesterday', '5', '2h30m', '-2h', '2026-02-31', '2026-13-01', '2026-3-1', '2026-03-31T25:00', '2026'])(
  '"%s" is none, and the error shows what would be',
  (text) => {
    expect(() => parseMoment(text)).toThrow(`Invalid time "${text}". Give a date (2026-03-31)`)
  },
)
