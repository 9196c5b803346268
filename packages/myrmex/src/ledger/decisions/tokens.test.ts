/** Tokens on both engines: what counts, in which process, and what the store has of them. */
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Principal } from '../../tool/context.ts'
import { untilFollowed } from '../follower.ts'
import { verifyLedger } from '../journal/verify.ts'
import type { Ledger } from '../ledger.ts'
import { lockLedger, unlockSigner } from '../operator/operator-admin.ts'
import { isTokenText, newTokenText, TOKEN_PATTERN } from './token-text.ts'

const PASSPHRASE = 'correct horse battery'
const CHEAP = 2 ** 14
const TERMS = { scopes: ['shop.*'], profile: 'reader' }

test('a token has a form that scanners find, and a checksum that finds slips', () => {
  const token = newTokenText()
  expect(token).toMatch(TOKEN_PATTERN)
  expect(isTokenText(token)).toBe(true)
  expect(new Set(Array.from({ length: 100 }, newTokenText)).size).toBe(100)
  for (const at of [4, 20, token.length - 1]) {
    const other = token[at] === 'a' ? 'b' : 'a'
    expect(isTokenText(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
  }
  for (const text of ['', 'myx_', token.slice(0, -1), `${token}0`, token.replace('myx_', 'MYX_'), ` ${token}`])
    expect(isTokenText(text)).toBe(false)
})

describe.each(EMBEDDED_FIRST)('tokens on %s', (engine) => {
  let store: Store
  beforeEach(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })
  const write = async (sql: string, ...params: (string | number | null)[]): Promise<void> => {
    const other = await store.open()
    await other.db.query(sql, params)
    await other.close()
  }
  const isSound = async (ledger: Ledger): Promise<string> => {
    await ledger.journal.flush()
    const { defect, notices } = await verifyLedger(ledger, { key: ledger.key })
    return defect?.message ?? notices.join()
  }

  test('count at once in their own process, and soon in others, without a read for a request', async () => {
    const [ledger, other] = [await store.open(), await store.open()]
    const { token, row } = await ledger.tokens.create('cursor', TERMS, 'ada')
    const principal = ledger.tokens.find(token)
    expect(principal).toEqual({ id: 'token:cursor', kind: 'bearer', scopes: ['shop.*'], profile: 'reader' })
    expect(ledger.tokens.find(token)).toBe(principal)
    expect(JSON.stringify(row)).not.toContain(token)
    await vi.waitFor(() => expect(other.tokens.find(token)).toEqual(principal))
    const ended: Principal[] = []
    other.tokens.onEnd((one) => void ended.push(one))
    const known = other.tokens.find(token)
    expect(await ledger.tokens.revoke('cursor', 'ada')).toBe(1)
    expect(ledger.tokens.find(token)).toBeUndefined()
    await vi.waitFor(() => expect(ended).toEqual([known]))
    expect(other.tokens.find(token)).toBeUndefined()
    await expect(ledger.tokens.revoke('cursor', 'ada')).rejects.toThrow('No token "cursor" is valid')
    expect(await isSound(ledger)).toBe('')
  })

  test('and switches of other processes are followed whatever times others have, as after a clock was set back', async () => {
    const [ledger, other] = [await store.open(), await store.open()]
    const { token } = await ledger.tokens.create('cursor', TERMS, 'ada')
    await ledger.tokens.create('late', TERMS, 'ada')
    for (const state of ['on', 'off'] as const) await ledger.switches.set('stop', '', state, 'ada')
    await ledger.switches.set('read_only', 'reader', 'on', 'ada')
    await write("UPDATE tokens SET created_at = created_at + 3600000 WHERE name = 'late'")
    await write("UPDATE switches SET set_at = set_at + 3600000 WHERE name = 'read_only'")
    await untilFollowed()
    expect([other.tokens.find(token)?.id, other.switches.state.stop]).toEqual(['token:cursor', undefined])
    await ledger.tokens.revoke('cursor', 'ada')
    await vi.waitFor(() => expect(other.tokens.find(token)).toBeUndefined())
    await ledger.switches.set('stop', '', 'on', 'ada')
    await vi.waitFor(() => expect(other.switches.state.stop).toBeDefined())
  })

  test('are replaced with an overlap, and end when they expire', async () => {
    const ledger = await store.open()
    const { token } = await ledger.tokens.create('ci', TERMS, 'ada')
    await expect(ledger.tokens.create('ci', TERMS, 'ada')).rejects.toThrow('There is a token ci already')
    const second = await ledger.tokens.rotate('ci', 'ada', 60_000)
    expect(ledger.tokens.find(token)).toBeDefined()
    expect(ledger.tokens.find(second.token)).toMatchObject({ id: 'token:ci', profile: 'reader' })
    const third = await ledger.tokens.rotate('ci', 'ada')
    expect(ledger.tokens.find(second.token)).toBeUndefined()
    expect(ledger.tokens.find(token)).toBeUndefined()
    expect(ledger.tokens.find(third.token)).toBeDefined()
    await ledger.tokens.revoke('ci', 'ada')
    // A name that is free again.
    const late = await ledger.tokens.create('ci', { ...TERMS, until: Date.now() + 60_000 }, 'ada')
    expect(ledger.tokens.find(late.token)).toBeDefined()
    const ended: Principal[] = []
    ledger.tokens.onEnd((one) => void ended.push(one))
    ledger.tokens.endExpired(Date.now() + 60_001)
    expect(ended).toMatchObject([{ id: 'token:ci' }])
    expect(ledger.tokens.find(late.token)).toBeUndefined()
    await expect(ledger.tokens.rotate('cii', 'ada')).rejects.toThrow('Did you mean ci?')
    expect(await isSound(ledger)).toBe('')
  })

  test('say when they were last used', async () => {
    const ledger = await store.open()
    const { token } = await ledger.tokens.create('ci', TERMS, 'ada')
    expect(await ledger.tokens.list()).toMatchObject([{ last_used_at: null }])
    ledger.tokens.find(token)
    const [row] = await ledger.tokens.list()
    expect(Date.now() - Number(row?.last_used_at)).toBeLessThan(60_000)
    expect(await isSound(ledger)).toBe('')
  })

  test('of a locked ledger need the signature of the operator, and no row that somebody wrote admits anybody', async () => {
    const before = await store.open()
    const early = await before.tokens.create('early', TERMS, 'ada')
    await lockLedger(before, PASSPHRASE, 'olga', CHEAP)
    await before.close()
    const ledger = await store.open()
    const by = { name: 'olga', from: 'cli', signer: await unlockSigner(ledger.lock, PASSPHRASE) } as const
    expect(ledger.tokens.find(early.token)).toBeUndefined()
    await expect(ledger.tokens.create('eve', TERMS, 'eve')).rejects.toThrow("need the operator's passphrase")
    await expect(ledger.tokens.rotate('early', 'eve')).rejects.toThrow("need the operator's passphrase")
    const { token } = await ledger.tokens.create('ann', TERMS, by)
    const isAdmitted = async (): Promise<boolean> => {
      const other = await store.open()
      const found = other.tokens.find(token)
      await other.close()
      return found !== undefined
    }
    expect(await isAdmitted()).toBe(true)
    expect(await isSound(ledger)).toMatch(/^decision d-\w+ about tokens t-\w+ has no signature|^$/)
    for (const [column, value] of [
      ['scopes', '["*"]'],
      ['profile', null],
      ['name', 'root'],
      ['expires_at', 9_999_999_999_999],
    ] as const) {
      const [row] = await ledger.db.query<Record<string, string | null>>(
        `SELECT ${column} FROM tokens WHERE name = 'ann'`,
      )
      await write(`UPDATE tokens SET ${column} = ? WHERE name = 'ann'`, value)
      expect(await isAdmitted(), column).toBe(false)
      await write(`UPDATE tokens SET ${column} = ? WHERE signature IS NOT NULL`, row?.[column] ?? null)
    }
    expect(await isAdmitted()).toBe(true)
    // Revoking needs no signature, and cannot be undone in the store for a process that saw it.
    await ledger.tokens.revoke('ann', 'eve')
    await write('UPDATE tokens SET revoked_by = NULL, revoked_at = NULL, ends_at = NULL')
    await ledger.tokens.refresh()
    expect(ledger.tokens.find(token)).toBeUndefined()
    expect(await isSound(ledger)).toMatch(/was altered/)
  })

  test('a token that another process has just created is found at once, and many unknown ones share a read', async () => {
    const [ledger, other] = [await store.open(), await store.open()]
    const { token } = await other.tokens.create('ann', TERMS, 'olga')
    expect(await ledger.tokens.findNew(token)).toMatchObject({ id: 'token:ann' })
    const query = vi.spyOn(ledger.db, 'query')
    const found = await Promise.all(Array.from({ length: 100 }, () => ledger.tokens.findNew(newTokenText())))
    expect(found.filter((one) => one !== undefined)).toEqual([])
    const reads = query.mock.calls.filter(([sql]) => /FROM tokens/.test(sql))
    expect(reads.length).toBeLessThan(5)
  })
})
