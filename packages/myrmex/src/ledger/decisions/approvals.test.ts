import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decisionEntry } from '../journal/decision.ts'
import { applyDecision, DecisionCheck } from '../journal/decision-tables.ts'
import type { Ledger } from '../ledger.ts'
import { recentDenials } from './denials.ts'

const call = {
  tool: 'shop.sell',
  version: '1.0.0',
  hash: 'a'.repeat(64),
  args_hash: 'c'.repeat(64),
  principal: 'ann',
}

describe.each(ENGINES)('approvals on %s', (engine) => {
  let store: Store
  let ledger: Ledger

  beforeAll(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    return () => store.remove()
  })
  beforeEach(() => store.empty())

  const approved = async (ttlMs?: number): Promise<string> => {
    const { id } = await ledger.approvals.request(call, '{"price":5}', 'spends money', ttlMs)
    await ledger.approvals.approve(id, 'olga')
    return id
  }

  test('of two for the same call the named one is used, once', async () => {
    const [first, second] = [await approved(), await approved()]
    expect(await ledger.approvals.useThis(second, 'run-1')).toMatchObject({ id: second, used_by: 'run-1' })
    expect(await ledger.approvals.useThis(second, 'run-1')).toBeUndefined()
    expect(await ledger.approvals.find(first)).toMatchObject({ status: 'approved', used_by: null })
  })

  test('wait for a human, and let nothing through before', async () => {
    const { id } = await ledger.approvals.request(call, '{"price":5}', 'spends money')
    expect(await ledger.approvals.use(call, 'call-1')).toBeUndefined()
    expect(await ledger.approvals.find(id)).toMatchObject({ ...call, args: '{"price":5}', status: 'waiting' })
    expect(await ledger.approvals.find('nobody')).toBeUndefined()
  })

  test('are asked for once, though two processes ask at the same instant', async () => {
    const other = await store.open()
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? ledger : other).approvals.request(call, '{}', 'spends money'),
      ),
    )
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1)
    // An expired request does not block the next one.
    await ledger.db.query("UPDATE approvals SET expires_at = 1 WHERE status = 'waiting'")
    expect((await ledger.approvals.request(call, '{}', 'spends money')).id).not.toBe(asked[0]?.id)
  })

  test('of one principal are so many at most, though all are asked for at the same instant', async () => {
    const other = await store.open()
    const long = `"${'x'.repeat(900_000)}"`
    const asked = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) =>
        (n % 2 === 0 ? ledger : other).approvals.request(
          { ...call, args_hash: `${n}`.padStart(64, 'b') },
          long,
          'spends money',
        ),
      ),
    )
    const made = asked.filter(({ status }) => status === 'fulfilled').length
    // With PostgreSQL each process may be one request ahead of what the others see.
    expect([8, ...(engine === 'sqlite' ? [] : [9])]).toContain(made)
    expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { error_type: 'ApiLimitExceeded', message: expect.stringContaining('Long calls of ann wait') },
    })
    expect(await ledger.approvals.list('waiting')).toHaveLength(made)
    // Others still ask.
    await ledger.approvals.request({ ...call, principal: 'bob' }, long, 'spends money')
  })

  test('that were denied a short time ago are counted, of each tool and caller', async () => {
    for (const more of [{}, { args_hash: 'd' }, { principal: 'bob' }, { tool: 'shop.buy' }]) {
      const { id } = await ledger.approvals.request({ ...call, ...more }, '{}', 'spends money')
      await ledger.approvals.deny(id, 'olga')
    }
    expect(await recentDenials(ledger, call, 60_000)).toBe(2)
    expect(await recentDenials(ledger, call, 0)).toBe(0)
  })

  test('are asked for once, however often the call comes', async () => {
    const first = await ledger.approvals.request(call, '{}', 'spends money')
    expect(await ledger.approvals.request(call, '{}', 'spends money')).toEqual(first)
    const other = await ledger.approvals.request({ ...call, principal: 'bob' }, '{}', 'spends money')
    expect(other.id).not.toBe(first.id)
  })

  test('are used once, by one of twenty who come at the same instant on two connections', async () => {
    const other = await store.open()
    const id = await approved()
    const users = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? ledger : other).approvals.use(call, `call-${index}`),
    )
    const used = (await Promise.all(users)).filter((approval) => approval !== undefined)
    expect(used).toMatchObject([{ id, status: 'used' }])
    expect((await ledger.approvals.find(id))?.used_by).toBe(used[0]?.used_by)
  })

  test('let nothing through but the exact call', async () => {
    await approved()
    const others = [
      { ...call, args_hash: 'd'.repeat(64) },
      { ...call, principal: 'bob' },
      { ...call, version: '1.0.1' },
      { ...call, hash: 'b'.repeat(64) },
      { ...call, tool: 'shop.buy' },
    ]
    for (const other of others) expect(await ledger.approvals.use(other, 'call-1')).toBeUndefined()
    expect(await ledger.approvals.use(call, 'call-1')).toBeDefined()
  })

  test('survive a restart', async () => {
    const before = await store.open()
    const { id } = await before.approvals.request(call, '{}', 'spends money')
    await before.approvals.approve(id, 'olga')
    await before.close()
    const next = await store.open()
    expect(await next.approvals.use(call, 'call-1')).toMatchObject({ id, used_by: 'call-1' })
  })

  test('expire while they wait: they read so, cannot be decided, and are requested again', async () => {
    const { id } = await ledger.approvals.request(call, '{}', 'spends money', 30)
    await expect.poll(async () => (await ledger.approvals.find(id))?.status).toBe('expired')
    await expect(ledger.approvals.approve(id, 'olga')).rejects.toThrow(`Approval ${id} is expired`)
    expect((await ledger.approvals.list('expired')).map((approval) => approval.id)).toEqual([id])
    expect(await ledger.approvals.list('waiting')).toEqual([])
    expect((await ledger.approvals.request(call, '{}', 'spends money')).id).not.toBe(id)
  })

  test('expire after the approval, and then let nothing through', async () => {
    const id = await approved(300)
    expect((await ledger.approvals.list('approved')).map((approval) => approval.id)).toEqual([id])
    await expect.poll(async () => (await ledger.approvals.find(id))?.status).toBe('expired')
    expect(await ledger.approvals.use(call, 'call-1')).toBeUndefined()
  })

  test('are valid for as long after the approval as the request was', async () => {
    const id = await approved(60_000)
    const { decided_at, expires_at } = (await ledger.approvals.find(id)) as { decided_at: number; expires_at: number }
    expect(expires_at - decided_at).toBe(60_000)
  })

  test('are decided once', async () => {
    const id = await approved()
    await expect(ledger.approvals.deny(id, 'otto')).rejects.toThrow(`Approval ${id} is approved`)
    await ledger.approvals.use(call, 'call-1')
    await expect(ledger.approvals.approve(id, 'otto')).rejects.toThrow(`Approval ${id} is used`)
    await expect(ledger.approvals.approve('nobody', 'otto')).rejects.toThrow('There is no approval nobody')
    expect(await ledger.approvals.find(id)).toMatchObject({ decided_by: 'olga', status: 'used' })
  })

  test('let one of two win who decide at the same instant', async () => {
    const other = await store.open()
    const { id } = await ledger.approvals.request(call, '{}', 'spends money')
    const decisions = await Promise.allSettled([ledger.approvals.approve(id, 'olga'), other.approvals.deny(id, 'otto')])
    expect(decisions.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('that are denied let nothing through, and say why', async () => {
    const { id } = await ledger.approvals.request(call, '{}', 'spends money')
    await ledger.approvals.deny(id, 'olga', 'too dear')
    expect(await ledger.approvals.use(call, 'call-1')).toBeUndefined()
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'denied', decided_by: 'olga', note: 'too dear' })
  })

  test('can be given back by the call that used them, and by no other', async () => {
    const id = await approved()
    await ledger.approvals.use(call, 'call-1')
    await ledger.approvals.giveBack(id, 'call-2')
    expect(await ledger.approvals.use(call, 'call-2')).toBeUndefined()
    await ledger.approvals.giveBack(id, 'call-1')
    expect(await ledger.approvals.use(call, 'call-2')).toMatchObject({ id, used_by: 'call-2' })
  })

  test('that a killed process recorded and did not store are in nobody’s way, because nobody heard of them', async () => {
    const lost = await ledger.approvals.request(call, '{}', 'spends money')
    await ledger.db.query('DELETE FROM approvals')
    const waiting = await ledger.approvals.request(call, '{}', 'spends money')
    const entry = decisionEntry({ what: 'request', by: 'ann', table: 'approvals', rows: [lost] })
    for (const _ of [1, 2]) await ledger.db.transaction(applyDecision(entry))
    expect(await ledger.approvals.find(lost.id)).toMatchObject({ ...lost, status: 'expired' })
    expect(await ledger.approvals.find(waiting.id)).toMatchObject(waiting)
  })

  test('are made again from the journal, though a request for the same call expired before', async () => {
    const old = await ledger.approvals.request(call, '{}', 'spends money')
    await ledger.db.query("UPDATE approvals SET status = 'expired'")
    const waiting = await ledger.approvals.request(call, '{}', 'spends money')
    const check = new DecisionCheck()
    for (const row of [old, { ...waiting, requested_at: old.requested_at + 1 }])
      check.entry(decisionEntry({ what: 'request', by: 'ann', table: 'approvals', rows: [row] }))
    await ledger.db.transaction(check.rebuild())
    expect(await ledger.approvals.find(old.id)).toMatchObject({ status: 'expired' })
    expect(await ledger.approvals.find(waiting.id)).toMatchObject({ status: 'waiting' })
    expect((await check.compare(ledger.db)).defects.size).toBe(0)
  })

  test('tell who listens that a decision was made', async () => {
    let heard = 0
    const stop = ledger.approvals.onDecision(() => heard++)
    await approved()
    expect(heard).toBe(1)
    stop()
    await ledger.approvals.use(call, 'call-1')
    await approved()
    expect(heard).toBe(1)
  })

  test('are listed newest first, at most as many as asked for', async () => {
    const ids: string[] = []
    for (const principal of ['ann', 'bob', 'cid']) {
      ids.unshift((await ledger.approvals.request({ ...call, principal }, '{}', 'spends money')).id)
      const [made] = ids
      // Apart by a minute each: the order must not hang on a millisecond.
      await ledger.db.query('UPDATE approvals SET requested_at = requested_at + ? WHERE id = ?', [
        ids.length * 60_000,
        made as string,
      ])
    }
    expect((await ledger.approvals.list()).map(({ id }) => id)).toEqual(ids)
    expect((await ledger.approvals.list('waiting', 2)).map(({ id }) => id)).toEqual(ids.slice(0, 2))
  })
})
