import { setTimeout } from 'node:timers/promises'
import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { Client } from 'pg'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Ledger } from './ledger.ts'

const RUN = { goal: 'Sell chairs', principal: 'ann', settings: '{}' }

describe.each(ENGINES)('runs on %s', (engine) => {
  let store: Store
  let one: Ledger
  let other: Ledger

  beforeAll(async () => {
    store = await freshStore(engine)
    one = await store.open()
    other = await store.open()
    return () => store.remove()
  })
  beforeEach(() => store.empty())

  const led = async (): Promise<{ id: string; term: number }> => {
    const { id } = await one.runs.create(RUN, '{}')
    return { id, term: (await one.runs.acquireLease(id))?.term as number }
  }
  /** As after kill -9: what `one` leads has lost its leader. */
  const bereave = (id: string) => one.db.query('UPDATE runs SET leader = ? WHERE id = ?', ['long gone', id])

  test('begin with a line in their journal, and are found', async () => {
    const run = await one.runs.create(RUN, '{"by":"ann"}')
    expect(run).toMatchObject({ ...RUN, status: 'running', spent: 0, term: 0, leader: null, ended_at: null })
    expect(await other.runs.find(run.id)).toEqual(run)
    expect(await other.runs.events(run.id)).toMatchObject([{ seq: 1, kind: 'created', body: '{"by":"ann"}' }])
    expect(await other.runs.find('r-nobody')).toBeUndefined()
  })

  test.runIf(engine === 'postgres')('lessons and their event are written under one lease, or not at all', async () => {
    const { id, term } = await led()
    const blocker = new Client({ connectionString: store.address })
    await blocker.connect()
    try {
      // Another process counts the same tool, and holds its row while ours is in the middle of its transaction.
      await blocker.query(`BEGIN; INSERT INTO myrmex.lessons VALUES ('a.b', 1, 0, 5, 0)`)
      const recorded = one.runs.recordLessons(id, term, 2, [{ tool: 'a.b', calls: 1, failures: 0, total_ms: 5 }])
      await vi.waitFor(async () => {
        const { rows } = await blocker.query(`SELECT 1 FROM pg_locks WHERE NOT granted`)
        expect(rows).not.toEqual([])
      })
      const takenOver = other.db.query(`UPDATE runs SET leader = 'another', term = term + 1 WHERE id = ?`, [id])
      await Promise.race([takenOver, setTimeout(200)])
      await blocker.query('COMMIT')
      await Promise.all([recorded, takenOver])
    } finally {
      await blocker.end()
    }
    const learned = (await other.runs.events(id)).filter(({ kind }) => kind === 'learned')
    const [lesson] = await other.runs.lessons()
    expect(lesson?.calls).toBe(1 + learned.length)
  })

  test('are free again, though letting go of one could not be written down at first', async () => {
    const { id, term } = await led()
    await one.db.query('ALTER TABLE runs RENAME TO hidden')
    await expect(one.runs.releaseLease(id, term)).rejects.toThrow('The ledger')
    await one.db.query('ALTER TABLE hidden RENAME TO runs')
    expect(await other.runs.acquireLease(id)).toBeUndefined()
    expect(await one.runs.withoutLease()).toEqual([id])
    expect(await other.runs.acquireLease(id)).toMatchObject({ term: term + 1 })
  })

  test('are led by one at a time, of twenty who come at the same instant', async () => {
    const { id } = await one.runs.create(RUN, '{}')
    const terms = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).runs.acquireLease(id)))
    expect(terms.filter((term) => term !== undefined)).toEqual([{ term: 1, isOrphan: false }])
  })

  test('are known to be orphans, though their last process had them for a moment only', async () => {
    const { id } = await one.runs.create(RUN, '{}')
    const query = other.db.query.bind(other.db)
    vi.spyOn(other.db, 'query').mockImplementation((async (sql: string, params: []) => {
      const rows = await query(sql, params)
      // The other process has seen that nobody has the run.
      if (sql.includes('SELECT term, leader')) {
        vi.restoreAllMocks()
        await one.runs.acquireLease(id)
        await bereave(id)
      }
      return rows
    }) as never)
    expect(await other.runs.acquireLease(id)).toEqual({ term: 2, isOrphan: true })
  })

  test('can be taken over when the leader is gone, and then the old one writes nothing', async () => {
    const { id, term } = await led()
    expect(await other.runs.withoutLease()).toEqual([])
    expect(await other.runs.acquireLease(id)).toBeUndefined()
    await bereave(id)
    expect(await other.runs.withoutLease()).toEqual([id])
    expect(await other.runs.acquireLease(id)).toEqual({ term: term + 1, isOrphan: true })
    expect(await one.runs.appendEvent(id, term, 2, { kind: 'ended', status: 'failed', report: '{}' })).toBe(false)
    expect(await one.runs.reserve(id, term, 'a', 1, 100)).toBe(false)
    await one.runs.recordLessons(id, term, 2, [{ tool: 'a.b', calls: 1, failures: 0, total_ms: 5 }])
    await one.runs.releaseLease(id, term)
    expect(await other.runs.find(id)).toMatchObject({ status: 'running', spent: 0, leader: other.processes.id })
    expect(await other.runs.events(id)).toHaveLength(1)
    expect(await other.runs.lessons()).toEqual([])
  })

  test('change together with the line that says so', async () => {
    const { id, term } = await led()
    expect(await one.runs.appendEvent(id, term, 2, { kind: 'planned', body: '{"steps":[]}' })).toBe(true)
    expect(
      await one.runs.appendEvent(id, term, 3, { kind: 'waiting', step: 's1', body: '{"for":"a"}', status: 'waiting' }),
    ).toBe(true)
    expect(await one.runs.find(id)).toMatchObject({ status: 'waiting' })
    expect(await one.runs.events(id, 1)).toMatchObject([
      { seq: 2, term, kind: 'planned', step: null, body: '{"steps":[]}' },
      { seq: 3, term, kind: 'waiting', step: 's1', body: '{"for":"a"}' },
    ])
    // The same place in the journal twice: one of them must not have happened.
    await expect(async () => one.runs.appendEvent(id, term, 3, { kind: 'again', status: 'failed' })).rejects.toThrow()
    expect(await one.runs.find(id)).toMatchObject({ status: 'waiting' })
  })

  test('that wait need no leader, and go on when somebody wakes them', async () => {
    const { id, term } = await led()
    await one.runs.appendEvent(id, term, 2, { kind: 'waiting', status: 'waiting' })
    await one.runs.releaseLease(id, term)
    expect(await other.runs.withoutLease()).toEqual([])
    expect(await other.runs.resume(id)).toBe(true)
    expect(await other.runs.resume(id)).toBe(false)
    expect(await other.runs.withoutLease()).toEqual([id])
  })

  test('that are over stay over', async () => {
    const { id, term } = await led()
    await one.runs.appendEvent(id, term, 2, { kind: 'ended', status: 'succeeded', report: '{"ok":true}' })
    await one.runs.releaseLease(id, term)
    expect(await other.runs.acquireLease(id)).toBeUndefined()
    expect(await other.runs.stop(id, 'olga', 'too late')).toBe(false)
    expect(await other.runs.resume(id)).toBe(false)
    expect(await other.runs.find(id)).toMatchObject({ status: 'succeeded', report: '{"ok":true}', stopped_by: null })
  })

  test('can be stopped by any process, and keep who stopped them first', async () => {
    const { id } = await led()
    const heard: string[] = []
    const forget = other.runs.onStop((run) => heard.push(run))
    expect(await one.runs.find(id)).toMatchObject({ stopped_by: null, stop_reason: null })
    expect(await other.runs.stop(id, 'olga', 'enough')).toBe(true)
    expect(await other.runs.stop(id, 'otto', 'me too')).toBe(true)
    expect(await one.runs.find(id)).toMatchObject({ stopped_by: 'olga', stop_reason: 'enough' })
    expect(heard).toEqual([id, id])
    forget()
  })

  test('a waiting run that is stopped needs a process to end it', async () => {
    const { id, term } = await led()
    await one.runs.appendEvent(id, term, 2, { kind: 'waiting', status: 'waiting' })
    await one.runs.releaseLease(id, term)
    await other.runs.stop(id, 'olga', 'enough')
    expect(await other.runs.withoutLease()).toEqual([id])
  })

  test('never spend more than their budget, though fifty want to at once', async () => {
    const { id, term } = await led()
    const taken = await Promise.all(Array.from({ length: 50 }, (_, n) => one.runs.reserve(id, term, `s${n}`, 7, 100)))
    expect(taken.filter(Boolean)).toHaveLength(14)
    expect(await one.runs.find(id)).toMatchObject({ spent: 98 })
    expect(await one.runs.reserve(id, term, 'more', 2, 100)).toBe(true)
    expect(await one.runs.reserve(id, term, 'too much', 0.01, 100)).toBe(false)
  })

  test('get back what was not needed, and a process that takes over counts the recorded amounts', async () => {
    const { id, term } = await led()
    await one.runs.reserve(id, term, 'a', 40, 100)
    await one.runs.reserve(id, term, 'b', 60, 100)
    await one.runs.refund(id, term, 'a', 40, 0)
    await one.runs.refund(id, term, 'b', 60, 12.5)
    expect(await one.runs.find(id)).toMatchObject({ spent: 12.5 })
    expect(await one.runs.spends(id)).toEqual(new Map([['b', 12.5]]))
    // Killed between taking an amount and writing what it is for.
    await one.db.query('UPDATE runs SET spent = 99 WHERE id = ?', [id])
    await bereave(id)
    await other.runs.acquireLease(id)
    expect(await other.runs.find(id)).toMatchObject({ spent: 12.5 })
  })

  test('leave what they have learned, once', async () => {
    const { id, term } = await led()
    const lesson = { tool: 'shop.sell', calls: 3, failures: 1, total_ms: 40 }
    await one.runs.recordLessons(id, term, 2, [lesson])
    await expect(async () => one.runs.recordLessons(id, term, 2, [lesson])).rejects.toThrow()
    expect(await other.runs.lessons()).toEqual([lesson])
    await one.runs.recordLessons(id, term, 3, [lesson])
    expect(await other.runs.lessons()).toEqual([{ tool: 'shop.sell', calls: 6, failures: 2, total_ms: 80 }])
  })

  test('are listed newest first, all or those that are open, of one principal or of all', async () => {
    const { id, term } = await led()
    await one.runs.appendEvent(id, term, 2, { kind: 'ended', status: 'failed', report: '{}' })
    await one.db.query('UPDATE runs SET created_at = created_at - 1000')
    const newer = await one.runs.create({ ...RUN, principal: 'bob' }, '{}')
    expect((await one.runs.list()).map((run) => run.id)).toEqual([newer.id, id])
    expect((await one.runs.list({ open: true })).map((run) => run.id)).toEqual([newer.id])
    expect((await one.runs.list({ principal: 'ann' })).map((run) => run.id)).toEqual([id])
    expect(await one.runs.list({ limit: 1 })).toHaveLength(1)
  })

  test('steps are kept with their run, may be forgotten to run again, and know how far they got', async () => {
    const { id } = await led()
    const place = { principal: 'ann', tool: 'shop.sell', key: `run:${id}/s1`, run: id, step: 's1' }
    expect(await one.idempotency.claim(place, 'h', 'c1')).toEqual({ state: 'claimed' })
    expect(await other.idempotency.steps(id)).toMatchObject([
      { step: 's1', tool: 'shop.sell', call_id: 'c1', outcome: null },
    ])
    await one.idempotency.finish(place, 'c1', '{"status":"failure"}')
    const [step] = await other.idempotency.steps(id)
    expect(step).toMatchObject({ outcome: '{"status":"failure"}' })
    expect(step?.finished_at).toBeGreaterThanOrEqual(step?.started_at as number)
    await one.idempotency.forget(place, 'another call')
    expect(await one.idempotency.claim(place, 'h', 'c2')).toMatchObject({ state: 'done' })
    await one.idempotency.forget(place, 'c1')
    expect(await one.idempotency.claim(place, 'h', 'c2')).toEqual({ state: 'claimed' })
    const [{ expires_at }] = (await one.db.query('SELECT expires_at FROM once')) as [{ expires_at: number }]
    expect(expires_at).toBeGreaterThan(Date.now() + 50 * 365 * 24 * 3_600_000)
  })
})
