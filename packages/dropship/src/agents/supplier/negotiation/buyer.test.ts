import fc from 'fast-check'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import { expect, test } from 'vitest'
import type { Bid, BuyerStrategy } from '../../../ports.ts'
import { createBuyer } from './buyer.ts'

interface Policy {
  readonly list: number
  readonly reserve: number
  readonly patience: number
  /** bids below this part of the reserve cost patience */
  readonly insult: number
  /** the next ask, given round, the last ask and by how much the buyer came up */
  readonly ask: (round: number, last: number, raised: number) => number
}

/** Alternating offers, the buyer first; what a supplier of that policy says. */
function talk(
  buyer: BuyerStrategy,
  { list, reserve, patience, insult, ask }: Policy,
): { price: number | undefined; said: Bid[] } {
  const said: Bid[] = []
  let last = list
  let left = patience
  let bid = 0
  for (let round = 1; ; round++) {
    const word = buyer(said)
    said.push(word)
    if (word.says === 'leaves') return { price: undefined, said }
    if (word.says === 'accepts') return { price: word.price, said }
    const raised = bid === 0 ? 0 : word.price - bid
    bid = word.price
    const next = Math.max(reserve, Math.min(last, Math.round(ask(round, last, raised))))
    if (bid >= next) {
      said.push({ by: 'supplier', price: bid, says: 'accepts' })
      return { price: bid, said }
    }
    left -= bid < reserve * insult ? 2 : 1
    if (left <= 0) {
      said.push({ by: 'supplier', price: last, says: 'leaves' })
      return { price: undefined, said }
    }
    last = next
    said.push({ by: 'supplier', price: next, says: 'offers' })
  }
}

/** Three ways to give in, with random figures: by shrinking steps, by equal steps, and only as far as the buyer does. */
function randomPolicy(random: () => number): Policy {
  const list = 500 + Math.round(random() * 9500)
  const reserve = Math.round(list * (0.65 + 0.25 * random()))
  const patience = 4 + Math.floor(random() * 7)
  const keeps = 0.35 + 0.45 * random()
  const echo = 0.5 + random()
  const kinds: Policy['ask'][] = [
    (round) => reserve + (list - reserve) * keeps ** round,
    (round) => list - ((list - reserve) * round) / patience,
    (round, last, raised) => (round === 1 ? list - (list - reserve) * 0.25 : last - raised * echo),
  ]
  return { list, reserve, patience, insult: 0.5 + 0.3 * random(), ask: kinds[Math.floor(random() * 3)] ?? (() => list) }
}

test('in one talk with each of 200 suppliers of three kinds it gets half of what there is, and never pays above its limit', () => {
  const generator = xorshift128plus(42)
  const random = (): number => (generator.next() >>> 0) / 2 ** 32
  const parts: number[] = []
  let deals = 0
  for (let i = 0; i < 200; i++) {
    const policy = randomPolicy(random)
    const limit = Math.round(policy.list * (0.85 + 0.15 * random()))
    const { price } = talk(createBuyer({ opening: Math.round(policy.list * 0.62), limit, list: policy.list }), policy)
    if (price !== undefined) {
      deals++
      expect(price).toBeLessThanOrEqual(limit)
      expect(price).toBeGreaterThanOrEqual(policy.reserve)
    }
    // Without a deal the list price stands: nothing of the gap.
    if (limit >= policy.reserve)
      parts.push(price === undefined ? 0 : (policy.list - price) / (policy.list - policy.reserve))
  }
  const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length
  expect(mean, `${deals} deals of 200`).toBeGreaterThan(0.5)
})

test('it opens at its target, and gives in by less each time', () => {
  const { said } = talk(createBuyer({ opening: 600, limit: 1000, list: 1000 }), {
    list: 1000,
    reserve: 700,
    patience: 9,
    insult: 0,
    ask: (round) => 700 + 300 * 0.75 ** round,
  })
  const bids = said.filter(({ by, says }) => by === 'buyer' && says === 'offers').map(({ price }) => price)
  expect(bids[0]).toBe(600)
  const steps = bids.slice(1).map((bid, i) => bid - (bids[i] ?? 0))
  expect(steps.length).toBeGreaterThan(1)
  for (const [i, step] of steps.entries()) if (i > 0) expect(step).toBeLessThanOrEqual(steps[i - 1] ?? 0)
})

test('it walks away from a supplier that stays above its limit', () => {
  const { price, said } = talk(createBuyer({ opening: 500, limit: 600, list: 1000 }), {
    list: 1000,
    reserve: 900,
    patience: 50,
    insult: 0,
    ask: (round) => 900 + 100 * 0.5 ** round,
  })
  expect(price).toBeUndefined()
  expect(said.at(-1)).toMatchObject({ by: 'buyer', says: 'leaves' })
})

test('whatever a supplier says, talks end and no price above the limit is agreed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 60, maxLength: 60 }),
      fc.integer({ min: 1, max: 1000 }),
      fc.integer({ min: 1, max: 1000 }),
      (asks, opening, limit) => {
        const policy = {
          list: 1000,
          reserve: 0,
          patience: 60,
          insult: 0,
          ask: (round: number) => asks[round - 1] ?? 1000,
        }
        const { price, said } = talk(createBuyer({ opening, limit, list: 1000 }), policy)
        expect(said.length).toBeLessThan(125)
        if (price !== undefined) expect(price).toBeLessThanOrEqual(limit)
        for (const bid of said) if (bid.by === 'buyer') expect(Number.isInteger(bid.price) && bid.price > 0).toBe(true)
      },
    ),
    { numRuns: 200 },
  )
})
