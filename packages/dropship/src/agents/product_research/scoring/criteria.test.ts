import { expect, test } from 'vitest'
import { COMPONENTS, parseCriteria } from './criteria.ts'

const total = (weights: Record<string, number>): number =>
  Object.values(weights).reduce((sum, weight) => sum + weight, 0)

test('without a wish demand, trend, competition and risk stand as 4 to 3 to 2 to 1', () => {
  const { weights, requested, unknownWords } = parseCriteria(undefined)
  expect(weights.trend / weights.demand).toBeCloseTo(0.75)
  expect(weights.competition / weights.demand).toBeCloseTo(0.5)
  expect(weights.risk / weights.demand).toBeCloseTo(0.25)
  expect(total(weights)).toBeCloseTo(1)
  expect([requested, unknownWords]).toEqual([[], []])
})

test.each([
  ['High Margin', ['margin']],
  ['low risk', ['risk']],
  ['trending', ['trend']],
  ['low competition', ['competition']],
  ['TRENDING products with little competition, please', ['trend', 'competition']],
])('%s is a wish for %j', (criteria, wished) => {
  const base = parseCriteria('').weights
  const found = parseCriteria(criteria)
  expect(found.requested).toEqual(wished)
  expect(found.unknownWords).toEqual([])
  for (const component of COMPONENTS) {
    const raised = found.weights[component] > base[component]
    expect(raised).toBe(wished.includes(component))
  }
})

test('what it does not know it says, once', () => {
  expect(parseCriteria('purple high margin purple unicorns').unknownWords).toEqual(['purple', 'unicorns'])
})
