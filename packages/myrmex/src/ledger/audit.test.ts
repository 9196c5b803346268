import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { line, record, wholeChain } from '../../../../test/chain.ts'
import { ENGINES, freshStore, type Store } from '../../../../test/store.ts'
import { canonical } from '../protocol/canonical.ts'
import type { Ledger } from './ledger.ts'

describe.each(ENGINES)('the audit on %s', (engine) => {
  let store: Store
  let ledger: Ledger

  beforeEach(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    return () => store.remove()
  })

  test('keeps the lines of one turn as one group, and every group after the other', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => record(ledger, line(`first-${index}`))))
    await Promise.all(Array.from({ length: 3 }, (_, index) => record(ledger, line(`second-${index}`))))
    const { callIds, groups } = await wholeChain(ledger)
    expect(callIds.length).toBe(53)
    expect(groups.map(({ line_count }) => line_count)).toContain(50)
  })
})
