/** A locked ledger on both engines: what counts, what does not, and what verification says about it. */

import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Tool, tool } from '../../tool/tool.ts'
import { acceptBreak } from '../journal/accept-break.ts'
import { DecisionCheck } from '../journal/decision-tables.ts'
import { verifyJournal, verifyLedger } from '../journal/verify.ts'
import type { Ledger } from '../ledger.ts'
import {
  lockLedger,
  replaceOperatorKey,
  signDecisions,
  unlockLedger,
  unlockSigner,
  unsignedDecisions,
} from './operator-admin.ts'
import { checkPassphrase, newOperatorKey, operatorKeyId, readOperatorKey, unlockOperatorKey } from './operator-key.ts'

const PASSPHRASE = 'correct horse battery'
const OTHER = 'another passphrase!'
/** Deriving the key of a passphrase takes half a second otherwise. */
const CHEAP = 2 ** 14

const made = (description: string, origin: Tool['origin'] = 'upstream'): Tool =>
  tool(
    {
      ...{ name: 'shop.sell', version: '1.0.0', description, input: { type: 'object' }, output: { type: 'object' } },
      ...{ errors: {}, idempotent: false, destructive: true, security: 'none', examples: [], run: () => ({}) },
    },
    origin,
  )
const sell = made('Sells it.')
const DEFINITION = { tool: sell.name, version: sell.version, hash: sell.hash }
const CALL = { ...DEFINITION, args_hash: 'c'.repeat(64), principal: 'ann' }

test('a key is only unlocked with its passphrase, and an altered file not at all', async () => {
  const key = await newOperatorKey('ledger-1', PASSPHRASE, CHEAP)
  expect(JSON.stringify(key)).not.toContain('PRIVATE')
  expect((await unlockOperatorKey(key, PASSPHRASE)).id).toBe(operatorKeyId(key.public_key))
  const other = await newOperatorKey('ledger-1', OTHER, CHEAP)
  for (const [file, passphrase] of [
    [key, 'correct horse batterz'],
    [{ ...key, ledger: 'ledger-2' }, PASSPHRASE],
    [{ ...key, public_key: other.public_key }, PASSPHRASE],
    [{ ...key, kdf: { ...key.kdf, N: 2 * CHEAP } }, PASSPHRASE],
    [{ ...key, kdf: { ...key.kdf, N: CHEAP + 1 } }, PASSPHRASE],
    [{ ...key, nonce: '' }, PASSPHRASE],
    [{ ...key, sealed: other.sealed, tag: other.tag }, PASSPHRASE],
  ] as const)
    await expect(unlockOperatorKey(file, passphrase)).rejects.toThrow('Wrong passphrase.')
})

test.each(['', 'short', 'eleven char', 'aaaaaaaaaaaaaaaa'])('%j is refused as a passphrase', (passphrase) => {
  expect(() => checkPassphrase(passphrase)).toThrow(/needs at least/)
})

describe.each(EMBEDDED_FIRST)('a locked ledger on %s', (engine) => {
  let store: Store
  beforeEach(async () => {
    store = await freshStore(engine)
    const ledger = await store.open()
    await lockLedger(ledger, PASSPHRASE, 'olga', CHEAP)
    await ledger.close()
    return () => store.remove()
  })

  const by = async ({ lock }: Ledger, passphrase = PASSPHRASE) =>
    ({ name: 'olga', from: 'cli', signer: await unlockSigner(lock, passphrase) }) as const
  const level = async (ledger: Ledger): Promise<string> => ledger.trust.currentLevel(sell)
  const requested = async (ledger: Ledger): Promise<string> =>
    (await ledger.approvals.request(CALL, '{"price":5}', 'spends money')).id
  /** As somebody else with write access does it. */
  const write = async (sql: string, ...params: (string | number | null)[]): Promise<void> => {
    const other = await store.open()
    await other.db.query(sql, params)
    await other.close()
  }
  const verdict = async (ledger: Ledger): Promise<string> => {
    await ledger.journal.flush()
    const { defect, notices } = await verifyLedger(ledger, { key: ledger.key })
    return defect?.message ?? notices.join()
  }

  test('takes no decision that raises rights without the key, and every one that lowers them', async () => {
    const ledger = await store.open()
    expect(ledger.lock.isLocked).toBe(true)
    const id = await requested(ledger)
    for (const decision of [
      () => ledger.trust.set(DEFINITION, 'trusted', 'eve'),
      () => ledger.trust.set(DEFINITION, 'verified', { name: 'eve', from: 'api' }),
      () => ledger.grants.give(DEFINITION, 'eve'),
      () => ledger.approvals.approve(id, 'eve'),
      () => ledger.trustTool(sell, 'eve'),
    ])
      await expect(decision()).rejects.toThrow("need the operator's passphrase")
    await ledger.trust.set(DEFINITION, 'untrusted', 'eve')
    await ledger.grants.revoke(DEFINITION.tool, 'eve')
    expect(await ledger.approvals.deny(id, 'eve')).toMatchObject({ status: 'denied' })
  })

  test('counts what the operator signed, in every process, and it verifies', async () => {
    const ledger = await store.open()
    const operator = await by(ledger)
    await ledger.trust.set(DEFINITION, 'trusted', operator)
    const grant = await ledger.grants.give(DEFINITION, operator, { principal: 'ann' })
    const id = await requested(ledger)
    await ledger.approvals.approve(id, operator, 'fine')
    const other = await store.open()
    expect(await level(other)).toBe('trusted')
    expect(await other.grants.covering(DEFINITION, 'ann')).toBe(grant.id)
    expect(await other.approvals.use(CALL, 'call-1', '{"price":5}')).toMatchObject({
      id,
      signed_by: operator.signer.id,
    })
    expect(await other.approvals.usedBy(CALL, 'call-1')).toMatchObject({ id })
    await other.close()
    expect(await verdict(ledger)).toBe('')
  })

  test('ignores rows that somebody wrote into its tables, and says so', async () => {
    const ledger = await store.open()
    await ledger.trust.pin(sell)
    const id = await requested(ledger)
    await write("UPDATE trust SET level = 'trusted', set_by = 'olga'")
    await write(
      `INSERT INTO grants (id, tool, version, hash, granted_by, granted_at) VALUES ('g-1', ?, ?, ?, 'olga', 1)`,
      ...Object.values(DEFINITION),
    )
    await write(`UPDATE approvals SET status = 'approved', decided_by = 'olga', decided_at = 1`)
    const told: string[] = []
    ledger.lock.onUnsigned = (table) => void told.push(table)
    expect(await level(ledger)).toBe('untrusted')
    expect(await ledger.grants.covering(DEFINITION, 'ann')).toBeUndefined()
    expect(await ledger.approvals.use(CALL, 'call-1')).toBeUndefined()
    expect(await ledger.approvals.useThis(id, 'call-1')).toBeUndefined()
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'waiting', decided_by: null })
    expect(await ledger.approvals.list('waiting')).toMatchObject([{ id }])
    expect(await ledger.approvals.list('approved')).toEqual([])
    expect([...new Set(told)].sort()).toEqual(['approvals', 'grants', 'trust'])
    expect(await verdict(ledger)).toMatch(/was put in|was altered/)
    // The operator can still decide about it.
    await ledger.approvals.approve(id, await by(ledger))
    expect(await ledger.approvals.use(CALL, 'call-1')).toMatchObject({ id })
  })

  test.each([
    ['trust', 'hash', 'b'.repeat(64)],
    ['trust', 'set_by', 'somebody'],
    ['grants', 'principal', null],
    ['grants', 'expires_at', null],
    ['approvals', 'args', '{"price":1}'],
    ['approvals', 'args_hash', 'd'.repeat(64)],
    ['approvals', 'principal', 'eve'],
    ['approvals', 'expires_at', 9_999_999_999_999],
    ['approvals', 'note', 'yes'],
  ])('a signed row of %s loses its signature when its %s is changed', async (table, column, value) => {
    const ledger = await store.open()
    const operator = await by(ledger)
    await ledger.trust.set(DEFINITION, 'trusted', operator)
    await ledger.grants.give(DEFINITION, operator, { principal: 'ann', until: Date.now() + 60_000 })
    await ledger.approvals.approve(await requested(ledger), operator)
    await write(`UPDATE ${table} SET ${column} = ?`, value)
    const other = await store.open()
    const [row] = await other.db.query<never>(`SELECT * FROM ${table}`)
    expect(other.lock.accepts(table as 'trust', row as never)).toBe(false)
  })

  test.each(['is removed', 'is replaced by one from before it was locked'])(
    'stays locked if its mark %s and the operator accepts that',
    async (how) => {
      const fresh = await freshStore(engine)
      const early = await fresh.open()
      await early.trust.pin(sell)
      await early.journal.flush()
      const [old] = await early.db.query<{ body: string; signature: string }>(
        'SELECT body, signature FROM journal_mark',
      )
      const key = await lockLedger(early, PASSPHRASE, 'olga', CHEAP)
      await early.close()
      const late = await fresh.open()
      await late.trust.set(DEFINITION, 'untrusted', 'olga')
      await late.close()
      const broken = await fresh.open({ acceptBreak: 'same key' })
      if (how === 'is removed') await broken.db.query('DELETE FROM journal_mark')
      else
        await broken.db.query('UPDATE journal_mark SET body = ?, signature = ?', [
          old?.body ?? '',
          old?.signature ?? '',
        ])
      expect((await acceptBreak(broken, 'olga', 'it was lost')).mark).toBeDefined()
      await broken.close()
      expect((await fresh.open()).lock.keyId).toBe(operatorKeyId(key.public_key))
      await fresh.remove()
    },
  )

  test('an approval is for one call, also if somebody sets it back while it is being used', async () => {
    const ledger = await store.open()
    const id = await requested(ledger)
    await ledger.approvals.approve(id, await by(ledger))
    const { query } = ledger.db
    let second: unknown = 'not tried'
    const setBack = async (sql: string, params?: never) => {
      const rows = await query.call(ledger.db, sql, params)
      if (!sql.includes(`SET status = 'used'`)) return rows
      Object.assign(ledger.db, { query })
      await write(`UPDATE approvals SET status = 'approved', used_by = NULL`)
      second = await ledger.approvals.use(CALL, 'call-2')
      return rows
    }
    Object.assign(ledger.db, { query: setBack })
    expect(await ledger.approvals.use(CALL, 'call-1')).toMatchObject({ id })
    expect(second).toBeUndefined()
  })

  test('an approval that one step used is not that of another, whatever the store says', async () => {
    const ledger = await store.open()
    const id = await requested(ledger)
    await ledger.approvals.approve(id, await by(ledger))
    expect(await ledger.approvals.use(CALL, 'step-1')).toMatchObject({ id })
    await write(`UPDATE approvals SET used_by = 'step-2'`)
    expect(await ledger.approvals.usedBy(CALL, 'step-2')).toBeUndefined()
  })

  test('a row from another ledger of the same operator does not count', async () => {
    const ledger = await store.open()
    await ledger.trust.set(DEFINITION, 'trusted', await by(ledger))
    const [row] = await ledger.trust.decisions()
    const { OperatorLock } = await import('./operator-lock.ts')
    const key = await readOperatorKey(ledger.lock.file as string)
    const same = new OperatorLock({ ledger: ledger.lock.ledger, operator: key?.public_key })
    const elsewhere = new OperatorLock({ ledger: 'another', operator: key?.public_key })
    expect([same, elsewhere].map((lock) => lock.accepts('trust', row as never))).toEqual([true, false])
  })

  test('putting an old row back does not raise a level while a process runs', async () => {
    const ledger = await store.open()
    const operator = await by(ledger)
    await ledger.trust.set(DEFINITION, 'trusted', operator)
    const grant = await ledger.grants.give(DEFINITION, operator)
    const id = await requested(ledger)
    await ledger.approvals.approve(id, operator)
    const [trusted] = await ledger.trust.decisions()
    await ledger.approvals.use(CALL, 'call-1')
    await ledger.grants.revoke(DEFINITION.tool, 'olga')
    expect(await ledger.grants.covering(DEFINITION, 'ann')).toBeUndefined()
    await ledger.trust.set(DEFINITION, 'untrusted', 'olga')
    // Otherwise the next process that opens the ledger makes these decisions again.
    await ledger.journal.flush()
    await write(
      'UPDATE trust SET level = ?, set_by = ?, set_at = ?, signed_by = ?, signature = ?',
      ...[trusted?.level, trusted?.set_by, trusted?.set_at, trusted?.signed_by, trusted?.signature].map(
        (one) => one ?? null,
      ),
    )
    await write('UPDATE grants SET revoked_by = NULL, revoked_at = NULL WHERE id = ?', grant.id)
    await write(`UPDATE approvals SET status = 'approved', used_by = NULL`)
    await new Promise(setImmediate)
    await ledger.trust.refresh()
    expect([await level(ledger), ledger.trust.levelOf(sell)]).toEqual(['untrusted', 'untrusted'])
    expect(await ledger.grants.covering(DEFINITION, 'ann')).toBeUndefined()
    expect(await ledger.approvals.use(CALL, 'call-2')).toBeUndefined()
    // A process that starts later cannot know. Verification does.
    expect(await verdict(ledger)).toMatch(/^the row of \w+ .* was altered/)
  })

  test('trust that a program or a file proposes waits until the operator signs it', async () => {
    const ledger = await store.open()
    await ledger.trust.pin(sell)
    await ledger.trust.setFromConfig([{ definition: DEFINITION, level: 'trusted' }], 'myrmex.json')
    await ledger.grants.propose(DEFINITION, { name: 'myrmex.json', from: 'file' })
    expect([await level(ledger), await ledger.grants.covering(DEFINITION, 'ann')]).toEqual(['untrusted', undefined])
    expect(await verdict(ledger)).toBe('')
    expect(await signDecisions(ledger, await unsignedDecisions(ledger), await by(ledger))).toBe(2)
    expect(await level(ledger)).toBe('trusted')
    expect(await ledger.grants.covering(DEFINITION, 'ann')).toMatch(/^g-/)
    expect((await ledger.trust.decisions())[0]).toMatchObject({ set_by: 'myrmex.json' })
    // The file lowers it without a signature, and raises it only with another one.
    await ledger.trust.setFromConfig([{ definition: DEFINITION, level: 'untrusted' }], 'myrmex.json')
    await ledger.trust.setFromConfig([{ definition: DEFINITION, level: 'trusted' }], 'myrmex.json')
    expect(await level(ledger)).toBe('untrusted')
    expect(await verdict(ledger)).toBe('')
  })

  test('signs nothing that was revoked since the operator saw it', async () => {
    const ledger = await store.open()
    await ledger.trust.propose(DEFINITION, 'trusted', 'shop')
    await ledger.grants.propose(DEFINITION, 'shop')
    const seen = await unsignedDecisions(ledger)
    const other = await store.open()
    await other.trust.set(DEFINITION, 'untrusted', 'olga')
    await other.grants.revoke(DEFINITION.tool, 'olga')
    expect(await signDecisions(ledger, seen, await by(ledger))).toBe(0)
    expect(await level(ledger)).toBe('untrusted')
    expect(await ledger.grants.covering(DEFINITION, 'ann')).toBeUndefined()
  })

  test('its tables are made again from the journal with their signatures', async () => {
    const ledger = await store.open()
    const operator = await by(ledger)
    await ledger.trust.set(DEFINITION, 'trusted', operator)
    const grant = await ledger.grants.give(DEFINITION, operator)
    await ledger.journal.flush()
    await write('DELETE FROM trust')
    await write('DELETE FROM grants')
    await write('DELETE FROM operators')
    const decisions = new DecisionCheck()
    const report = await verifyJournal({ store: ledger.journal.store, db: ledger.db }, { key: ledger.key, decisions })
    expect(report.defect).toBeNull()
    await ledger.db.transaction(decisions.rebuild())
    const other = await store.open()
    expect(await level(other)).toBe('trusted')
    expect(await other.grants.covering(DEFINITION, 'ann')).toBe(grant.id)
    expect(await verdict(other)).toBe('')
  })

  test('a decision that was forged with the ledger’s key, but not the operator’s, is found by its signature', async () => {
    const ledger = await store.open()
    const signature = randomBytes(64).toString('base64')
    const row = { ...DEFINITION, level: 'trusted', set_by: 'olga', set_at: Date.now() + 10 }
    await ledger.journal.decide(
      [
        {
          sql: 'INSERT INTO trust (tool, version, hash, level, set_by, set_at, signed_by, signature) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
          params: [...Object.values(row), ledger.lock.keyId ?? '', signature],
        },
      ],
      () => [
        { what: 'trust', by: 'olga', table: 'trust', rows: [{ ...row, signed_by: ledger.lock.keyId, signature }] },
      ],
    )
    expect(await level(ledger)).toBe('untrusted')
    expect(await verdict(ledger)).toMatch(
      /^the operator's signature of decision d-\w+ about trust shop.sell 1.0.0 does not fit/,
    )
  })

  test('a decision of a process that does not know of the lock is reported', async () => {
    const ledger = await store.open()
    const time = Date.now() + 7_200_000
    await ledger.journal.decide(
      [
        {
          sql: 'INSERT INTO trust (tool, version, hash, level, set_by, set_at) VALUES (?, ?, ?, ?, ?, ?)',
          params: [...Object.values(DEFINITION), 'trusted', 'old', time],
        },
      ],
      () => [
        {
          what: 'trust',
          by: 'old',
          table: 'trust',
          rows: [{ ...DEFINITION, level: 'trusted', set_by: 'old', set_at: time }],
        },
      ],
    )
    expect(await level(ledger)).toBe('untrusted')
    expect(await verdict(ledger)).toMatch(/has no signature of the operator, although the ledger was locked/)
  })

  test('the mark says which key counts: a row of operators changes nothing', async () => {
    const forged = await newOperatorKey('x', OTHER, CHEAP)
    await write('UPDATE operators SET retired_at = 1')
    await write(
      `INSERT INTO operators (key_id, public_key, set_by, set_at) VALUES (?, ?, 'eve', 1)`,
      operatorKeyId(forged.public_key),
      forged.public_key,
    )
    const ledger = await store.open()
    expect(ledger.lock.keyId).not.toBe(operatorKeyId(forged.public_key))
    await write('DELETE FROM operators')
    expect((await store.open()).lock.keyId).toBe(ledger.lock.keyId)
  })

  test('a mark without the operator that is not signed keeps the ledger closed', async () => {
    const ledger = await store.open()
    await ledger.close()
    const before = await store.open()
    const [mark] = await before.db.query<{ body: string }>('SELECT body FROM journal_mark')
    await before.close()
    const { operator: _, ...open } = JSON.parse(mark?.body ?? '{}')
    const { openExisting } = await import('../open-existing.ts')
    const raw = await openExisting(store.address)
    await raw.db.query('UPDATE journal_mark SET body = ?', [JSON.stringify(open)])
    await raw.close()
    await expect(store.open()).rejects.toThrow(/mark was altered/)
  })

  test('the key is replaced with its passphrase only; the old one counts no more, and the journal has both', async () => {
    const ledger = await store.open()
    const operator = await by(ledger)
    await ledger.trust.set(DEFINITION, 'trusted', operator)
    await expect(replaceOperatorKey(ledger, OTHER, { name: 'eve', from: 'cli' })).rejects.toThrow('passphrase')
    await replaceOperatorKey(ledger, OTHER, operator)
    // The running process goes on with its own key.
    expect(await level(ledger)).toBe('trusted')
    const next = await store.open()
    expect(await level(next)).toBe('untrusted')
    await expect(by(next)).rejects.toThrow('Wrong passphrase.')
    await expect(next.trust.set(DEFINITION, 'trusted', operator)).rejects.toThrow("The operator's key was replaced")
    await signDecisions(next, await unsignedDecisions(next), await by(next, OTHER))
    expect(await level(next)).toBe('trusted')
    expect(await verdict(next)).toBe('')
    if (process.platform !== 'win32') expect(statSync(next.lock.file as string).mode & 0o777).toBe(0o600)
  })

  test('a mark that no longer names the operator is reported', async () => {
    const ledger = await store.open()
    await ledger.journal.setOperator(undefined)
    expect((await store.open()).lock.isLocked).toBe(false)
    expect(store.failures.map(({ message }) => message)).toContainEqual(expect.stringContaining('is in open mode'))
  })

  test('it is unlocked with the passphrase only, and every decision counts then', async () => {
    const ledger = await store.open()
    await ledger.trust.pin(sell)
    await ledger.trust.setFromConfig([{ definition: DEFINITION, level: 'trusted' }], 'myrmex.json')
    await expect(unlockLedger(ledger, { name: 'eve', from: 'cli' })).rejects.toThrow('passphrase')
    await unlockLedger(ledger, await by(ledger))
    const open = await store.open()
    expect(open.lock.isLocked).toBe(false)
    expect(await level(open)).toBe('trusted')
    expect(await readOperatorKey(open.lock.file as string)).toBeUndefined()
    expect(await verdict(open)).toBe('')
    // And locked again, with another key.
    await lockLedger(open, OTHER, 'olga', CHEAP)
    expect((await store.open()).lock.isLocked).toBe(true)
  })
})
