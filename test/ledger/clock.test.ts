/** A clock that is set back: decisions about the same thing stay in the order in which they were made, and the journal verifies. */
import { auditLine, recordLine } from '@myrmex/testing/ledger/audit-chain'
import { ENGINES, freshStore } from '@myrmex/testing/ledger/ledger-store'
import { expect, onTestFinished, test, vi } from 'vitest'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'

const definition = { tool: 'shop.sell', version: '1.0.0', hash: 'a'.repeat(64) }
const HOUR_MS = 3_600_000

test.each(ENGINES)('decisions after the clock was set back count, and verify (%s)', async (engine) => {
  const store = await freshStore(engine)
  onTestFinished(() => store.remove())
  const ledger = await store.open()
  const call = { ...definition, args_hash: 'b'.repeat(64), principal: 'ann' }
  await ledger.trust.set(definition, 'trusted', 'olga')
  await ledger.grants.give(definition, 'olga')
  const { id } = await ledger.approvals.request(call, '{}', 'It changes state.')
  await recordLine(ledger, auditLine('before'))

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR_MS })
  onTestFinished(() => void vi.useRealTimers())
  Object.assign(ledger.db, { now: String(Date.now()) })
  await ledger.trust.set(definition, 'untrusted', 'olga')
  expect(await ledger.grants.revoke(definition.tool, 'olga')).toBe(1)
  expect(await ledger.approvals.deny(id, 'olga')).toMatchObject({ status: 'denied' })
  await recordLine(ledger, auditLine('after'))
  await ledger.journal.flush()

  expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true, defect: null, records: 2 })
  const rows = await ledger.db.query<{ level: string }>('SELECT level FROM trust')
  expect(rows).toEqual([{ level: 'untrusted' }])
})
