import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { BudgetSchema } from './budget.ts'
import { pointer } from './json.ts'

describe('a budget', () => {
  test.each([
    [5000, { money: 5000 }],
    [0, { money: 0 }],
    [
      { money: 5000, calls: 20 },
      { money: 5000, calls: 20 },
    ],
    [{ time: '15m' }, { time_ms: 900_000 }],
    [{ time: 90_000 }, { time_ms: 90_000 }],
    [{ time_ms: 90_000 }, { time_ms: 90_000 }],
    [{}, {}],
  ])('%j is read as %j', (given, read) => {
    expect(BudgetSchema.parse(given)).toEqual(read)
    // A parsed budget is parsed again when it comes from the ledger.
    expect(BudgetSchema.parse(read)).toEqual(read)
  })

  test.each([
    ['5000', 'expected an amount of money, such as 5000, or limits, such as {"money": 5000'],
    [null, 'expected an amount of money'],
    [[5000], 'expected an amount of money'],
    [-1, 'must be at least 0'],
    [Number.NaN, 'must be a finite number'],
    [{ mony: 5 }, '/mony: is not a known property; known are money, calls, time, time_ms'],
    [{ money: '5000' }, '/money: must be a number'],
    [{ calls: 1.5 }, '/calls: must be an integer'],
    [{ time: 'soon' }, '/time: expected milliseconds, or a time such as "90s", "15m" or "2h"'],
    [{ time: 0 }, '/time: must be more than 0'],
    [{ time: true }, '/time: expected milliseconds, or a time such as "90s", "15m" or "2h"'],
    [{ money: 5, calls: -1 }, '/calls: must be at least 0'],
  ])('%j is refused with what is wrong', (given, message) => {
    const [issue] = BudgetSchema.safeParse(given).error?.issues ?? []
    const { path = [], message: text = '' } = issue ?? {}
    expect(path.length === 0 ? text : `${pointer(path)}: ${text}`).toContain(message)
  })

  test('has both forms in its JSON Schema', () => {
    const { anyOf } = z.toJSONSchema(BudgetSchema, { io: 'input' })
    expect(anyOf).toMatchObject([
      { type: 'number', minimum: 0 },
      { type: 'object', properties: { money: {}, calls: {}, time: {}, time_ms: {} }, additionalProperties: false },
    ])
  })
})
