/** Tokens of upstreams on both engines: encrypted, bound to their owner, and refreshed by one process at a time. */
import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ledger } from './ledger.ts'
import type { StoredToken, TokenOwner } from './upstream-tokens.ts'

const BY = { name: 'ada', from: 'cli' } as const
const ISSUER = 'https://issuer.example'

describe.each(ENGINES)('on %s', (engine) => {
  let store: Store
  let ledger: Ledger
  let other: Ledger
  beforeAll(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    other = await store.open()
  })
  afterAll(() => store.remove())

  const ownerOf = (server: string, more: Partial<TokenOwner> = {}): TokenOwner => ({
    ...{ kind: 'tokens', server, url: `https://${server}.example/mcp`, principal: '' },
    ...more,
  })
  const stored = async (owner: TokenOwner) => (await ledger.upstreamTokens.read(owner)) as StoredToken

  test('tokens are read by every process, and only by their owner', async () => {
    const owner = ownerOf('a')
    await ledger.upstreamTokens.write(owner, ISSUER, { token: 'a secret token' })
    expect(await other.upstreamTokens.read(owner)).toEqual({
      issuer: ISSUER,
      revision: 1,
      dead: null,
      body: { token: 'a secret token' },
    })
    for (const more of [
      { url: 'https://b.example' },
      { principal: 'eve' },
      { server: 'b' },
      { kind: 'client' as const },
    ])
      expect(await other.upstreamTokens.read({ ...owner, ...more })).toBeUndefined()
    const rows = JSON.stringify(await ledger.db.query('SELECT * FROM upstream_tokens'))
    expect(rows).not.toContain('a secret token')
    expect(rows).not.toContain(owner.url)
    await ledger.db.query(`UPDATE upstream_tokens SET issuer = 'https://evil.example'`)
    await expect(other.upstreamTokens.read(owner)).rejects.toThrow('cannot be opened')
  })

  test('one of many processes gets the lease to refresh, and a new revision ends it', async () => {
    const owner = ownerOf('lease')
    await ledger.upstreamTokens.write(owner, ISSUER, { token: 1 })
    const claims = await Promise.all(
      [ledger, other, ledger, other].map(({ upstreamTokens }) => upstreamTokens.claimRefresh(owner, 1)),
    )
    expect(claims.filter(Boolean)).toHaveLength(1)
    const before = await stored(owner)
    expect(await ledger.upstreamTokens.finishRefresh(owner, before, { token: 2 })).toBe(2)
    // Late: somebody else was faster.
    expect(await other.upstreamTokens.finishRefresh(owner, before, { token: 'late' })).toBeUndefined()
    expect(await stored(owner)).toMatchObject({ revision: 2, body: { token: 2 } })
    expect(await other.upstreamTokens.claimRefresh(owner, 1)).toBe(false)
    expect(await other.upstreamTokens.claimRefresh(owner, 2)).toBe(true)
    await other.upstreamTokens.releaseRefresh(owner, 2)
    expect(await ledger.upstreamTokens.claimRefresh(owner, 2)).toBe(true)
  })

  test('tokens that were refused are gone; newer ones are not', async () => {
    const owner = ownerOf('dead')
    await ledger.upstreamTokens.write(owner, ISSUER, { token: 1 })
    await ledger.upstreamTokens.write(owner, ISSUER, { token: 2 })
    expect(await other.upstreamTokens.kill(owner, 1, 'refused')).toBe(false)
    expect(await other.upstreamTokens.kill(owner, 2, 'refused')).toBe(true)
    expect(await stored(owner)).toEqual({ issuer: ISSUER, revision: 3, dead: 'refused', body: undefined })
    expect(await ledger.upstreamTokens.claimRefresh(owner, 3)).toBe(false)
  })

  test('signing in and out are decisions of the journal, with the tokens in the same transaction', async () => {
    const owner = ownerOf('notes')
    const about = { server: 'notes', principal: '', issuer: ISSUER, scopes: 'read' }
    await ledger.signIns.signIn(about, BY, ledger.upstreamTokens.writing(owner, ISSUER, { token: 1 }))
    await ledger.signIns.signIn(about, BY, ledger.upstreamTokens.writing(owner, ISSUER, { token: 2 }))
    expect(await other.signIns.list('notes')).toMatchObject([{ ...about, signed_in_by: 'ada', signed_out_at: null }])
    expect(await stored(owner)).toMatchObject({ body: { token: 2 } })
    await other.signIns.signOut('notes', '', BY, other.upstreamTokens.removing(owner))
    expect([await stored(owner), await ledger.signIns.list('notes')]).toEqual([undefined, []])
  })
})
