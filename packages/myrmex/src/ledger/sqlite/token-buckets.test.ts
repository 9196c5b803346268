/** Token buckets that keep some of their state in memory, beside a model of what they promise that keeps none. */
import { setImmediate } from 'node:timers/promises'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Bucket, TakeResult } from '../counters.ts'
import type { Ledger } from '../ledger.ts'

const HOUR = 3_600_000
/** Another one for each test: a bucket that somebody else wrote to is reserved again only after a second. */
let many: Bucket

/** Two ledgers on one file, like two processes. */
let store: Store
let one: Ledger
let two: Ledger

beforeAll(async () => {
  store = await freshStore('sqlite')
  one = await store.open()
  two = await store.open()
  return () => store.remove()
})
beforeEach(async () => {
  await store.empty()
  many = { id: `many ${expect.getState().currentTestName}`, calls: 640, per_ms: 640 * HOUR }
})
afterEach(() => vi.useRealTimers())

const takeMany = async (ledger: Ledger, count: number): Promise<number> => {
  let taken = 0
  for (let n = 0; n < count; n++) if ((await ledger.counters.take([many])).taken) taken++
  return taken
}
/** However busy the machine is, no time passes. */
const takeAtOnce = async (ledger: Ledger, count: number): Promise<number> => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const taken = await takeMany(ledger, count)
  vi.useRealTimers()
  return taken
}

interface StoredBucket {
  readonly tokens: number
  readonly reserved: number
}
const rowOf = async (ledger: Ledger): Promise<StoredBucket> =>
  (await ledger.db.query<StoredBucket>('SELECT tokens, reserved FROM buckets'))[0] as StoredBucket

test('a process that takes again and again reserves some, and returns what it does not use', async () => {
  expect(await takeAtOnce(one, 20)).toBe(20)
  const { tokens, reserved } = await rowOf(two)
  expect(reserved).toBeGreaterThan(0)
  expect(tokens).toBeLessThan(620)
  await expect.poll(() => rowOf(two)).toMatchObject({ tokens: expect.closeTo(620, 1), reserved: 0 })
})

test('closing a ledger returns what it has reserved at once', async () => {
  const third = await store.open()
  expect(await takeAtOnce(third, 20)).toBe(20)
  expect((await rowOf(two)).reserved).toBeGreaterThan(0)
  await third.close()
  expect(await rowOf(two)).toMatchObject({ tokens: expect.closeTo(620, 1), reserved: 0 })
})

test('another process waits for reserved tokens instead of being refused, and from then on nothing is reserved', async () => {
  many = { ...many, calls: 64, per_ms: 64 * HOUR }
  expect(await takeAtOnce(one, 62)).toBe(62)
  expect(await rowOf(two)).toMatchObject({ tokens: 0, reserved: 2 })
  expect(await takeMany(two, 10)).toBe(2)
  expect(await takeMany(one, 10)).toBe(0)
  expect((await rowOf(two)).reserved).toBe(0)
})

test('reserved tokens of a process that is gone count as used', async () => {
  // As a process leaves it that is killed in this moment.
  await one.db.query('INSERT INTO buckets (id, tokens, filled_at, reserved, reserved_until) VALUES (?, 3, ?, 40, ?)', [
    many.id,
    Date.now(),
    Date.now() + 5,
  ])
  expect(await takeMany(two, 10)).toBe(3)
})

test('tokens are counted as used that were reserved before the clock was set back by a process that is gone', async () => {
  await one.db.query('INSERT INTO buckets (id, tokens, filled_at, reserved, reserved_until) VALUES (?, 3, ?, 40, ?)', [
    many.id,
    Date.now() + HOUR,
    Date.now() + HOUR,
  ])
  expect(await takeMany(two, 10)).toBe(3)
})

test('small limits are never reserved: a crash costs nothing', async () => {
  const small = { ...many, calls: 10 }
  for (let n = 0; n < 5; n++) await one.counters.take([small])
  expect(await rowOf(two)).toMatchObject({ tokens: expect.closeTo(5, 1), reserved: 0 })
})

test('a store that cannot be written refuses calls, and what was reserved comes back when it can', async () => {
  expect(await takeAtOnce(one, 20)).toBe(20)
  expect((await rowOf(two)).reserved).toBeGreaterThan(0)
  await one.db.query('PRAGMA query_only = 1')
  await expect((async () => takeMany(one, 1000))()).rejects.toThrow('could not count the call')
  const left = (await rowOf(two)).tokens
  await one.db.query('PRAGMA query_only = 0')
  await expect.poll(async () => (await rowOf(two)).reserved).toBe(0)
  expect((await rowOf(two)).tokens).toBeGreaterThanOrEqual(left)
})

/** What buckets promise, with nothing kept back. */
class Model {
  readonly #rows = new Map<string, { tokens: number; filledAt: number }>()

  take(buckets: readonly Bucket[], now: number): TakeResult {
    const found = buckets.map(({ id, calls, per_ms }) => {
      const { tokens, filledAt } = this.#rows.get(id) ?? { tokens: calls, filledAt: now }
      const filled = Math.min(calls, tokens + (Math.max(0, now - filledAt) * calls) / per_ms)
      return { id, tokens: filled, wait: Math.ceil(((1 - filled) * per_ms) / calls), isAhead: filledAt > now }
    })
    const empty = found.filter(({ tokens }) => tokens < 1)
    for (const { id, tokens, isAhead } of found) {
      if (empty.length === 0) this.#rows.set(id, { tokens: tokens - 1, filledAt: now })
      else if (isAhead) this.#rows.set(id, { tokens, filledAt: now })
    }
    const longest = empty.reduce((most, each) => (each.wait > most.wait ? each : most), empty[0] as (typeof empty)[0])
    if (longest === undefined) return { taken: true }
    return { taken: false, bucket: longest.id, retry_after_ms: longest.wait }
  }
}

describe('whatever is taken by two processes, and however the clock goes', () => {
  const BUCKETS: readonly Bucket[] = [
    { id: 'a', calls: 128, per_ms: 1000 },
    { id: 'b', calls: 200, per_ms: 40 },
    { id: 'c', calls: 3, per_ms: 100 },
  ]
  let runs = 0
  const step = fc.record({
    process: fc.nat(1),
    buckets: fc.subarray([...BUCKETS], { minLength: 1 }),
    times: fc.integer({ min: 1, max: 150 }),
    forwardMs: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 8 }) },
      { weight: 2, arbitrary: fc.integer({ min: 9, max: 2000 }) },
      { weight: 1, arbitrary: fc.integer({ min: -5000, max: -1 }) },
    ),
    turn: fc.boolean(),
  })

  test('they answer as a bucket would that nobody keeps tokens of', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        vi.useRealTimers()
        await store.empty()
        await setImmediate()
        vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 6, 1) })
        const model = new Model()
        // Another process used them a moment ago if the last run had the same ones.
        const prefix = `${++runs} `
        for (const { process, buckets: plain, times, forwardMs, turn } of steps) {
          const buckets = plain.map((bucket) => ({ ...bucket, id: prefix + bucket.id }))
          vi.setSystemTime(Date.now() + forwardMs)
          if (turn) await setImmediate()
          for (let time = 0; time < times; time++) {
            const expected = model.take(buckets, Date.now())
            const found = await (process === 0 ? one : two).counters.take(buckets)
            expect(roundedWait(found)).toEqual(roundedWait(expected))
          }
        }
      }),
      { numRuns: propertyRuns(40, 1000) },
    )
  })
})

/** The sums of the two are added in another order, and one of them may be a millionth below a millisecond. */
const roundedWait = (result: TakeResult) =>
  result.taken ? result : { ...result, retry_after_ms: Math.round(result.retry_after_ms / 2) }
