import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, test } from 'vitest'
import { openExisting } from './open-existing.ts'

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
