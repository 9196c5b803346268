/** People who sign in, on both engines: decisions about them, what they sign in with, and what the store has of it. */
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyLedger } from '../journal/verify.ts'
import type { Ledger } from '../ledger.ts'
import { lockLedger, unlockSigner } from '../operator/operator-admin.ts'
import { hashOf } from './issuer-records.ts'
import { UserStates } from './user-states.ts'

const PASSPHRASE = 'correct mule paper clip'
const CHEAP = { N: 1024, r: 8, p: 1 }
const SCOPES = { scopes: ['shop.*'] }

describe.each(EMBEDDED_FIRST)('people who sign in, on %s', (engine) => {
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
  const stored = async (ledger: Ledger): Promise<string> =>
    JSON.stringify(
      await Promise.all(
        ['users', 'invitations', 'user_credentials', 'issuer_records'].map((table) =>
          ledger.db.query(`SELECT * FROM ${table}`),
        ),
      ),
    )

  test('an invitation is used once, by one of many, and its secret is stored nowhere', async () => {
    const ledger = await store.open()
    const { code, invitation } = await ledger.invitations.create('ada', SCOPES, 'olga')
    const secret = code.slice(-43)
    expect(await stored(ledger)).not.toContain(secret)
    expect(await ledger.invitations.find(code)).toMatchObject({ user_name: 'ada', used_at: null })
    for (const wrong of ['', 'i-', `${invitation.id}-${'A'.repeat(43)}`, code.slice(0, -1), `${code}A`])
      expect(await ledger.invitations.find(wrong)).toBeUndefined()
    const other = await store.open()
    const used = await Promise.all([ledger, other, ledger, other].map((one) => one.invitations.use(code)))
    expect(used.filter((one) => one !== undefined)).toHaveLength(1)
    expect(await ledger.invitations.find(code)).toBeUndefined()
    expect(await ledger.invitations.revoke(invitation.id)).toBe(false)
    expect(await isSound(ledger)).toBe('')
  })

  test('an invitation that is moved to another user, or lasts longer, is none', async () => {
    const ledger = await store.open()
    const { code } = await ledger.invitations.create('ada', SCOPES, 'olga', Date.now() + 60_000)
    await ledger.invitations.create('root', { scopes: ['*'] }, 'olga')
    await write(`UPDATE invitations SET user_name = 'root' WHERE user_name = 'ada'`)
    expect(await ledger.invitations.find(code)).toBeUndefined()
    await write(`UPDATE invitations SET user_name = 'ada', expires_at = expires_at + 1 WHERE id = ?`, code.slice(0, 14))
    expect(await ledger.invitations.find(code)).toBeUndefined()
    await write(`UPDATE invitations SET expires_at = expires_at - 1 WHERE id = ?`, code.slice(0, 14))
    expect(await ledger.invitations.find(code)).toBeDefined()
  })

  test('a passphrase is stored encrypted, for its user only', async () => {
    const ledger = await store.open()
    await ledger.invitations.create('ada', SCOPES, 'olga')
    await ledger.credentials.setPassphrase('ada', PASSPHRASE, CHEAP)
    expect(await ledger.credentials.isPassphrase('ada', PASSPHRASE)).toBe(true)
    for (const [user, text] of [
      ['ada', `${PASSPHRASE} `],
      ['ada', ''],
      ['bob', PASSPHRASE],
    ] as const)
      expect(await ledger.credentials.isPassphrase(user, text)).toBe(false)
    expect(await stored(ledger)).not.toContain('"salt"')
    // Given to another user in the store.
    await write(`UPDATE user_credentials SET user_name = 'root', id = 'passphrase root'`)
    await expect(ledger.credentials.isPassphrase('root', PASSPHRASE)).rejects.toThrow()
  })

  test('what somebody chooses while the operator ends the user is not kept', async () => {
    const ledger = await store.open()
    for (const end of ['disable', 'remove'] as const) {
      const { code } = await ledger.invitations.create('ada', SCOPES, 'olga')
      await ledger.invitations.use(code)
      await ledger.users[end]('ada', 'olga')
      await expect(ledger.credentials.setPassphrase('ada', PASSPHRASE, CHEAP)).rejects.toThrow('may not sign in')
      await ledger.invitations.create('ada', SCOPES, 'olga')
      expect(await ledger.credentials.isPassphrase('ada', PASSPHRASE)).toBe(false)
    }
  })

  test('of two sign-ins with one count of a passkey one counts', async () => {
    const [ledger, other] = [await store.open(), await store.open()]
    await ledger.invitations.create('ada', SCOPES, 'olga')
    const passkey = { id: 'key-1', publicKey: 'AAAA', counter: 1, transports: [] }
    await ledger.credentials.setPasskey('ada', passkey)
    expect(await ledger.credentials.passkey('key-1')).toEqual({ user: 'ada', passkey })
    const next = { ...passkey, counter: 2 }
    const counted = await Promise.all([ledger, other].map((one) => one.credentials.countPasskey('ada', passkey, next)))
    expect(counted.filter(Boolean)).toHaveLength(1)
    expect(await ledger.credentials.countPasskey('ada', passkey, { ...passkey, counter: 3 })).toBe(false)
    expect(await ledger.credentials.countPasskey('bob', next, { ...passkey, counter: 3 })).toBe(false)
    expect((await ledger.credentials.passkey('key-1'))?.passkey.counter).toBe(2)
  })

  test('everything of a user ends with it, and with what it signs in with', async () => {
    const ledger = await store.open()
    const end = async (decide: () => Promise<unknown>): Promise<void> => {
      await ledger.invitations.create('ada', SCOPES, 'olga')
      await ledger.credentials.setPassphrase('ada', PASSPHRASE, CHEAP)
      const grant = `grant ${Math.random()}`
      await ledger.issuerRecords.put('Grant', grant, '{}', 60_000, { user: 'ada' })
      await ledger.issuerRecords.put('RefreshToken', `token of ${grant}`, '{}', 60_000, { user: 'ada', grant })
      await ledger.issuerRecords.put('Grant', 'of bob', '{}', 60_000, { user: 'bob' })
      const before = ledger.issuerRecords.version + ledger.users.version
      await decide()
      expect(ledger.issuerRecords.version + ledger.users.version).toBeGreaterThan(before)
      const revoked = (await ledger.issuerRecords.revokedGrants()).map(({ id_hash }) => id_hash)
      expect(revoked).toContain(hashOf(grant))
      expect(revoked).not.toContain(hashOf('of bob'))
      expect(await ledger.issuerRecords.find('RefreshToken', `token of ${grant}`)).toBeUndefined()
      expect(await ledger.issuerRecords.find('Grant', 'of bob')).toBeDefined()
    }
    await end(() => ledger.users.disable('ada', 'olga'))
    await end(() => ledger.credentials.setPassphrase('ada', PASSPHRASE, CHEAP))
    await end(() => ledger.credentials.setPasskey('ada', { id: 'k', publicKey: 'AA', counter: 0, transports: [] }))
    await end(() => ledger.users.remove('ada', 'olga'))
    expect(await ledger.credentials.kinds()).toEqual([])
    expect(await ledger.users.list()).toEqual([])
    await expect(ledger.users.disable('ada', 'olga')).rejects.toThrow('Unknown user "ada"')
    expect(await isSound(ledger)).toBe('')
  })

  test('of two decisions at the same time one is refused', async () => {
    const [ledger, other] = [await store.open(), await store.open()]
    await ledger.invitations.create('ada', SCOPES, 'olga')
    const decided = await Promise.allSettled([
      ledger.users.change('ada', { scopes: ['a.*'] }, 'olga'),
      other.users.change('ada', { scopes: ['b.*'] }, 'olga'),
    ])
    const done = decided.filter(({ status }) => status === 'fulfilled')
    // One after the other is fine too.
    expect(done.length).toBeGreaterThanOrEqual(1)
    for (const one of decided)
      if (one.status === 'rejected') expect(one.reason.message).toContain('was changed by somebody else')
    expect(await isSound(ledger)).toBe('')
  })

  test('another process follows', async () => {
    const [ledger, other] = [await store.open(), await store.open()]
    const states = new UserStates(other.users, other.issuerRecords, (error) => store.failures.push(error as Error))
    await states.start()
    const active = (): string[] | undefined => {
      states.revision()
      return states.active('ada')?.scopes.slice()
    }
    expect(active()).toBeUndefined()
    await ledger.invitations.create('ada', SCOPES, 'olga')
    await expect.poll(active).toEqual(['shop.*'])
    await ledger.users.change('ada', { scopes: ['shop.look'] }, 'olga')
    await expect.poll(active).toEqual(['shop.look'])
    // Other writes are no reason to read the users again.
    const read = vi.spyOn(other.users, 'rows')
    await ledger.issuerRecords.put('Session', 'one', 'x', 60_000)
    states.revision()
    await ledger.issuerRecords.revokeGrant('one')
    await expect.poll(() => states.revision() > 0 && states.isRevoked(hashOf('one'))).toBe(true)
    expect(read).toHaveBeenCalledTimes(1)
    await ledger.users.disable('ada', 'olga')
    await expect.poll(active).toBeUndefined()
    states.stop()
    expect(store.failures).toEqual([])
  })

  test('a user of a locked ledger needs the signature of the operator, and no row that somebody wrote lets anybody in', async () => {
    const before = await store.open()
    await before.invitations.create('early', SCOPES, 'olga')
    await lockLedger(before, 'correct horse battery', 'olga', 2 ** 14)
    await before.close()
    const ledger = await store.open()
    const by = { name: 'olga', from: 'cli', signer: await unlockSigner(ledger.lock, 'correct horse battery') } as const
    expect((await ledger.users.find('early'))?.isSigned).toBe(false)
    await expect(ledger.users.change('early', { scopes: ['*'] }, 'eve')).rejects.toThrow(
      "need the operator's passphrase",
    )
    await expect(ledger.invitations.create('eve', { scopes: ['*'] }, 'eve')).rejects.toThrow("operator's passphrase")
    await ledger.invitations.create('ada', { ...SCOPES, profile: 'readers' }, by)
    const isSigned = async (): Promise<boolean | undefined> => (await ledger.users.find('ada'))?.isSigned
    expect(await isSigned()).toBe(true)
    for (const [column, value] of [
      ['scopes', '*'],
      ['profile', null],
      ['display_name', 'Root'],
      ['tokens_after', 0],
    ] as const) {
      const [row] = await ledger.db.query<Record<string, string | number | null>>(
        `SELECT ${column} FROM users WHERE name = 'ada'`,
      )
      if (row?.[column] === value) continue
      await write(`UPDATE users SET ${column} = ? WHERE name = 'ada'`, value)
      expect(await isSigned(), column).toBe(false)
      await write(`UPDATE users SET ${column} = ? WHERE name = 'ada'`, row?.[column] ?? null)
    }
    expect(await isSigned()).toBe(true)
    // Ending needs no signature, and cannot be undone in the store for a process that saw it.
    const states = new UserStates(ledger.users, ledger.issuerRecords, () => {})
    await states.start()
    expect(states.active('ada')).toBeDefined()
    const [row] = await ledger.db.query<Record<string, number>>(`SELECT tokens_after FROM users WHERE name = 'ada'`)
    await ledger.users.disable('ada', 'eve')
    await expect.poll(() => states.revision() > 0 && states.active('ada')).toBeUndefined()
    await write(`UPDATE users SET status = 'active', tokens_after = ? WHERE name = 'ada'`, Number(row?.tokens_after))
    // Once a later change is seen, that one was too.
    await ledger.invitations.create('later', SCOPES, by)
    await expect.poll(() => states.revision() > 0 && states.active('later')).toBeDefined()
    expect(states.active('ada')).toBeUndefined()
    states.stop()
    expect(await isSound(ledger)).toMatch(/was altered/)
  })
})
