/** A process on PostgreSQL that reads the mark while it moves the mark itself must not take that for a change from outside. */
import { auditLine, recordLine } from '@myrmex/testing/ledger/audit-chain'
import { freshStore } from '@myrmex/testing/ledger/ledger-store'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SELECT_MARK } from '../journal/mark.ts'
import { verifyLedger } from '../journal/verify.ts'

test('a mark that was read before this process moved it is no break', async () => {
  const store = await freshStore('postgres')
  onTestFinished(async () => {
    vi.restoreAllMocks()
    await store.close()
    await store.remove()
  })
  const ledger = await store.open()
  const query = ledger.db.query.bind(ledger.db)
  let reads = 0
  vi.spyOn(ledger.db, 'query').mockImplementation((async (sql: string, params: []) => {
    const rows = await query(sql, params)
    // The answer is on its way, and the mark moves before it arrives.
    if (sql === SELECT_MARK && reads++ < 3) await ledger.journal.setOperator(undefined)
    return rows
  }) as never)
  for (const id of ['one', 'two', 'three']) {
    await recordLine(ledger, auditLine(id))
    await ledger.journal.flush()
  }
  expect(reads).toBeGreaterThanOrEqual(3)
  expect(ledger.journal.failing?.()).toBe(false)
  vi.restoreAllMocks()
  expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true, records: 3 })
})
