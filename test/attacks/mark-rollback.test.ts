/**
 * Each part of the old copy is valid: the ledger's key has signed it.
 *
 * Attacker: somebody who can write to the whole store, without the key
 * Attack: puts back an older signed mark without the rest of the old copy, to cut off records of one chain or to make decisions count as
 * not stored.
 * Stopped by: a mark has the heads of all chains and the newest decision: `audit verify` reports what is newer than its mark, and no
 * server begins a chain on it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { auditLine, recordLine } from '@myrmex/testing/ledger/audit-chain'
import { LedgerFolder } from '@myrmex/testing/ledger/journal-fixture'
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, test } from 'vitest'
import { SELECT_MARK, type SignedMark } from '../../packages/myrmex/src/ledger/journal/mark.ts'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openExisting } from '../../packages/myrmex/src/ledger/open-existing.ts'

const DEFINITION = { tool: 'shop.refund', version: '1.0.0', hash: 'a' }
const record = async (ledger: Ledger, call: string): Promise<void> => {
  await recordLine(ledger, auditLine(call))
  await ledger.journal.flush()
}
const storedMark = async ({ db }: Ledger): Promise<SignedMark> =>
  (await db.query<SignedMark>(SELECT_MARK))[0] as SignedMark

describe.each(EMBEDDED_FIRST)('on %s', (engine) => {
  let store: Store
  beforeEach(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })

  /** As an attacker, on a connection that is not the server's. */
  const change = async (sql: string, params: readonly string[] = []): Promise<void> => {
    const ledger = await openExisting(store.address)
    await ledger.db.query(`${sql} RETURNING 1 AS done`, params)
    await ledger.close()
  }
  const putBack = ({ body, key_id, signature }: SignedMark): Promise<void> =>
    change('UPDATE journal_mark SET body = ?, key_id = ?, signature = ?', [body, key_id, signature])
  const foundOut = async ({ key }: Ledger): Promise<string> => {
    const ledger = await openExisting(store.address, { readOnly: true })
    const { defect } = await verifyLedger(ledger, { key })
    await ledger.close()
    return defect?.message ?? 'nothing'
  }

  test('decisions cannot be taken back with an older mark that does not have them yet', async () => {
    const ledger = await store.open()
    await ledger.grants.give(DEFINITION, 'olga')
    await record(ledger, 'one')
    const old = await storedMark(ledger)
    await ledger.grants.revoke(DEFINITION.tool, 'olga')
    await record(ledger, 'two')
    await record(ledger, 'three')
    await ledger.close()
    await change('UPDATE grants SET revoked_by = NULL, revoked_at = NULL')
    await putBack(old)
    expect(await foundOut(ledger)).toMatch(/^the journal is newer than its mark: its mark was replaced by an older one/)
    await expect(store.open()).rejects.toThrow(/its mark was replaced by an older one/)
  })

  test('a server that was opened before an older mark was put back does not begin its chain', async () => {
    const first = await store.open()
    await record(first, 'one')
    const old = await storedMark(first)
    await record(first, 'two')
    const second = await store.open()
    await putBack(old)
    await expect(record(second, 'three')).rejects.toThrow()
    await Promise.allSettled([first.close(), second.close()])
  })

  test('records of one chain cannot be cut off while another chain keeps newer ones', async () => {
    const [one, two] = [await store.open(), await store.open()]
    await record(one, 'one-1')
    await record(two, 'two-1')
    const old = await storedMark(one)
    const before = engine === 'sqlite' ? segmentWith('one-1') : undefined
    const [{ group } = { group: 0 }] = await one.db.query<{ group: number }>(
      engine === 'sqlite'
        ? 'SELECT 0 AS "group"'
        : `SELECT max(grp) AS "group" FROM journal_groups WHERE chain = (
        SELECT chain FROM journal_groups WHERE lines LIKE '%one-1%')`,
    )
    await record(one, 'one-2')
    await one.close()
    await recordLine(two, auditLine('two-2'))
    // One signature over what is new, and the end of the chain.
    await two.close()
    expect(await foundOut(one)).toBe('nothing')
    if (before !== undefined) writeFileSync(before.path, before.text)
    else
      await change(
        `DELETE FROM journal_groups WHERE grp > ${group} AND chain = (
          SELECT chain FROM journal_groups WHERE lines LIKE '%one-1%')`,
      )
    await putBack(old)
    expect(await foundOut(one)).toMatch(/^the end of chain \w+ was cut off|^the journal is newer than its mark/)
  })

  const segmentWith = (call: string): { path: string; text: string } => {
    const paths = new LedgerFolder(store.folder).segments()
    const path = paths.find((one) => readFileSync(one, 'utf8').includes(`"${call}"`)) ?? ''
    return { path, text: readFileSync(path, 'utf8') }
  }
})

test('a server on PostgreSQL writes nothing after the seal that ends its chain', async () => {
  const store = await freshStore('postgres')
  for (let round = 0; round < 8; round++) {
    const ledger = await store.open()
    await recordLine(ledger, auditLine(`call-${round}`))
    // The time at which the next seal is due.
    await new Promise((resolve) => setTimeout(resolve, 92 + round))
    const writes = [recordLine(ledger, auditLine(`last-${round}`)), ledger.close()]
    await Promise.all(writes)
    const reader = await openExisting(store.address, { readOnly: true })
    expect((await verifyLedger(reader, { key: ledger.key })).defect).toBe(null)
    await reader.close()
  }
  await store.remove()
})
