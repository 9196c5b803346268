import { describe, expect, test } from 'vitest'
import { budgetFrom, withKnownBudget } from './known-budget.ts'
import { PlanContextSchema } from './plan.ts'

describe('a known value called budget', () => {
  test.each([
    [5000, { money: 5000 }],
    ['5000', { money: 5000 }],
    ['5,000.50 EUR', { money: 5000.5 }],
    ['€ 5000', { money: 5000 }],
    ['$1,234,567', { money: 1_234_567 }],
    [
      { money: 5000, calls: 20, time: '15m' },
      { money: 5000, calls: 20, time_ms: 900_000 },
    ],
  ])('%j is the budget', (given, read) => {
    expect(PlanContextSchema.parse({ known: { budget: given } })).toEqual({ known: { budget: given }, budget: read })
    expect(PlanContextSchema.parse({ known: { Budget: given } }).budget).toEqual(read)
  })

  test.each([['low'], ['5,00'], ['5000 a day'], ['-5'], [-5], [null], [['5000']], [{ mony: 1 }], ['']])(
    '%j is not a budget, and stays a value for tools',
    (given) => {
      expect(budgetFrom(given)).toBeUndefined()
      const context = { known: { budget: given } }
      expect(withKnownBudget(context)).toBe(context)
    },
  )

  test('does not replace a budget of money, and completes other limits', () => {
    const context = { known: { budget: 50 }, budget: { money: 5000 } }
    expect(withKnownBudget(context)).toBe(context)
    expect(withKnownBudget({ known: { budget: 50 }, budget: { calls: 3 } }).budget).toEqual({ money: 50, calls: 3 })
  })
})
