import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from '../ledger.ts'

const definition = { tool: 'shop.sell', version: '1.0.0', hash: 'a'.repeat(64) }

describe.each(ENGINES)('standing grants on %s', (engine) => {
  let store: Store
  let ledger: Ledger

  beforeAll(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    return () => store.remove()
  })
  beforeEach(() => store.empty())

  test('cover calls of everybody to the definition they were given for, and to no other', async () => {
    const { id } = await ledger.grants.give(definition, 'olga')
    expect(await ledger.grants.covering(definition, 'ann')).toBe(id)
    expect(await ledger.grants.covering({ ...definition, hash: 'b'.repeat(64) }, 'ann')).toBeUndefined()
    expect(await ledger.grants.covering({ ...definition, version: '1.0.1' }, 'ann')).toBeUndefined()
    expect(await ledger.grants.covering({ ...definition, tool: 'shop.buy' }, 'ann')).toBeUndefined()
  })

  test('cover one principal only where they say so', async () => {
    const { id } = await ledger.grants.give(definition, 'olga', { principal: 'ann' })
    expect(await ledger.grants.covering(definition, 'ann')).toBe(id)
    expect(await ledger.grants.covering(definition, 'Ann')).toBeUndefined()
    expect(await ledger.grants.covering(definition, 'bob')).toBeUndefined()
  })

  test('end when their time is over', async () => {
    const [clock] = await ledger.db.query<{ now: number }>(`SELECT ${ledger.db.now} AS now`)
    const now = clock?.now as number
    await ledger.grants.give(definition, 'olga', { until: now - 1 })
    expect(await ledger.grants.covering(definition, 'ann')).toBeUndefined()
    const { id } = await ledger.grants.give(definition, 'olga', { until: now + 400 })
    expect(await ledger.grants.covering(definition, 'ann')).toBe(id)
    await expect.poll(() => ledger.grants.covering(definition, 'ann')).toBeUndefined()
    expect(await ledger.grants.revoke('shop.sell', 'olga')).toBe(0)
  })

  test('end when they are revoked, in every process, and say by whom', async () => {
    const other = await store.open()
    await ledger.grants.give(definition, 'olga')
    await ledger.grants.give(definition, 'olga', { principal: 'ann' })
    await ledger.grants.give({ ...definition, tool: 'shop.buy' }, 'olga')
    expect(await other.grants.revoke('shop.sell', 'otto')).toBe(2)
    expect(await ledger.grants.covering(definition, 'ann')).toBeUndefined()
    expect(await ledger.grants.revoke('shop.sell', 'otto')).toBe(0)
    const list = await ledger.grants.list('shop.sell')
    expect(list).toMatchObject([
      { granted_by: 'olga', principal: null, revoked_by: 'otto', revoked_at: expect.any(Number) },
      { granted_by: 'olga', principal: 'ann', revoked_by: 'otto', revoked_at: expect.any(Number) },
    ])
    expect(await ledger.grants.list()).toHaveLength(3)
  })
})
