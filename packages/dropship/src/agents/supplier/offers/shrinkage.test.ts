import { expect, test } from 'vitest'
import { priorOf, shrink } from './shrinkage.ts'

test('few reviews are drawn to the mean of all, many hardly', () => {
  const prior = { mean: 0.9, weight: 20 }
  expect(shrink({ share: 1, count: 0 }, prior)).toBe(0.9)
  expect(shrink({ share: 1, count: 20 }, prior)).toBeCloseTo(0.95)
  expect(shrink({ share: 1, count: 1980 }, prior)).toBeCloseTo(0.999)
})

test('the weight is computed from how far suppliers differ beyond chance', () => {
  // by hand: mean 0.8, spread 0.06/4 = 0.015 less chance 0.16/100 = 0.0134, weight 0.16/0.0134 - 1 = 10.940
  const prior = priorOf([
    { share: 0.6, count: 100 },
    { share: 0.9, count: 100 },
    { share: 0.8, count: 100 },
    { share: 0.9, count: 100 },
  ])
  expect(prior.mean).toBeCloseTo(0.8)
  expect(prior.weight).toBeCloseTo(10.94, 2)
})

test('where all differ by chance alone the prior is heavy', () => {
  const alike = [0.9, 0.91, 0.89, 0.9].map((share) => ({ share, count: 30 }))
  expect(priorOf(alike).weight).toBe(50)
})

test('nobody known is a coin toss', () => {
  expect(priorOf([])).toEqual({ mean: 0.5, weight: 50 })
})
