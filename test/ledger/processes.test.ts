/** Several processes on one ledger: what one process cannot show, because SQLite answers it at once. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { wholeJournal } from '@myrmex/testing/ledger/audit-chain'
import { LedgerProcess } from '@myrmex/testing/ledger/ledger-process'
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { propertyRuns } from '@myrmex/testing/long'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import type { Tool } from '../../packages/myrmex/src/tool/tool.ts'

describe.each(EMBEDDED_FIRST)('several processes on one ledger on %s', (engine) => {
  let store: Store

  beforeEach(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })

  /** Starts them all, lets them go at the same moment, and gives what each says then, when they have ended. */
  const together = async (job: string, names: readonly string[], count = 0): Promise<string[]> => {
    const processes = names.map((name) => new LedgerProcess(job, store, { name, count }))
    onTestFinished(async () => void (await Promise.all(processes.map((each) => each.end()))))
    for (const each of processes) expect(await each.word()).toBe('ready')
    for (const each of processes) each.go()
    const words = await Promise.all(processes.map((each) => each.word()))
    for (const each of processes) expect(await each.word()).toBe('ended with 0')
    return words
  }

  test('make its tables, its key and its journal once when they start together', async () => {
    const names = ['a', 'b', 'c', 'd']
    const ids = await together('start', names)
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[0-9a-f]{16}$/)))
    expect(new Set(ids).size).toBe(1)
    const ledger = await store.open()
    expect(await ledger.db.query('SELECT key_id FROM keys')).toEqual([{ key_id: ids[0] }])
    expect((await wholeJournal(ledger)).callIds.toSorted()).toEqual(names)
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true, chains: 4, unsigned_records: 0 })
  })

  test('write a gapless chain each, every line once and in its order, and all of it verifies', async () => {
    expect(await together('write', ['a', 'b'], 300)).toEqual(['done', 'done'])
    const ledger = await store.open()
    const { callIds, chains, groups, sealed } = await wholeJournal(ledger)
    for (const name of ['a', 'b']) {
      const own = callIds.filter((id) => id.startsWith(name))
      expect(own).toEqual(Array.from({ length: 300 }, (_, number) => `${name}-${number}`))
    }
    expect(callIds.length).toBe(600)
    expect(chains.length).toBe(2)
    expect(sealed).toEqual(chains)
    // Neither has written into the chain of the other.
    for (const chain of chains) {
      const lines = groups.filter((group) => group.chain === chain).flatMap((group) => group.lines)
      expect(new Set(lines.map((line) => /"call_id":"([ab])-/.exec(line)?.[1])).size).toBe(1)
    }
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({
      ok: true,
      records: 600,
      unsigned_records: 0,
    })
  })

  test('count in the same place: a limit of 100 lets exactly 100 of 128 pass', async () => {
    const taken = await together('take', ['a', 'b'], 64)
    expect(taken.map(Number).reduce((sum, each) => sum + each)).toBe(100)
  })

  describe('that share a limit', () => {
    // On PostgreSQL each takes a round trip.
    const CALLS = engine === 'sqlite' ? 3000 : 600
    const tokensOf = (names: readonly string[]): number =>
      names.reduce((sum, name) => sum + statSync(join(store.folder, name)).size, 0)

    test('let through as many calls as it has, and refuse none while one is left', async () => {
      for (let round = 0; round < propertyRuns(1, 20); round++) {
        const ledger = await store.open()
        await ledger.db.query('DELETE FROM buckets')
        await ledger.close()
        const names = ['a', 'b', 'c']
        const times = (await together('drain', names, CALLS)).map((said) => said.split(' ').map(Number))
        expect(tokensOf(names)).toBe(CALLS)
        const lastAsked = Math.max(...times.map(([asked]) => asked as number))
        const firstRefused = Math.min(...times.map(([, refused]) => refused as number))
        expect(firstRefused).toBeGreaterThan(lastAsked)
      }
    })

    test('never let through more if some are killed, and lose a small share at most', async () => {
      const kills = propertyRuns(3, 30)
      const drain = (name: string) => {
        const one = new LedgerProcess('drain', store, { name, count: CALLS })
        onTestFinished(() => one.end())
        return one
      }
      const names = ['last']
      for (let kill = 0; kill < kills; kill++) {
        const name = `killed-${kill}`
        names.push(name)
        const killed = drain(name)
        expect(await killed.word()).toBe('ready')
        killed.go()
        await setTimeout(10 * Math.random())
        await killed.end()
      }
      const last = drain('last')
      expect(await last.word()).toBe('ready')
      last.go()
      await last.word()
      const taken = tokensOf(names)
      expect(taken).toBeLessThanOrEqual(CALLS)
      // Each has at most a sixteenth reserved, and one token of which it could not make a note.
      expect(taken).toBeGreaterThanOrEqual(CALLS - kills * (CALLS / 16 + 1))
    })
  })

  test('know what another one decided with the very next call, though they remember decisions', async () => {
    const rounds = propertyRuns(60, 600)
    const sell = { name: 'sell', version: '1.0.0', hash: 'sell', origin: 'own' } as Tool
    const definition = { tool: 'sell', version: '1.0.0', hash: 'sell' }
    const ledger = await store.open()
    const look = async () => [
      await ledger.trust.currentLevel(sell),
      (await ledger.grants.covering(definition, 'ann')) !== undefined,
    ]
    const other = new LedgerProcess('decide', store, { name: 'sell', count: rounds })
    onTestFinished(() => other.end())
    expect(await other.word()).toBe('ready')
    for (let round = 0; round < rounds; round++) {
      other.go()
      let heard: string | undefined
      const word = other.word().then((each) => {
        heard = each
      })
      // Calls go on all the time, so that there is something to remember.
      while (heard === undefined) {
        await look()
        await Promise.race([word, setImmediate()])
      }
      expect([heard, ...(await look())]).toEqual(
        round % 2 ? ['revoked', 'untrusted', false] : ['given', 'trusted', true],
      )
    }
  })
})
