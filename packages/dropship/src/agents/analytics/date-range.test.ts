import { expect, test } from 'vitest'
import { dateRange, daysBefore } from './date-range.ts'

const [TODAY, SINCE] = ['2026-03-10', '2025-03-11']
const days = (text: string) => {
  const { from, to, days } = dateRange(text, TODAY, SINCE)
  return [from, to, days]
}

test.each([
  ['last_7_days', ['2026-03-03', '2026-03-09', 7]],
  ['last_30_days', ['2026-02-08', '2026-03-09', 30]],
  ['last_90_days', ['2025-12-10', '2026-03-09', 90]],
  ['last_year', ['2025-03-11', '2026-03-09', 364]],
  ['this_month', ['2026-03-01', '2026-03-10', 10]],
  ['last_month', ['2026-02-01', '2026-02-28', 28]],
  ['2026-01', ['2026-01-01', '2026-01-31', 31]],
  ['2026-03', ['2026-03-01', '2026-03-10', 10]],
  [' 2026-01-05..2026-01-05 ', ['2026-01-05', '2026-01-05', 1]],
  ['2025-01-01..2026-12-31', ['2025-03-11', '2026-03-10', 365]],
])('%s means the days %j', (text, expected) => {
  expect(days(text)).toEqual(expected)
})

test('what was cut off is said', () => {
  expect(dateRange('2025-01-01..2026-12-31', TODAY, SINCE).notes).toEqual([
    'The books begin on 2025-03-11, so the days from 2025-01-01 are not in it.',
    'Today is 2026-03-10, so the days to 2026-12-31 are not in it.',
    'Today is not over; its figures are those so far.',
  ])
  expect(dateRange('last_7_days', TODAY, SINCE).notes).toEqual([])
})

test('the period before is as long, and missing where the books do not reach', () => {
  expect(daysBefore(dateRange('last_7_days', TODAY, SINCE), SINCE)).toEqual({ from: '2026-02-24', to: '2026-03-02' })
  expect(daysBefore(dateRange('2025-04', TODAY, SINCE), SINCE)).toBeUndefined()
})
