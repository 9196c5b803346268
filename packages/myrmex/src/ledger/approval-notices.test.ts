import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ClaimedNotice, MAX_NOTICE_ATTEMPTS } from './approval-notices.ts'
import type { Ledger } from './ledger.ts'

const call = { tool: 'shop.sell', version: '1.0.0', hash: 'a'.repeat(64), principal: 'ann' }

describe.each(ENGINES)('announcements of waiting calls on %s', (engine) => {
  let store: Store
  let ledger: Ledger

  beforeAll(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    return () => store.remove()
  })
  beforeEach(() => store.empty())

  const requested = async (number = 1): Promise<string> =>
    (await ledger.approvals.request({ ...call, args_hash: String(number).padStart(64, 'c') }, '{}', 'spends money')).id
  const due = (): Promise<unknown> => Promise.resolve(ledger.db.query('UPDATE approval_notices SET next_at = 0'))

  test('are claimed once, though several processes look at the same instant', async () => {
    const other = await store.open()
    const ids = await Promise.all(Array.from({ length: 12 }, (_, number) => requested(number)))
    const claims = await Promise.all(
      Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? ledger : other).approvalNotices.claim('ops', 100)),
    )
    expect(
      claims
        .flat()
        .map(({ approval }) => approval)
        .sort(),
    ).toEqual(ids.sort())
  })

  test('are for each channel', async () => {
    const id = await requested()
    expect(await ledger.approvalNotices.claim('ops', 10)).toEqual([{ approval: id, attempts: 1 }])
    expect(await ledger.approvalNotices.claim('phone', 10)).toEqual([{ approval: id, attempts: 1 }])
  })

  test('come again if the process that claimed them did not finish, and never once they were sent', async () => {
    const id = await requested()
    await ledger.approvalNotices.claim('ops', 10)
    expect(await ledger.approvalNotices.claim('ops', 10)).toEqual([])
    await due()
    expect(await ledger.approvalNotices.claim('ops', 10)).toEqual([{ approval: id, attempts: 2 }])
    await ledger.approvalNotices.sent('ops', id)
    await due()
    expect(await ledger.approvalNotices.claim('ops', 10)).toEqual([])
  })

  test('are given up after the last attempt', async () => {
    await requested()
    for (let attempt = 1; attempt <= MAX_NOTICE_ATTEMPTS; attempt++) {
      const [claimed] = await ledger.approvalNotices.claim('ops', 10)
      expect(claimed?.attempts).toBe(attempt)
      await ledger.approvalNotices.failed('ops', claimed as ClaimedNotice)
      await due()
    }
    expect(await ledger.approvalNotices.claim('ops', 10)).toEqual([])
  })

  test('are not made for a call that was decided', async () => {
    const id = await requested()
    await ledger.approvals.deny(id, 'olga')
    expect(await ledger.approvalNotices.claim('ops', 10)).toEqual([])
  })
})
