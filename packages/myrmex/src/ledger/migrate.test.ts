import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, test } from 'vitest'
import { openExisting } from './open-existing.ts'
import { MIGRATIONS } from './schema.ts'
import { forSqlite } from './sqlite/migrate.ts'

describe.each(ENGINES)('the tables on %s', (engine) => {
  let store: Store

  beforeEach(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })

  const [newer, older] =
    engine === 'sqlite'
      ? ['PRAGMA user_version = 99', 'PRAGMA user_version = 0']
      : [`UPDATE migrations SET done = 99 WHERE kind = 'both'`, `UPDATE migrations SET done = 0 WHERE kind = 'own'`]

  test('are made once: opening again changes nothing', async () => {
    const first = await store.open()
    await first.trust.set({ tool: 'shop.sell', version: '1.0.0', hash: 'a' }, 'trusted', 'olga')
    await first.close()
    const second = await store.open()
    const third = await store.open()
    expect(await second.trust.decisions()).toHaveLength(1)
    expect(await third.db.query('SELECT key_id FROM keys')).toEqual([{ key_id: second.key.id }])
  })

  test('of a newer Myrmex are left alone', async () => {
    const ledger = await store.open()
    await ledger.db.query(newer as string)
    await expect(store.open()).rejects.toThrow(/The ledger was written by a newer Myrmex .*99/)
    await expect(openExisting(store.address)).rejects.toThrow(/The ledger was written by a newer Myrmex .*99/)
  })

  test('are not made by one who only reads', async () => {
    if (engine === 'sqlite') {
      await expect(openExisting(store.address)).rejects.toThrow('There is no ledger at')
    } else {
      await expect(openExisting(store.address)).rejects.toThrow('it has none of its tables')
    }
    const ledger = await store.open()
    const reader = await openExisting(store.address, { readOnly: true })
    expect(await reader.trust.decisions()).toEqual([])
    await expect(async () => reader.grants.revoke('shop.sell', 'olga')).rejects.toThrow(/without its key/)
    await expect(async () => reader.db.query('DELETE FROM grants')).rejects.toThrow(/read-only/)
    await reader.close()
    await ledger.db.query(older as string)
    await expect(openExisting(store.address)).rejects.toThrow(/none of its tables|older Myrmex/)
  })
})

test('keys and runs of an older ledger are kept', async () => {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const store = await freshStore('sqlite')
  const database = new DatabaseSync(store.address)
  for (const step of MIGRATIONS.slice(0, 3)) database.exec(forSqlite(step))
  database.exec(`
    PRAGMA user_version = 3;
    INSERT INTO once (principal, tool, once_key, args_hash, call_id, owner, run, step, started_at, expires_at, outcome, finished_at)
    VALUES ('olga', 'shop.sell', 'order 7', 'abc', 'call-1', 'gone', NULL, NULL, 1, 9e12, '{}', 2),
           ('olga', 'shop.sell', 'run:r-1/s1', 'abc', 'call-2', 'gone', 'r-1', 's1', 3, 9e12, '{}', 4);
    INSERT INTO runs (id, goal, principal, status, settings, spent, leader, term, created_at, updated_at)
    VALUES ('r-1', 'sell', 'olga', 'waiting', '{}', 1.5, NULL, 2, 3, 4)`)
  database.close()
  const ledger = await store.open()
  const key = { principal: 'olga', tool: 'shop.sell', key: 'order 7' }
  expect(await ledger.idempotency.claim(key, 'abc', 'call-3')).toEqual({
    state: 'done',
    call_id: 'call-1',
    outcome: '{}',
  })
  expect(await ledger.idempotency.steps('r-1')).toMatchObject([{ step: 's1', started_at: 3, finished_at: 4 }])
  expect(await ledger.runs.find('r-1')).toMatchObject({ goal: 'sell', spent: 1.5, term: 2, status: 'waiting' })
  await store.remove()
})

test('an address that is no ledger is refused in words, without its password', async () => {
  const { openLedger } = await import('./open.ts')
  const store = await freshStore('postgres')
  const { keyFile } = store
  const at = (change: (url: URL) => void): string => {
    const url = new URL(store.address)
    change(url)
    return url.href
  }
  const refusal = async (address: string): Promise<string> => {
    const error = await openLedger(address, { keyFile }).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error).toMatchObject({ error_type: 'UnavailableError' })
    return (error as Error).message
  }
  expect(await refusal(at((url) => (url.password = 'hunter2')))).toMatch(/127\.0\.0\.1:\d+, database .*password/)
  expect(await refusal(at((url) => (url.pathname = '/nowhere')))).toContain('the database does not exist')
  // Nobody listens on port 1.
  const refused = await refusal(at((url) => (url.port = '1')))
  expect(refused).toContain('127.0.0.1:1, database')
  expect(refused).toContain('refuses connections')
  expect(refused).not.toContain('seven')
  expect(await refusal('postgres://ann:hunter2@')).not.toContain('hunter2')
  await store.remove()
})
