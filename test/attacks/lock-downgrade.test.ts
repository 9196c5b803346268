/**
 * The keys are in another place than the store (`--ledger-key`), and the attacker has none of them.
 *
 * Attacker: somebody who can write to the whole store, without the key
 * Attack: removes the mark, the operators and the journal of a locked ledger, writes trust and a grant, and waits for a restart in open
 * mode.
 * Stopped by: the last mark is noted beside the ledger's key. A ledger that was locked does not open without a mark that continues it.
 *
 * Attack: puts back the store as it was before `operator init`, before `operator rotate`, or as another journal of the same key.
 * Stopped by: the same. `audit accept-break` continues such a store, and keeps it locked with the operator's key.
 */
import { rmSync } from 'node:fs'
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptBreak } from '../../packages/myrmex/src/ledger/journal/accept-break.ts'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { journalFolder } from '../../packages/myrmex/src/ledger/open.ts'
import { openExisting } from '../../packages/myrmex/src/ledger/open-existing.ts'
import {
  lockLedger,
  replaceOperatorKey,
  unlockLedger,
  unlockSigner,
} from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'

const PASSPHRASE = 'correct horse battery'
const OTHER = 'quite another passphrase'
const CHEAP = 2 ** 14
const REFUSED = /^This ledger is not opened: it is locked with the operator's key/
const DEFINITION = { tool: 'cmds.run_command', version: '1.0.0', hash: 'a'.repeat(64) }

describe.each(EMBEDDED_FIRST)('on %s', (engine) => {
  let store: Store
  beforeEach(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })

  const lock = async (): Promise<void> => {
    const ledger = await store.open()
    await lockLedger(ledger, PASSPHRASE, 'olga', CHEAP)
    await ledger.close()
  }
  /** As the attacker, who has no key. */
  const write = async (sql: string, params: readonly (string | number)[] = []): Promise<void> => {
    const ledger = await openExisting(store.address)
    await ledger.db.query(`${sql} RETURNING 1 AS done`, params)
    await ledger.close()
  }
  const removeSegments = async (): Promise<void> => {
    if (engine === 'sqlite') rmSync(journalFolder(store.address), { recursive: true, force: true })
    else await write('DELETE FROM journal_segments')
  }
  const wipe = async (): Promise<void> => {
    for (const table of ['journal_mark', 'operators', 'trust', 'grants']) await write(`DELETE FROM ${table}`)
    await removeSegments()
  }
  const forge = async (): Promise<void> => {
    const values = Object.values(DEFINITION)
    await write(
      `INSERT INTO trust (tool, version, hash, level, set_by, set_at) VALUES (?, ?, ?, 'trusted', 'me', 1)`,
      values,
    )
    await write(
      `INSERT INTO grants (id, tool, version, hash, granted_by, granted_at) VALUES ('g-forged', ?, ?, ?, 'me', 1)`,
      values,
    )
  }
  const accept = async (): Promise<string | undefined> => {
    const ledger = await store.open({ acceptBreak: 'same key' })
    const { mark } = await acceptBreak(ledger, 'olga', 'looked into it')
    await ledger.close()
    return mark
  }
  const by = async ({ lock: locked }: Ledger, passphrase = PASSPHRASE) =>
    ({ name: 'olga', from: 'cli', signer: await unlockSigner(locked, passphrase) }) as const
  const verdict = async (ledger: Ledger): Promise<string | undefined> => {
    await ledger.journal.flush()
    return (await verifyLedger(ledger, { key: ledger.key })).defect?.message
  }
  const marks = async (ledger: Ledger) => ledger.db.query<Record<string, string>>('SELECT * FROM journal_mark')
  const putBack = async ([mark]: Awaited<ReturnType<typeof marks>>): Promise<void> =>
    write('UPDATE journal_mark SET body = ?, signature = ?', [mark?.body ?? '', mark?.signature ?? ''])

  test('a wiped store does not open, and stays locked when the operator accepts it', async () => {
    await lock()
    await wipe()
    await forge()
    await expect(store.open()).rejects.toThrow(REFUSED)
    expect(await accept()).toBeDefined()
    const ledger = await store.open()
    expect(ledger.lock.isLocked).toBe(true)
    expect(await ledger.grants.covering(DEFINITION, 'ann')).toBeUndefined()
    // The same passphrase decides, and only it unlocks.
    await ledger.trust.set({ ...DEFINITION, tool: 'cmds.list' }, 'verified', await by(ledger))
    expect(await verdict(ledger)).toMatch(/cmds.run_command|g-forged/)
    await unlockLedger(ledger, await by(ledger))
    expect((await store.open()).lock.isLocked).toBe(false)
  })

  test('a store from before the lock does not open, and stays locked when the operator accepts it', async () => {
    const before = await store.open()
    await before.grants.give(DEFINITION, 'me')
    await before.journal.flush()
    const old = await marks(before)
    await lockLedger(before, PASSPHRASE, 'olga', CHEAP)
    await putBack(old)
    await expect(store.open()).rejects.toThrow(REFUSED)
    await before.close().catch(() => {})
    expect(await accept()).toBeDefined()
    const ledger = await store.open()
    expect(ledger.lock.isLocked).toBe(true)
    expect(await ledger.grants.covering(DEFINITION, 'ann')).toBeUndefined()
    expect(await verdict(ledger)).toBeUndefined()
  })

  test('a machine without a noted mark knows the lock from operator.key', async () => {
    await lock()
    rmSync(`${store.keyFile}.mark`)
    await wipe()
    await expect(store.open()).rejects.toThrow(REFUSED)
  })

  test('a machine that only serves, without operator.key, knows the lock from its noted mark', async () => {
    await lock()
    await store.open()
    rmSync((await store.open()).lock.file as string)
    await store.close()
    await wipe()
    await expect(store.open()).rejects.toThrow(REFUSED)
  })

  test('another journal of the same key is not taken for a locked one', async () => {
    const first = await store.open()
    await first.grants.give(DEFINITION, 'me')
    await first.close()
    const other = await freshStore(engine)
    const ledger = await other.open({ keyFile: store.keyFile })
    await lockLedger(ledger, PASSPHRASE, 'olga', CHEAP)
    await other.remove()
    await expect(store.open()).rejects.toThrow(/was replaced by that of another journal/)
  })

  test('a mark that names the key before the last one does not count', async () => {
    await lock()
    const ledger = await store.open()
    const old = await marks(ledger)
    await replaceOperatorKey(ledger, OTHER, await by(ledger), CHEAP)
    await putBack(old)
    await expect(store.open()).rejects.toThrow(/its mark was replaced by an older one, which names/)
    await ledger.close().catch(() => {})
  })

  test('the key is replaced and removed as before, also on a machine that has not seen it', async () => {
    await lock()
    const ledger = await store.open()
    const { journal, version, operator } = JSON.parse((await marks(ledger))[0]?.body ?? '{}')
    const { noteMark } = await import('../../packages/myrmex/src/ledger/journal/noted-mark.ts')
    const file = `${store.keyFile}.mark`
    await replaceOperatorKey(ledger, OTHER, await by(ledger), CHEAP)
    await noteMark(file, { journal, version, operator })
    const next = await store.open()
    await unlockLedger(next, await by(next, OTHER))
    await noteMark(file, { journal, version, operator })
    expect((await store.open()).lock.isLocked).toBe(false)
  })

  test('in open mode an empty store opens, and that is reported', async () => {
    for (const _ of [1, 2]) {
      const ledger = await store.open()
      await ledger.grants.give(DEFINITION, 'me')
      await ledger.close()
    }
    expect(store.failures).toEqual([])
    await wipe()
    expect((await store.open()).lock.isLocked).toBe(false)
    expect(store.failures.map(({ message }) => message)).toEqual([
      expect.stringMatching(/has signed journal \S+ before, and this store is empty/),
    ])
  })
})
