import { auditLine, recordLine, wholeChain } from '@myrmex/testing/ledger/audit-chain'
import { ENGINES, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { canonical } from '../../protocol/canonical.ts'
import type { Ledger } from '../ledger.ts'

const many = (count: number, name: string): string[] => Array.from({ length: count }, (_, index) => `${name}-${index}`)

describe.each(ENGINES)('the audit on %s', (engine) => {
  let store: Store
  let ledger: Ledger

  beforeAll(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })
  beforeEach(async () => {
    await store.empty()
    ledger = await store.open()
    return () => store.close()
  })

  test('keeps all lines of one turn as one row, and chains the rows', async () => {
    const [first, second] = [many(500, 'first'), many(3, 'second')]
    await Promise.all(first.map((id) => recordLine(ledger, auditLine(id))))
    await Promise.all(second.map((id) => recordLine(ledger, auditLine(id))))
    const { callIds, groups } = await wholeChain(ledger)
    expect(callIds).toEqual([...first, ...second])
    expect(groups.map(({ line_count }) => line_count)).toEqual([500, 3])
  })

  test('has a line in the store before it says so', async () => {
    const other = await store.open()
    for (const id of many(5, 'call')) {
      await recordLine(ledger, auditLine(id))
      expect((await wholeChain(other)).callIds).toContain(id)
    }
  })

  test('writes lines that nobody waits for', async () => {
    for (const id of many(20, 'call')) ledger.audit.record(auditLine(id))
    await expect.poll(async () => (await wholeChain(ledger)).callIds.length).toBe(20)
  })

  test('signs the newest group, at the latest on flush', async () => {
    for (const id of many(5, 'call')) await recordLine(ledger, auditLine(id))
    await ledger.audit.flush()
    expect((await wholeChain(ledger)).sealed).toContain(5)
    await recordLine(ledger, auditLine('one more'))
    // By itself, a moment later.
    await expect.poll(async () => (await wholeChain(ledger)).sealed).toContain(6)
  })

  test('continues the chain where an earlier process left it', async () => {
    await recordLine(ledger, auditLine('before'))
    await ledger.close()
    const next = await store.open()
    await recordLine(next, auditLine('after'))
    const { callIds, sealed } = await wholeChain(next)
    expect(callIds).toEqual(['before', 'after'])
    expect(sealed).toContain(1)
  })

  test('gives one gapless chain when two write to one store', async () => {
    const other = await store.open()
    const write = async (from: Ledger, name: string) => {
      for (const id of many(100, name)) await recordLine(from, auditLine(id))
    }
    await Promise.all([write(ledger, 'one'), write(other, 'two')])
    await Promise.all([ledger.audit.flush(), other.audit.flush()])
    const { callIds, sealed, groups } = await wholeChain(ledger)
    expect(callIds.filter((id) => id.startsWith('one'))).toEqual(many(100, 'one'))
    expect(callIds.filter((id) => id.startsWith('two'))).toEqual(many(100, 'two'))
    expect(callIds.length).toBe(200)
    expect(sealed).toContain(groups.length)
    expect(store.failures).toEqual([])
  })

  test('writes canonical JSON, whatever the order of keys was, and keeps every character', async () => {
    const args = { z: 1, a: { c: 'NUL \0, a lone \ud800 surrogate, \u2028, 🐜', b: [3, 1e21, 0.1] } }
    await recordLine(
      ledger,
      auditLine('odd', { args, run: 'line\nbreak', error: { error_type: 'Odd', error_message: '"quoted"' } }),
    )
    const { groups, lines } = await wholeChain(await store.open())
    const [text] = (groups[0]?.lines ?? '').split('\n')
    expect(text).toBe(canonical(JSON.parse(text as string)))
    expect(lines[0]).toMatchObject({ args, run: 'line\nbreak' })
  })

  test('keeps a value too large to keep as its length and its hash', async () => {
    await recordLine(ledger, auditLine('large', { data: { text: 'x'.repeat(100_000) } }))
    expect((await wholeChain(ledger)).lines[0]?.data).toEqual({
      characters: 100_011,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('knows the earliest and the latest time of a group, though the clock was set back within it', async () => {
    const times = [5000, 9000, 2000, 7000]
    await Promise.all(times.map((time) => recordLine(ledger, auditLine(String(time), { time }))))
    expect((await wholeChain(ledger)).groups[0]).toMatchObject({ first_time: 2000, last_time: 9000 })
  })
})
