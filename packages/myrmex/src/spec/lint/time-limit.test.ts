import { expect, test } from 'vitest'
import { TimeLimit, TOO_SLOW } from './time-limit.ts'

const wait = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('work that never ends is stopped, and so is everything after the time of the run is used up', () => {
  const limit = new TimeLimit(30, 50)
  const endless = (): never => {
    for (;;);
  }
  expect(limit.run(endless)).toBe(TOO_SLOW)
  expect(limit.run(() => 1)).toBe(1)
  expect(limit.run(endless)).toBe(TOO_SLOW)
  expect(limit.run(() => 1)).toBe(TOO_SLOW)
})

test('work that could not run, because the machine was busy, gets more time on the clock', () => {
  const limit = new TimeLimit(50, 50)
  expect(limit.run(() => wait(150))).toBe('timed-out')
  expect(limit.run(() => 1)).toBe(1)
})

test('what the work throws is thrown', () => {
  const limit = new TimeLimit()
  const fail = (): never => {
    throw new Error('no schema')
  }
  expect(() => limit.run(fail)).toThrow('no schema')
})
