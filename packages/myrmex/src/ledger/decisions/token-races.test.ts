/** Decisions about one token that are made at the same time, in one process and in several: one order of them explains what is left. */
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { LONG } from '@myrmex/testing/long'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from '../ledger.ts'

const TERMS = { scopes: ['shop.*'], profile: 'reader' }
const ROUNDS = LONG ? 10 : 5
/** of the event loop, in which one decision is made on SQLite */
const STEPS = 16

describe.each(EMBEDDED_FIRST)('tokens on %s, decided about at the same time', (engine) => {
  let store: Store
  beforeEach(async () => {
    store = await freshStore(engine)
    return () => store.remove()
  })
  const open = async (): Promise<Ledger[]> => [await store.open(), await store.open()]
  /** Those of these that are valid in a process that reads everything. */
  const valid = async (made: readonly PromiseSettledResult<{ readonly token: string }>[]): Promise<number> => {
    const reader = await store.open()
    const found = made.filter((one) => one.status === 'fulfilled' && reader.tokens.find(one.value.token) !== undefined)
    await reader.close()
    return found.length
  }

  test('of many that create one name, one does', async () => {
    const ledgers = await open()
    for (let round = 0; round < ROUNDS; round++) {
      const made = await Promise.allSettled(
        [...ledgers, ...ledgers].map((ledger) => ledger.tokens.create(`ci-${round}`, TERMS, 'ada')),
      )
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await valid(made)).toBe(1)
    }
  })

  test('of many that replace one, the last one leaves a token that is valid', async () => {
    const ledgers = await open()
    for (let round = 0; round < ROUNDS; round++) {
      const name = `ci-${round}`
      await ledgers[0]?.tokens.create(name, TERMS, 'ada')
      const made = await Promise.allSettled([...ledgers, ...ledgers].map((ledger) => ledger.tokens.rotate(name, 'ada')))
      expect(made.filter(({ status }) => status === 'rejected')).toEqual([])
      expect(await valid(made)).toBe(1)
    }
  })

  test('none is left after one revokes it while others replace it', async () => {
    const ledgers = await open()
    for (let round = 0; round < ROUNDS; round++) {
      const name = `ci-${round}`
      const [first, second] = ledgers as [Ledger, Ledger]
      await first.tokens.create(name, TERMS, 'ada')
      const [revoked, ...made] = await Promise.allSettled([
        second.tokens.revoke(name, 'eve').then(() => ({ token: '' })),
        ...[first, second, first].map((ledger) => ledger.tokens.rotate(name, 'ada')),
      ])
      expect(revoked?.status).toBe('fulfilled')
      expect(await valid(made)).toBe(0)
    }
  })

  test('none is left either if it is revoked between any two steps of one that replaces it', async () => {
    const [first, second] = (await open()) as [Ledger, Ledger]
    for (let steps = 0; steps < STEPS; steps++) {
      const name = `ci-${steps}`
      await first.tokens.create(name, TERMS, 'ada')
      const rotated = first.tokens.rotate(name, 'ada')
      for (let step = 0; step < steps; step++) await undefined
      const [revoked, made] = await Promise.allSettled([second.tokens.revoke(name, 'eve'), rotated])
      expect(revoked.status).toBe('fulfilled')
      expect(await valid([made]), `after ${steps} steps`).toBe(0)
    }
  })
})
