/** The operator's switches on both engines: in every process, after a restart, and against what somebody writes into the store. */
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyLedger } from '../journal/verify.ts'
import type { Ledger } from '../ledger.ts'
import { lockLedger, unlockSigner } from '../operator/operator-admin.ts'
import { switchesView } from './switch-view.ts'
import { readOnlyFor } from './switches.ts'

const PASSPHRASE = 'correct horse battery'

describe.each(EMBEDDED_FIRST)('switches on %s', (engine) => {
  let store: Store
  beforeEach(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })
  const write = async (sql: string): Promise<void> => {
    const other = await store.open()
    await other.db.query(sql)
    await other.close()
  }
  const isSound = async (ledger: Ledger): Promise<string> => {
    await ledger.journal.flush()
    const { defect, notices } = await verifyLedger(ledger, { key: ledger.key })
    return defect?.message ?? notices.join()
  }

  test('take effect in every process, and after a restart', async () => {
    const [ledger, other] = [await store.open(), await store.open()]
    expect(await ledger.switches.set('stop', '', 'off', 'ada')).toMatchObject({ isNew: false })
    expect(await ledger.switches.set('stop', '', 'on', 'ada', 'incident 7')).toMatchObject({ isNew: true })
    expect(await ledger.switches.set('stop', '', 'on', 'bob', 'incident 7')).toMatchObject({ isNew: false })
    expect(switchesView(ledger.switches.state)).toMatchObject({ stop: { reason: 'incident 7', set_by: 'ada' } })
    await vi.waitFor(() => expect(other.switches.state.stop?.reason).toBe('incident 7'))
    await ledger.switches.set('read_only', 'reader', 'on', 'ada')
    const late = await store.open()
    expect(late.switches.state).toMatchObject({ isOn: true, stop: { reason: 'incident 7' } })
    expect(readOnlyFor(late.switches.state, 'reader')).toBeDefined()
    expect(readOnlyFor(late.switches.state, undefined)).toBeUndefined()
    const waiting = other.switches.resumed(new AbortController().signal)
    await ledger.switches.set('stop', '', 'off', 'ada')
    await waiting
    await ledger.switches.set('read_only', 'reader', 'off', 'ada')
    await vi.waitFor(() => expect(late.switches.state.isOn).toBe(false))
    expect(await isSound(ledger)).toBe('')
  })

  test('of a locked ledger are switched off by the operator only', async () => {
    const before = await store.open()
    await lockLedger(before, PASSPHRASE, 'olga', 2 ** 14)
    await before.close()
    const ledger = await store.open()
    const by = { name: 'olga', from: 'cli', signer: await unlockSigner(ledger.lock, PASSPHRASE) } as const
    await ledger.switches.set('stop', '', 'on', 'eve')
    await ledger.switches.set('stop', '', 'off', by)
    const [signed] = await ledger.switches.list()
    await ledger.switches.set('stop', '', 'on', 'eve', 'again')
    await expect(ledger.switches.set('stop', '', 'off', 'eve')).rejects.toThrow("need the operator's passphrase")
    const stays = async (): Promise<void> => {
      await ledger.switches.refresh()
      expect(ledger.switches.state.stop?.reason).toBe('again')
    }
    for (const sql of [
      `UPDATE switches SET state = 'off', set_at = set_at + 1`,
      // An earlier decision of the operator, as it was.
      `UPDATE switches SET state = 'off', reason = '', set_by = 'olga', set_at = ${signed?.set_at}, signed_by = '${signed?.signed_by}', signature = '${signed?.signature}'`,
      'DELETE FROM switches',
    ]) {
      await write(sql)
      await stays()
      expect(await isSound(ledger)).toMatch(/was altered|was removed/)
    }
    await ledger.switches.set('stop', '', 'off', by)
    expect(ledger.switches.state.isOn).toBe(false)
  })
})
