import { expect, test } from 'vitest'
import { trendOf } from './trend.ts'

test('a straight line has its own slope and no doubt', () => {
  const { slope, low, high, tau, p } = trendOf([1, 3, 5, 7, 9, 11, 13, 15])
  expect([slope, low, high, tau]).toEqual([2, 2, 2, 1])
  // by hand: S = 28, variance 8·7·21/18 = 65.33, z = 27/8.083 = 3.340, p = 0.00084
  expect(p).toBeCloseTo(0.00084, 4)
})

test('ties are taken out of the variance', () => {
  // by hand: S = 5 (six pairs, one of them equal), variance (4·3·13 - 2·1·9)/18 = 7.667, z = 4/2.769 = 1.4446
  const { slope, p } = trendOf([1, 2, 2, 4])
  expect(slope).toBe(1)
  expect(p).toBeCloseTo(0.1486, 3)
})

test('two mad weeks do not bend it', () => {
  const line = Array.from({ length: 30 }, (_, week) => 10 + 0.5 * week)
  const spoiled = line.with(4, 500).with(21, -300)
  expect(trendOf(spoiled).slope).toBeCloseTo(0.5, 6)
})

test('noise without a trend is called so', () => {
  // alternating: as many rises as falls but for one
  const { slope, p } = trendOf([5, 6, 5, 6, 5, 6, 5, 6, 5, 6])
  expect(slope).toBe(0)
  expect(p).toBeGreaterThan(0.3)
})

test('a series that remembers is trusted less than one that does not', () => {
  const wave = Array.from({ length: 40 }, (_, i) => Math.sin(i / 7) + i * 0.02)
  const shuffled = wave.map((_, i) => (wave[(i * 17) % 40] ?? 0) - 0.02 * ((i * 17) % 40) + i * 0.02)
  expect(trendOf(wave).p).toBeGreaterThan(trendOf(shuffled).p)
})

test('too few points say nothing', () => {
  expect(trendOf([1, 2, 3])).toMatchObject({ slope: 0, p: 1 })
})
