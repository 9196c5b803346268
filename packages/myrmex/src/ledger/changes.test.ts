/** Changes in the ledger, on both engines: each is reported once, whichever process wrote it. */

import { ENGINES, freshStore } from '@myrmex/testing/ledger/ledger-store'
import { add } from '@myrmex/testing/sample-tools'
import { expect, onTestFinished, test } from 'vitest'
import { type LedgerChange, LedgerChanges } from './changes.ts'

const definition = { tool: add.name, version: add.version, hash: add.hash }
const exact = { ...definition, args_hash: '0', principal: 'eve' }

test.each(ENGINES)('approvals, decisions, grants and definitions are reported once each on %s', async (engine) => {
  const store = await freshStore(engine)
  onTestFinished(() => store.remove())
  const ledger = await store.open()
  const elsewhere = await store.open()
  await elsewhere.approvals.request({ ...exact, args_hash: 'old' }, '{}', 'it was there before')
  const news = new LedgerChanges(ledger)
  expect(await news.poll()).toEqual([])
  const told = async (): Promise<LedgerChange[]> => {
    const items = await news.poll()
    expect(await news.poll()).toEqual([])
    return items
  }
  const { id } = await elsewhere.approvals.request(exact, '{}', 'it changes state')
  expect(await told()).toMatchObject([{ what: 'approval', approval: { id, status: 'waiting' } }])
  await elsewhere.approvals.approve(id, 'ada')
  expect(await told()).toMatchObject([{ what: 'approval', approval: { id, status: 'approved', decided_by: 'ada' } }])
  await elsewhere.approvals.use(exact, 'call-1')
  expect(await told()).toMatchObject([{ what: 'approval', approval: { id, status: 'used' } }])
  await elsewhere.approvals.giveBack(id, 'call-1')
  expect(await told()).toMatchObject([{ what: 'approval', approval: { id, status: 'approved' } }])
  await elsewhere.trustTool(add, 'ada')
  expect(await told()).toMatchObject([
    { what: 'decision', decision: { ...definition, level: 'trusted', set_by: 'ada' } },
    { what: 'grant', grant: { ...definition, revoked_at: null } },
    { what: 'definition', definition },
  ])
  await elsewhere.grants.revoke(add.name, 'ada')
  expect(await told()).toMatchObject([{ what: 'grant', grant: { revoked_by: 'ada' } }])
  const soon = await elsewhere.approvals.request({ ...exact, args_hash: 'brief' }, '{}', 'it changes state', 2000)
  expect(await told()).toMatchObject([{ approval: { id: soon.id, status: 'waiting' } }])
  await expect.poll(() => news.poll()).toMatchObject([{ approval: { id: soon.id, status: 'expired' } }])
})
