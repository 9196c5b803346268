import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Ledger } from './ledger.ts'
import { LEASE_MS } from './processes.ts'
import type { TaskRow } from './tasks.ts'

const task = (more: Partial<TaskRow> = {}): TaskRow => ({
  id: 'task-1',
  principal: 'ann',
  tool: 'shop.sell',
  call_id: 'call-1',
  status: 'working',
  body: '{"progress":1}',
  created_at: Date.now(),
  expires_at: Date.now() + 60_000,
  ...more,
})

describe.each(ENGINES)('tasks on %s', (engine) => {
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

  test('are found by every process, as they were saved last', async () => {
    const begun = task()
    await ledger.tasks.save(begun)
    expect(await other.tasks.find('task-1')).toEqual({ ...begun, orphaned: false })
    await ledger.tasks.save({ ...begun, status: 'completed', body: '{"sold":true}' })
    expect(await other.tasks.find('task-1')).toMatchObject({ status: 'completed', body: '{"sold":true}' })
    expect(await other.tasks.find('task-2')).toBeUndefined()
  })

  test.each(['completed', 'cancelled', 'failed'])('that are %s stay so', async (status) => {
    await ledger.tasks.save(task({ status }))
    await other.tasks.save(task({ status: 'working', body: '{"again":true}' }))
    await other.tasks.save(task({ status: 'completed', body: '{"again":true}' }))
    expect(await ledger.tasks.find('task-1')).toMatchObject({ status, body: '{"progress":1}' })
  })

  test('are found after their process is gone, and those that were at work are orphaned', async () => {
    const gone = await store.open()
    await gone.tasks.save(task())
    await gone.tasks.save(task({ id: 'task-2', status: 'input_required' }))
    await gone.tasks.save(task({ id: 'task-3', status: 'completed' }))
    const orphaned = async () =>
      Promise.all(['task-1', 'task-2', 'task-3'].map(async (id) => (await other.tasks.find(id))?.orphaned))
    expect(await orphaned()).toEqual([false, false, false])
    await gone.close()
    expect(await orphaned()).toEqual([true, true, false])
  })

  test('are orphaned when their process was not heard of for too long, and no longer when it is', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const slow = await store.open()
    await slow.tasks.save(task())
    await other.db.query('UPDATE owners SET alive_until = 1 WHERE id = ?', [slow.processes.id])
    expect(await other.tasks.find('task-1')).toMatchObject({ orphaned: true })
    // The process was only slow: its next beat says so.
    vi.advanceTimersByTime(LEASE_MS / 2)
    await expect.poll(async () => (await other.tasks.find('task-1'))?.orphaned).toBe(false)
  })

  test('are gone when their time is over', async () => {
    await ledger.tasks.save(task({ expires_at: 1 }))
    await ledger.tasks.save(task({ id: 'task-2' }))
    expect(await ledger.tasks.find('task-1')).toBeUndefined()
    await ledger.tasks.sweep()
    expect(await ledger.db.query('SELECT id FROM tasks')).toEqual([{ id: 'task-2' }])
  })

  test('leave no trace of an owner that went in order, and clear away those long gone', async () => {
    const gone = await store.open()
    await gone.tasks.save(task())
    await other.tasks.save(task({ id: 'task-2' }))
    await other.db.query('INSERT INTO owners (id, alive_until) VALUES (?, ?)', ['long gone', 1])
    await gone.close()
    const left = (await other.db.query<{ id: string }>('SELECT id FROM owners')).map(({ id }) => id)
    expect(left).toContain(other.processes.id)
    expect(left).not.toContain(gone.processes.id)
    expect(left).not.toContain('long gone')
  })
})
