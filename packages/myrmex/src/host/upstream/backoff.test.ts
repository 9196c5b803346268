import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Backoff, type OpenAttempt } from './backoff.ts'

// Minutes have to pass; only the clock is not the real one.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const attempt = (patience: Backoff): OpenAttempt => {
  const leave = patience.attempt()
  if (typeof leave === 'number') throw new Error(`not for ${leave} ms`)
  return leave
}

test('the first crash costs no wait, each further one twice as long, up to a bound', () => {
  const patience = new Backoff({ failures: 100 })
  const waits: number[] = []
  for (let crash = 0; crash < 10; crash++) {
    attempt(patience).opened()
    patience.answered()
    patience.connectionLost(1000)
    waits.push(patience.wait)
    vi.advanceTimersByTime(patience.wait)
  }
  expect(waits[0]).toBe(0)
  for (const [index, wait] of waits.slice(1).entries()) {
    const whole = Math.min(30_000, 250 * 2 ** index)
    expect(wait).toBeGreaterThanOrEqual(whole * 0.75)
    expect(wait).toBeLessThanOrEqual(whole + 1)
  }
})

test('what could not be opened waits from the first time on, and a minute of health is a new beginning', () => {
  const patience = new Backoff()
  attempt(patience).failed()
  expect(patience.wait).toBeGreaterThan(0)
  expect(patience.attempt()).toBe(patience.wait)
  vi.advanceTimersByTime(patience.wait)
  attempt(patience).opened()
  patience.connectionLost(60_000)
  expect(patience.wait).toBe(0)
})

test('one that opens and breaks at every call is left alone, then tried by one, and let in when that went well', () => {
  const patience = new Backoff({ failures: 3, firstWaitMs: 10 })
  for (let crash = 0; crash < 3; crash++) {
    vi.advanceTimersByTime(patience.wait)
    attempt(patience).opened()
    patience.connectionLost(5)
  }
  expect(patience).toMatchObject({ breaker: 'open', isCoolingDown: true, wait: 30_000 })
  vi.advanceTimersByTime(30_000)
  const probe = attempt(patience)
  expect(probe.isProbe).toBe(true)
  expect(patience.attempt()).toBe(1000)
  probe.failed()
  expect(patience.isCoolingDown).toBe(true)
  vi.advanceTimersByTime(30_000)
  attempt(patience).opened()
  expect(patience).toMatchObject({ breaker: 'closed', isCoolingDown: false })
})

test('answers in between keep it from being left alone, and an operator makes all forgotten', () => {
  const patience = new Backoff({ failures: 2, firstWaitMs: 10 })
  for (let crash = 0; crash < 5; crash++) {
    vi.advanceTimersByTime(patience.wait)
    attempt(patience).opened()
    patience.answered()
    patience.connectionLost(5)
  }
  expect(patience.breaker).toBe('closed')
  expect(patience.wait).toBeGreaterThan(0)
  patience.reset()
  expect(patience.wait).toBe(0)
})
