import { expect, test } from 'vitest'
import { coverOf, demandOf, orderQuantity, reorderPointOf } from './demand.ts'
import { pluralTitle } from './stock-text.ts'

test('mean and deviation are those of the days; few sales vary at least as counts do', () => {
  const steady = demandOf([4, 6, 4, 6, 4, 6, 4, 6])
  expect(steady).toMatchObject({ days: 8, units: 40, mean: 5 })
  // The sample deviation is 1.07; counts of 5 vary by √5.
  expect(steady.deviation).toBeCloseTo(Math.sqrt(5), 10)
  // Σ(x − 5)² = 4 × 5² + 12 × … of a wild row: 0, 20, 0, 0 has mean 5 and deviation 10.
  expect(demandOf([0, 20, 0, 0]).deviation).toBeCloseTo(10, 10)
  expect(demandOf([])).toEqual({ days: 0, units: 0, mean: 0, deviation: 0 })
})

test('the reorder point is demand over the lead time and 1.645 deviations of it', () => {
  const demand = demandOf([0, 20, 0, 0])
  // 5 × 9 + 1.645 × 10 × 3 = 94.35
  expect(reorderPointOf(demand, 9)).toBe(95)
  expect(reorderPointOf(demandOf([0, 0]), 9)).toBe(0)
})

test('cover is what is available by the rate, with the interval that the rate’s error leaves', () => {
  const cover = coverOf(50, demandOf([4, 6, 4, 6, 4, 6, 4, 6]))
  // error: 1.282 × √5 / √8 = 1.0135
  expect(cover).toEqual({ days: 10, low: 8.3, high: 12.5, sure: 'well' })
  expect(coverOf(50, demandOf([1, 0, 0, 0, 0, 0, 0, 0]))).toMatchObject({ days: 400, high: null, sure: 'hardly' })
  expect(coverOf(50, demandOf([0, 0]))).toEqual({ days: null, low: null, high: null, sure: 'hardly' })
  expect(coverOf(-3, demandOf([1, 1]))).toMatchObject({ days: 0 })
})

test('an order brings four weeks beyond the lead time, and only when the point is reached', () => {
  const demand = demandOf([5, 5])
  expect(orderQuantity(31, 30, demand)).toBe(0)
  expect(orderQuantity(30, 30, demand)).toBe(140)
  expect(orderQuantity(0, 0, demandOf([0]))).toBe(0)
})

test.each([
  ['Red Chair', 50, 'Red Chairs'],
  ['Red Chair', 1, 'Red Chair'],
  ['Red Chair', 0, 'Red Chairs'],
  ['Box', 2, 'Boxes'],
  ['Lamp Tray', 2, 'Lamp Trays'],
  ['Serving Dish', 3, 'Serving Dishes'],
  ['Tea Caddy', 2, 'Tea Caddies'],
  ['Scissors', 2, 'Scissors'],
])('%s, counted %i, is %s', (title, count, expected) => {
  expect(pluralTitle(title, count)).toBe(expected)
})
