import { expect, test } from 'vitest'
import { RateLimit } from './rate-limit.ts'

const RATE = { each: 2, all: 3, per_ms: 1000 }

test('one address is let through as often as it may, then told how long to wait', () => {
  let now = 0
  const limit = new RateLimit({ ...RATE, all: 100 }, () => now)
  expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 500])
  expect(limit.take('b')).toBe(0)
  now = 499
  expect(limit.take('a')).toBeCloseTo(1)
  now = 500
  expect([limit.take('a'), limit.take('a')]).toEqual([0, 500])
})

test('all together are limited too, and who is refused uses nothing up', () => {
  let now = 0
  const limit = new RateLimit(RATE, () => now)
  expect([limit.take('a'), limit.take('b'), limit.take('c')]).toEqual([0, 0, 0])
  for (let count = 0; count < 5; count++) expect(limit.take('d')).toBeCloseTo(333.3, 0)
  now = 334
  expect(limit.take('d')).toBe(0)
})

test('addresses of one IPv6 network count as one', () => {
  const limit = new RateLimit({ ...RATE, all: 100 }, () => 0)
  expect([limit.take('2001:db8::1'), limit.take('2001:db8:0:0:9::2')]).toEqual([0, 0])
  expect(limit.take('2001:db8::ffff')).toBeGreaterThan(0)
  expect(limit.take('2001:db8:1::1')).toBe(0)
  expect(limit.take('::ffff:10.0.0.1')).toBe(0)
})
