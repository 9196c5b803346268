/** Suppliers at the table: they keep to their word and their reserve, whatever a buyer says. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bid } from '../../ports.ts'
import { type BargainingSupplier, supplierReply } from './bargain.ts'

const haggler = fc
  .record({
    ask: fc.integer({ min: 200, max: 20_000 }),
    floor: fc.double({ min: 0.7, max: 0.97, noNaN: true }),
    patience: fc.integer({ min: 3, max: 8 }),
    concession: fc.double({ min: 0.3, max: 3, noNaN: true }),
    offence: fc.double({ min: 0.6, max: 0.82, noNaN: true }),
  })
  .map(({ floor, ...rest }): BargainingSupplier => ({ ...rest, reserve: Math.round(rest.ask * floor) }))

const talk = (hidden: BargainingSupplier, bids: readonly number[]): Bid[] => {
  const said: Bid[] = []
  for (const price of bids) {
    said.push({ by: 'buyer', price, says: 'offers' })
    const answer = supplierReply(hidden, said)
    said.push(answer)
    if (answer.says !== 'offers') break
  }
  return said
}

const SAMPLE: BargainingSupplier = { ask: 2000, reserve: 1500, patience: 5, concession: 1, offence: 0.7 }
const last = (said: readonly Bid[]): Bid | undefined => said.at(-1)

test('a supplier never sells below its reserve, never raises its price, and is done within its patience', () => {
  fc.assert(
    fc.property(
      haggler,
      fc.array(fc.double({ min: 0.5, max: 1.02, noNaN: true }), { minLength: 1, maxLength: 20 }),
      (hidden, shares) => {
        const said = talk(
          hidden,
          shares.map((share) => Math.round(share * hidden.ask)),
        )
        const own = said.filter((bid) => bid.by === 'supplier')
        for (const bid of own) if (bid.says !== 'leaves') expect(bid.price).toBeGreaterThanOrEqual(hidden.reserve)
        const offered = own.filter((bid) => bid.says === 'offers').map((bid) => bid.price)
        expect(offered).toEqual([...offered].sort((a, b) => b - a))
        expect(own.length).toBeLessThanOrEqual(hidden.patience + 2)
      },
    ),
  )
})

test('a buyer who offers what is asked gets the deal at once', () => {
  expect(last(talk(SAMPLE, [2000]))).toEqual({ by: 'supplier', price: 2000, says: 'accepts' })
})

test('a buyer who comes up step by step ends below what was asked', () => {
  const said = talk(SAMPLE, [1300, 1400, 1500, 1600, 1650, 1700])
  expect(last(said)?.says).toBe('accepts')
  expect(last(said)?.price).toBeLessThan(1800)
})

test('one insult is passed over without a concession, the second ends the talk', () => {
  const said = talk(SAMPLE, [900, 900])
  expect(said[1]).toEqual({ by: 'supplier', price: 2000, says: 'offers' })
  expect(said[3]?.says).toBe('leaves')
})

test('a buyer who does not move wears the supplier out sooner', () => {
  const stubborn = talk(
    SAMPLE,
    Array.from({ length: 10 }, () => 1400),
  )
  const moving = talk(
    SAMPLE,
    Array.from({ length: 10 }, (_, at) => 1400 + at),
  )
  expect(last(stubborn)?.says).toBe('leaves')
  expect(stubborn.length).toBeLessThan(moving.length)
})

test('the same words get the same answer', () => {
  expect(talk(SAMPLE, [1300, 1450, 1500])).toEqual(talk(SAMPLE, [1300, 1450, 1500]))
})
