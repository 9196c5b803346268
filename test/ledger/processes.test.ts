/** Several processes on one ledger: what one process cannot show, because SQLite answers it at once. */

import { wholeChain } from '@myrmex/testing/ledger/audit-chain'
import { LedgerProcess } from '@myrmex/testing/ledger/ledger-process'
import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'

describe.each(ENGINES)('several processes on one ledger on %s', (engine) => {
  let store: Store

  beforeEach(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })

  /** Starts them all, lets them go at the same moment, and gives what each says then. */
  const together = async (job: string, names: readonly string[], count = 0): Promise<string[]> => {
    const processes = names.map((name) => new LedgerProcess(job, store, { name, count }))
    onTestFinished(async () => void (await Promise.all(processes.map((each) => each.end()))))
    for (const each of processes) expect(await each.word()).toBe('ready')
    for (const each of processes) each.go()
    return Promise.all(processes.map((each) => each.word()))
  }

  test('make its tables and its key once when they start together', async () => {
    const ids = await together('start', ['a', 'b', 'c', 'd'])
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[0-9a-f]{16}$/)))
    expect(new Set(ids).size).toBe(1)
    const ledger = await store.open()
    expect(await ledger.db.query('SELECT key_id FROM keys')).toEqual([{ key_id: ids[0] }])
  })

  test('write one gapless chain, each line once and in its order', async () => {
    expect(await together('write', ['a', 'b'], 300)).toEqual(['done', 'done'])
    const { callIds, groups, sealed } = await wholeChain(await store.open())
    for (const name of ['a', 'b']) {
      const own = callIds.filter((id) => id.startsWith(name))
      expect(own).toEqual(Array.from({ length: 300 }, (_, number) => `${name}-${number}`))
    }
    expect(callIds.length).toBe(600)
    expect(sealed).toContain(groups.length)
  })

  test('count in the same place: a limit of 100 lets exactly 100 of 128 pass', async () => {
    const taken = await together('take', ['a', 'b'], 64)
    expect(taken.map(Number).reduce((sum, each) => sum + each)).toBe(100)
  })
})
