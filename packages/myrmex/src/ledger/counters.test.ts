import { setImmediate } from 'node:timers/promises'
import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from './ledger.ts'

const HOUR = 3_600_000
/** Fills by one in an hour: not within a test. */
const slow = { id: 'slow', calls: 60, per_ms: 60 * HOUR }

describe.each(ENGINES)('counters on %s', (engine) => {
  let store: Store
  let ledger: Ledger
  let other: Ledger

  beforeAll(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    other = await store.open()
    return () => store.remove()
  })
  beforeEach(() => store.empty())

  const drain = async (bucket = slow): Promise<number> => {
    for (let taken = 0; ; taken++) if (!(await ledger.counters.take([bucket])).taken) return taken
  }
  /** As if the clock had been turned by so much. By another process: what a ledger writes itself, it knows. */
  const turnClock = async (ms: number): Promise<void> => {
    await ledger.counters.close?.()
    await other.db.query('UPDATE buckets SET filled_at = filled_at - ?', [ms])
    await setImmediate()
  }

  test('give exactly as many as there are to 64 who take at the same instant from two ledgers', async () => {
    const takers = Array.from({ length: 64 }, (_, index) => (index % 2 ? ledger : other).counters.take([slow]))
    const taken = await Promise.all(takers)
    expect(taken.filter((each) => each.taken)).toHaveLength(60)
    expect(taken.find((each) => !each.taken)).toMatchObject({ bucket: 'slow', retry_after_ms: expect.any(Number) })
  })

  test('say how long it takes until there is one more', async () => {
    await drain()
    const refused = await ledger.counters.take([slow])
    if (refused.taken) throw new Error('the bucket was not empty')
    expect(refused.retry_after_ms).toBeGreaterThan(HOUR / 2)
    expect(refused.retry_after_ms).toBeLessThanOrEqual(HOUR)
    expect(Number.isInteger(refused.retry_after_ms)).toBe(true)
  })

  test('fill evenly, and never above the brim', async () => {
    expect(await drain()).toBe(60)
    await turnClock(3 * HOUR)
    expect(await drain()).toBe(3)
    await turnClock(1000 * HOUR)
    expect(await drain()).toBe(60)
  })

  test('fill by the clock itself', async () => {
    const quick = { id: 'quick', calls: 1, per_ms: 50 }
    expect(await ledger.counters.take([quick])).toEqual({ taken: true })
    expect(await ledger.counters.take([quick])).toMatchObject({ taken: false, bucket: 'quick' })
    await expect.poll(async () => (await ledger.counters.take([quick])).taken).toBe(true)
  })

  test('take from all or from none, and name the one that is empty for longest', async () => {
    const [wide, narrow, slower] = [
      { id: 'wide', calls: 10, per_ms: HOUR },
      { id: 'narrow', calls: 2, per_ms: HOUR },
      { id: 'slower', calls: 2, per_ms: 2 * HOUR },
    ]
    expect(await ledger.counters.take([wide, narrow, slower])).toEqual({ taken: true })
    expect(await ledger.counters.take([wide, narrow])).toEqual({ taken: true })
    for (let time = 0; time < 5; time++) {
      expect(await ledger.counters.take([wide, narrow])).toMatchObject({ taken: false, bucket: 'narrow' })
    }
    expect(await ledger.counters.take([slower])).toEqual({ taken: true })
    expect(await ledger.counters.take([narrow, slower, wide])).toMatchObject({ taken: false, bucket: 'slower' })
    expect(await drain(wide)).toBe(8)
  })

  test('never wait in a ring, whatever the order of the buckets is', async () => {
    const buckets = ['a', 'b', 'c'].map((id) => ({ id, calls: 1000, per_ms: 1000 * HOUR }))
    const takers = Array.from({ length: 120 }, (_, index) =>
      (index % 2 ? ledger : other).counters.take(index % 3 ? buckets : [...buckets].reverse()),
    )
    expect((await Promise.all(takers)).every(({ taken }) => taken)).toBe(true)
    expect(await drain(buckets[1])).toBe(880)
  })

  test('follow a limit that was lowered', async () => {
    await ledger.counters.take([slow])
    expect(await drain({ ...slow, calls: 5 })).toBe(5)
  })

  test('give nothing away and keep nothing back when the clock is set back', async () => {
    for (let time = 0; time < 57; time++) await ledger.counters.take([slow])
    await turnClock(-HOUR)
    expect(await drain()).toBe(3)
  })

  test('fill again at once though the clock was set back while they were empty', async () => {
    const quick = { id: 'quick', calls: 1, per_ms: 100 }
    await ledger.counters.take([quick])
    await turnClock(-HOUR)
    expect(await ledger.counters.take([quick])).toMatchObject({ taken: false })
    await expect.poll(async () => (await ledger.counters.take([quick])).taken).toBe(true)
  })

  test('never let a budget pass its ceiling, and say what is left of it', async () => {
    const spenders = Array.from({ length: 64 }, (_, index) =>
      (index % 2 ? ledger : other).counters.spend('launch', 2, 101),
    )
    const left = (await Promise.all(spenders)).filter((each) => each !== undefined)
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => 1 + 2 * index))
    expect(await ledger.counters.spend('launch', 1.5, 101)).toBeUndefined()
    expect(await other.counters.spend('launch', 1, 101)).toBe(0)
  })

  const spentOf = async (id: string) =>
    (await ledger.db.query<{ spent: number }>('SELECT spent FROM budgets WHERE id = ?', [id]))[0]?.spent
  const by = (mark: string, before?: string) => ({ mark, before })

  test('give back what was not needed, and never more than there was', async () => {
    await ledger.counters.spend('ads', 40, 50)
    await other.counters.refund('ads', 15)
    expect(await ledger.counters.spend('ads', 25, 50)).toBe(0)
    await ledger.counters.refund('ads', 1000)
    await ledger.counters.refund('nothing', 1)
    expect(await ledger.counters.spend('ads', 50, 50)).toBe(0)
    expect(await ledger.counters.spend('nothing', 1, 1)).toBe(0)
  })

  test('do not count a call twice when another takes it over, on another day too', async () => {
    expect(await ledger.counters.spendFor(by('a'), 'monday', 30, 50)).toBe(true)
    expect(await other.counters.spendFor(by('b', 'a'), 'tuesday', 30, 50)).toBe(true)
    expect(await ledger.counters.spendFor(by('c', 'b'), 'tuesday', 30, 50)).toBe(true)
    expect([await spentOf('monday'), await spentOf('tuesday')]).toEqual([30, undefined])
    await ledger.counters.unmark(['c', 'never there'])
    expect(await spentOf('c')).toBeUndefined()
  })

  test('count a call that is taken over where the one before it had not come so far', async () => {
    expect(await ledger.counters.spendFor(by('b', 'a'), 'ads', 30, 50)).toBe(true)
    expect(await ledger.counters.spendFor(by('d', 'c'), 'ads', 30, 50)).toBe(false)
    expect([await spentOf('ads'), await spentOf('b'), await spentOf('d')]).toEqual([30, 30, undefined])
    expect(await ledger.counters.spendFor(by('e'), 'other', 51, 50)).toBe(false)
  })

  test('never let many who mark what they spend pass the ceiling', async () => {
    const spenders = Array.from({ length: 64 }, (_, index) =>
      (index % 2 ? ledger : other).counters.spendFor(by(`mark-${index}`), 'ads', 2, 101),
    )
    expect((await Promise.all(spenders)).filter(Boolean)).toHaveLength(50)
    expect(await spentOf('ads')).toBe(100)
  })

  test('refuse what is more than the whole budget, and keep budgets apart', async () => {
    expect(await ledger.counters.spend('one', 101, 100)).toBeUndefined()
    expect(await ledger.counters.spend('one', 100, 100)).toBe(0)
    expect(await ledger.counters.spend('two', 0.5, 100)).toBe(99.5)
  })
})
