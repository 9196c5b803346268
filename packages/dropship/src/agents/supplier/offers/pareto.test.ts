import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beats, paretoFront } from './pareto.ts'

const offer = (supplier_id: string, landed: number, lead_days: number, reliability: number) => ({
  supplier_id,
  landed,
  lead_days,
  reliability,
})

test('only offers that no other beats on all counts are left, cheapest first', () => {
  const cheap = offer('cheap', 100, 20, 0.8)
  const fast = offer('fast', 150, 5, 0.8)
  const sure = offer('sure', 160, 10, 0.99)
  const slowAndDear = offer('slow', 155, 12, 0.8)
  const { best, beaten } = paretoFront([slowAndDear, sure, cheap, fast])
  expect(best.map(({ supplier_id }) => supplier_id)).toEqual(['cheap', 'fast', 'sure'])
  expect(beaten).toEqual([{ offer: slowAndDear, by: fast }])
})

test('equals stay side by side', () => {
  expect(paretoFront([offer('a', 1, 1, 1), offer('b', 1, 1, 1)]).best).toHaveLength(2)
})

test('whatever is offered: nothing on the front is beaten, and all the rest is, by one of the front', () => {
  const some = fc.record({
    supplier_id: fc.string({ minLength: 1, maxLength: 3 }),
    landed: fc.integer({ min: 1, max: 5 }),
    lead_days: fc.integer({ min: 1, max: 5 }),
    reliability: fc.constantFrom(0.5, 0.75, 1),
  })
  fc.assert(
    fc.property(fc.array(some, { maxLength: 12 }), (offers) => {
      const { best, beaten } = paretoFront(offers)
      expect(best.length + beaten.length).toBe(offers.length)
      for (const one of best) expect(offers.some((other) => beats(other, one))).toBe(false)
      for (const { offer, by } of beaten) expect(best.includes(by) && beats(by, offer)).toBe(true)
    }),
    { numRuns: 200 },
  )
})
