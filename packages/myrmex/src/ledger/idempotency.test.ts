import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from './ledger.ts'

const key = { principal: 'ann', tool: 'shop.sell', key: 'order 7' }
const [these, others] = ['a'.repeat(64), 'b'.repeat(64)]

describe.each(ENGINES)('idempotency records on %s', (engine) => {
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

  test('let the first call of a key run and hold every other back until it ends', async () => {
    expect(await ledger.idempotency.claim(key, these, 'call-1')).toEqual({ state: 'claimed' })
    expect(await other.idempotency.claim(key, these, 'call-2')).toEqual({ state: 'running' })
    await ledger.idempotency.finish(key, 'call-1', '{"sold":true}')
    const done = { state: 'done', call_id: 'call-1', outcome: '{"sold":true}' }
    expect(await other.idempotency.claim(key, these, 'call-2')).toEqual(done)
    expect(await ledger.idempotency.claim(key, these, 'call-3')).toEqual(done)
  })

  test('let one of twenty run who come at the same instant', async () => {
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? ledger : other).idempotency.claim(key, these, `call-${index}`),
      ),
    )
    expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1)
    expect(claims.filter(({ state }) => state === 'running')).toHaveLength(19)
  })

  test('tell a key that comes with other arguments', async () => {
    await ledger.idempotency.claim(key, these, 'call-1')
    expect(await other.idempotency.claim(key, others, 'call-2')).toEqual({ state: 'other' })
    await ledger.idempotency.finish(key, 'call-1', '{}')
    expect(await other.idempotency.claim(key, others, 'call-2')).toEqual({ state: 'other' })
  })

  test('keep principals, tools and keys apart', async () => {
    const keys = [key, { ...key, principal: 'bob' }, { ...key, tool: 'shop.buy' }, { ...key, key: 'order 8' }]
    // A key is the caller's, whatever characters it has.
    for (const text of ['', 'order 7\0', 'order 7 ', 'Order 7', '7 🐜', '"; DROP TABLE once; --'])
      keys.push({ ...key, key: text })
    for (const apart of keys)
      expect(await ledger.idempotency.claim(apart, these, 'call-1')).toEqual({ state: 'claimed' })
    for (const apart of keys)
      expect(await other.idempotency.claim(apart, these, 'call-2')).toEqual({ state: 'running' })
  })

  test('free a key whose call did nothing, but only for the call that holds it', async () => {
    await ledger.idempotency.claim(key, these, 'call-1')
    await ledger.idempotency.release(key, 'call-2')
    expect(await other.idempotency.claim(key, these, 'call-2')).toEqual({ state: 'running' })
    await ledger.idempotency.release(key, 'call-1')
    expect(await other.idempotency.claim(key, these, 'call-2')).toEqual({ state: 'claimed' })
    await other.idempotency.finish(key, 'call-2', '{}')
    await other.idempotency.release(key, 'call-2')
    expect(await ledger.idempotency.claim(key, these, 'call-3')).toMatchObject({ state: 'done' })
  })

  test('report that the claiming process is gone, and let one of many take over', async () => {
    const gone = await store.open()
    await gone.idempotency.claim(key, these, 'call-1')
    await gone.close()
    const lost = { state: 'lost', call_id: 'call-1', started_at: expect.any(Number) }
    expect(await other.idempotency.claim(key, these, 'call-2')).toEqual(lost)
    expect(await ledger.idempotency.claim(key, these, 'call-3')).toEqual(lost)
    const winners = await Promise.all([
      other.idempotency.takeOver(key, 'call-1', 'call-2'),
      ledger.idempotency.takeOver(key, 'call-1', 'call-3'),
    ])
    expect([...winners].sort()).toEqual([false, true])
    // The one who was thought gone comes back too late to have a say.
    const [winner, loser] = winners[0] ? ['call-2', 'call-3'] : ['call-3', 'call-2']
    await other.idempotency.finish(key, loser as string, '"too late"')
    await other.idempotency.finish(key, winner as string, '"in time"')
    expect(await other.idempotency.claim(key, these, 'call-4')).toMatchObject({ state: 'done', outcome: '"in time"' })
  })

  test('count an owner as gone that has not been heard of for too long', async () => {
    const silent = await store.open()
    await silent.idempotency.claim(key, these, 'call-1')
    expect(await other.idempotency.claim(key, these, 'call-2')).toEqual({ state: 'running' })
    await other.db.query('UPDATE owners SET alive_until = 1 WHERE id = ?', [silent.processes.id])
    expect(await other.idempotency.claim(key, these, 'call-2')).toMatchObject({ state: 'lost' })
  })

  test('are forgotten when their time is over', async () => {
    await ledger.idempotency.claim(key, these, 'call-1')
    await ledger.idempotency.finish(key, 'call-1', '{}')
    await ledger.db.query('UPDATE once SET expires_at = 1')
    expect(await other.idempotency.claim(key, others, 'call-2')).toEqual({ state: 'claimed' })
    expect(await ledger.idempotency.claim(key, others, 'call-3')).toEqual({ state: 'running' })
    await ledger.db.query('UPDATE once SET expires_at = 1')
    await ledger.idempotency.sweep()
    expect(await ledger.db.query('SELECT * FROM once')).toEqual([])
  })

  test('is removed after its time among any number of others, and those stay', async () => {
    const ids = Array.from({ length: 2500 }, (_, index) => ({ ...key, key: `order ${index}` }))
    // Not all at once: the last of them would wait for a connection for as long as the others take.
    for (let from = 0; from < ids.length; from += 100)
      await Promise.all(ids.slice(from, from + 100).map((id) => ledger.idempotency.claim(id, these, id.key)))
    await ledger.db.query("UPDATE once SET expires_at = 1 WHERE once_key LIKE '%7'")
    await ledger.idempotency.sweep()
    expect(await ledger.db.query('SELECT once_key FROM once')).toHaveLength(2250)
  })
})
