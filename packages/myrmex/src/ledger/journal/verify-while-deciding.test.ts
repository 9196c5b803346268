/** Verification on both engines while people decide: decisions and their tables are read one after the other. */
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import type { Ledger } from '../ledger.ts'
import { verifyLedger } from './verify.ts'

const callOf = (number: number) => ({
  tool: 'shop.sell',
  version: '1.0.0',
  hash: 'a'.repeat(64),
  args_hash: String(number).padStart(64, '0'),
  principal: 'ann',
})

/** The same ledger, in which something happens whenever a look is about to read the table of approvals. */
function interrupted(ledger: Ledger, happen: () => Promise<unknown>): Ledger {
  const query: Db['query'] = async (sql, params) => {
    if (sql.includes('FROM approvals ORDER BY id')) await happen()
    return ledger.db.query(sql, params)
  }
  const db = new Proxy(ledger.db, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)),
  })
  return new Proxy(ledger, { get: (target, name) => (name === 'db' ? db : Reflect.get(target, name, target)) })
}

describe.each(EMBEDDED_FIRST)('a ledger on %s', (engine) => {
  let store: Store
  let ledger: Ledger
  let count = 0

  beforeEach(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    return async () => {
      await Promise.allSettled([store.close()])
      await store.remove()
    }
  })

  const request = () => ledger.approvals.request(callOf(count++), '{}', 'spends money')
  const verdict = async (happen: () => Promise<unknown>) => {
    const report = await verifyLedger(interrupted(ledger, happen), { key: ledger.key })
    return report.defect?.message ?? ''
  }

  test('verifies although another call begins to wait in every look', async () => {
    expect(await verdict(request)).toBe('')
    expect(count).toBeGreaterThan(1)
  })

  test('verifies although what was requested in one look is decided in the next', async () => {
    let waiting: string | undefined
    const happen = async () => {
      if (waiting !== undefined) await ledger.approvals.approve(waiting, 'ada')
      waiting = waiting === undefined ? (await request()).id : undefined
    }
    expect(await verdict(happen)).toBe('')
  })

  test('does not verify if a row that nobody decided about is written in another way in every look', async () => {
    const { id } = await request()
    let looks = 0
    const happen = async () => ledger.db.query('UPDATE approvals SET note = ? WHERE id = ?', [`look ${++looks}`, id])
    expect(await verdict(happen)).toMatch(
      /^the row of approvals \w+ was altered: its note "look \d" is not what decision/,
    )
    expect(looks).toBeGreaterThan(1)
  })
})
