import { expect, test } from 'vitest'
import { estimateSupplier } from './estimate-supplier.ts'

test('equal steps are carried on', () => {
  const { nextAsk } = estimateSupplier(1000, [970, 940])
  expect(nextAsk).toBeCloseTo(910)
})

test('steps that shrink are carried on shrinking', () => {
  // given up 40 after one round and 40·√2 after two: the exponent is a half, so 40·√3 after three
  const { nextAsk } = estimateSupplier(1000, [960, 1000 - 40 * Math.SQRT2])
  expect(nextAsk).toBeCloseTo(1000 - 40 * Math.sqrt(3), 6)
})

test('nobody leaves before the third round, and the longer it lasts the likelier it is', () => {
  expect(estimateSupplier(1000, [980, 960]).leaveProbability).toBe(0)
  const later = [3, 5, 7, 9].map(
    (round) =>
      estimateSupplier(
        1000,
        Array.from({ length: round }, (_, i) => 990 - 10 * i),
      ).leaveProbability,
  )
  for (const [i, leaves] of later.entries()) expect(leaves).toBeGreaterThan(later[i - 1] ?? 0)
})

test('a supplier that has given up more than anybody does is at its end', () => {
  expect(estimateSupplier(1000, [800, 590, 400])).toEqual({ nextAsk: 400, leaveProbability: 1, floor: 400 })
})

test('one that gave nothing is not read for more', () => {
  expect(estimateSupplier(1000, [1000]).nextAsk).toBe(1000)
})
