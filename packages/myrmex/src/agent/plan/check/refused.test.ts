/** Faults of a plan are found before anything runs: a table of plans with one fault each, and its message. */

import { campaign, find, from, negotiate, plan, step, TOOLS } from '@myrmex/testing/agent/coffee-tools'
import { describe, expect, test } from 'vitest'
import { checkPlan, PROBLEM_CODES } from '../check.ts'

type Row = [what: string, plan: unknown, code: string, step: string | undefined, path: string, message: RegExp]

const BAD: Row[] = [
  ['no plan', undefined, 'bad-shape', undefined, '', /there is no plan/],
  ['a text', 'do it', 'bad-shape', undefined, '', /the plan is "do it"/],
  ['no steps', { ...plan([]), steps: undefined }, 'bad-shape', undefined, '/steps', /steps is missing/],
  ['an unknown field', { ...plan([]), cost: 3 }, 'bad-shape', undefined, '/cost', /a plan has no field "cost"/],
  ['a bad id', plan([{ ...find, id: 'a b' }]), 'bad-shape', undefined, '/steps/0/id', /id is "a b"/],
  [
    'arguments as a list',
    plan([{ ...find, arguments: [] as never }]),
    'bad-shape',
    's1',
    '/steps/0/arguments',
    /arguments is an empty list/,
  ],
  ['a negative budget', plan([find], { money: -1 }), 'bad-shape', undefined, '/budget/money', /money is -1/],
  ['one id twice', plan([find, find]), 'duplicate-id', 's1', '/steps/1/id', /an earlier step has the id s1, too/],
  [
    'an unknown tool',
    plan([step('s1', 'supplier.find_supliers', {})]),
    'unknown-tool',
    's1',
    '/steps/0/tool',
    /no tool "supplier.find_supliers". Did you mean supplier.find_suppliers\?/,
  ],
  [
    'a tool without its module',
    plan([step('s1', 'negotiate_price', {})]),
    'unknown-tool',
    's1',
    '/steps/0/tool',
    /Did you mean supplier.negotiate_price\?/,
  ],
  [
    'the wrong agent',
    plan([{ ...find, agent: 'shop' }]),
    'wrong-agent',
    's1',
    '/steps/0/agent',
    /is a tool of supplier, not of "shop"/,
  ],
  [
    'an unknown need',
    plan([{ ...find, needs: ['s9'] }]),
    'unknown-step',
    's1',
    '/steps/0/needs/0',
    /no step "s9". Did you mean s1\?/,
  ],
  [
    'a step that needs itself',
    plan([{ ...find, needs: ['s1'] }]),
    'cycle',
    's1',
    '/steps/0/needs',
    /s1 needs itself: s1 -> s1/,
  ],
  [
    'a circle of needs',
    plan([{ ...find, needs: ['s2'] }, negotiate('x')]),
    'cycle',
    's1',
    '/steps/0/needs',
    /s1 -> s2 -> s1$/,
  ],
  [
    'a circle by reference',
    plan([
      { ...find, arguments: { product: from('/quote_id', 's2') } },
      { ...negotiate(from('/best/supplier_id')), needs: [] },
    ]),
    'cycle',
    's1',
    '/steps/0/needs',
    /s1 -> s2 -> s1$/,
  ],
  [
    'a missing argument',
    plan([step('s1', 'supplier.find_suppliers', {})]),
    'missing-argument',
    's1',
    '/steps/0/arguments/product',
    /product is required and missing/,
  ],
  [
    'a missing argument within one',
    plan([find, step('s2', 'supplier.negotiate_price', { supplier_id: 'x', target: {} })]),
    'missing-argument',
    's2',
    '/steps/1/arguments/target/price',
    /target\/price is required and missing/,
  ],
  [
    'an unknown argument',
    plan([step('s1', 'supplier.find_suppliers', { product: 'x', rating: 3 })]),
    'unknown-argument',
    's1',
    '/steps/0/arguments/rating',
    /takes no "rating"; it takes product, min_rating/,
  ],
  [
    'a number as text',
    plan([step('s1', 'supplier.find_suppliers', { product: 'x', min_rating: '3' })]),
    'bad-argument',
    's1',
    '/steps/0/arguments/min_rating',
    /min_rating must be number, and is "3"/,
  ],
  [
    'a number out of bounds',
    plan([step('s1', 'supplier.find_suppliers', { product: 'x', min_rating: 7 })]),
    'bad-argument',
    's1',
    '/steps/0/arguments/min_rating',
    /at most 5, and is 7/,
  ],
  [
    'a value not listed beside a reference',
    plan([
      find,
      step('s2', 'supplier.negotiate_price', {
        supplier_id: from('/best/supplier_id'),
        target: { price: from('/best/price'), currency: 'DM' },
      }),
    ]),
    'bad-argument',
    's2',
    '/steps/1/arguments/target/currency',
    /one of "EUR", "USD", and is "DM"/,
  ],
  [
    'a reference that is none',
    plan([find, negotiate({ $from: 's1' })]),
    'bad-reference',
    's2',
    '/steps/1/arguments/supplier_id',
    /path is missing/,
  ],
  [
    'a reference with more in it',
    plan([find, negotiate({ $from: 's1', path: '', as: 'text' })]),
    'bad-reference',
    's2',
    '/steps/1/arguments/supplier_id',
    /here is also "as"/,
  ],
  [
    'a reference to a number',
    plan([find, negotiate({ $from: 1, path: '' })]),
    'bad-reference',
    's2',
    '/steps/1/arguments/supplier_id',
    /\$from must be the id of a step, not 1/,
  ],
  [
    'a path without its slash',
    plan([find, negotiate(from('best/supplier_id'))]),
    'bad-reference',
    's2',
    '/steps/1/arguments/supplier_id',
    /must begin with \//,
  ],
  [
    'a reference to no step',
    plan([find, negotiate(from('/best/supplier_id', 's7'))]),
    'unknown-step',
    's2',
    '/steps/1/arguments/supplier_id',
    /no step "s7"/,
  ],
  [
    'a reference to itself',
    plan([find, negotiate(from('/quote_id', 's2'))]),
    'self-reference',
    's2',
    '/steps/1/arguments/supplier_id',
    /s2 refers to its own result/,
  ],
  [
    'a reference to a tool without data',
    plan([{ ...campaign(1, 's1') }, negotiate(from('/id'))], { money: 9 }),
    'no-output',
    's2',
    '/steps/1/arguments/supplier_id',
    /marketing.create_campaign, the tool of s1, gives no data/,
  ],
  [
    'a path that is not there',
    plan([find, negotiate(from('/suppliers/0/supplier'))]),
    'no-such-path',
    's2',
    '/steps/1/arguments/supplier_id',
    /has no \/suppliers\/0\/supplier: it goes only as far as \/suppliers\/0, which has supplier_id, price, grade, note, token/,
  ],
  [
    'a field of a list',
    plan([find, negotiate(from('/suppliers/supplier_id'))]),
    'no-such-path',
    's2',
    '/steps/1/arguments/supplier_id',
    /\/suppliers, which is a list: an index must follow, not "supplier_id"/,
  ],
  [
    'the end of a list',
    plan([find, negotiate(from('/suppliers/-'))]),
    'no-such-path',
    's2',
    '/steps/1/arguments/supplier_id',
    /- names the place after the last/,
  ],
  [
    'an item that is never there',
    plan([find, negotiate(from('/pair/2'))]),
    'no-such-path',
    's2',
    '/steps/1/arguments/supplier_id',
    /a list that never has an item 2/,
  ],
  [
    'something inside a text',
    plan([find, negotiate(from('/best/supplier_id/0'))]),
    'no-such-path',
    's2',
    '/steps/1/arguments/supplier_id',
    /which is string and has nothing inside/,
  ],
  [
    'an inherited name',
    plan([find, negotiate(from('/best/__proto__'))]),
    'no-such-path',
    's2',
    '/steps/1/arguments/supplier_id',
    /has no \/best\/__proto__/,
  ],
  [
    'a secret',
    plan([find, negotiate(from('/best/token'))]),
    'secret-reference',
    's2',
    '/steps/1/arguments/supplier_id',
    /\/best\/token of the result of s1 \(supplier.find_suppliers\) is secret/,
  ],
  [
    'a number for a text',
    plan([find, negotiate(from('/pair/1'))]),
    'unfit-type',
    's2',
    '/steps/1/arguments/supplier_id',
    /refers to \/pair\/1 of s1, which is number where string is taken/,
  ],
  [
    'a list for one of it',
    plan([find, negotiate('x', from('/suppliers'))]),
    'unfit-type',
    's2',
    '/steps/1/arguments/target/price',
    /is array where number is taken/,
  ],
  [
    'another meaning',
    plan([find, negotiate('x'), { ...negotiate(from('/quote_id', 's2')), id: 's3', needs: ['s2'] }]),
    'unfit-type',
    's3',
    '/steps/2/arguments/supplier_id',
    /is a quote_id where a supplier_id is taken/,
  ],
  [
    'values that are never taken',
    plan([find, step('s2', 'marketing.grade', { grade: from('/best/grade') })]),
    'unfit-type',
    's2',
    '/steps/1/arguments/grade',
    /is "a" or "b", and none of that is taken/,
  ],
  [
    'a whole object for a part',
    plan([find, step('s2', 'supplier.negotiate_price', { supplier_id: 'x', target: from('/best') })]),
    'unfit-type',
    's2',
    '/steps/1/arguments/target',
    /has a supplier_id, which is not taken/,
  ],
  [
    'more money than there is',
    plan([campaign(30, 's1'), campaign(21)], { money: 50 }),
    'over-budget',
    undefined,
    '/budget/money',
    /cost 51, and the budget is 50/,
  ],
  [
    'money without a budget',
    plan([campaign(30, 's1')]),
    'no-budget',
    's1',
    '/steps/0',
    /s1 \(marketing.create_campaign\) spends 30, and there is no budget/,
  ],
  [
    'more steps than calls',
    plan([find, negotiate('x')], { calls: 1 }),
    'too-many-calls',
    undefined,
    '/budget/calls',
    /2 steps, and the budget is 1 calls/,
  ],
  [
    'a name that is unsafe',
    JSON.parse(JSON.stringify(plan([find])).replace('"product"', '"__proto__"')),
    'unsafe-name',
    undefined,
    '/steps/0/arguments/__proto__',
    /__proto__/,
  ],
  [
    'a function',
    plan([{ ...find, arguments: { product: () => 1 } }]),
    'unreadable',
    undefined,
    '/steps/0/arguments/product',
    /a function/,
  ],
]

describe('a plan is refused for', () => {
  test.each(BAD)('%s', (_, bad, code, id, path, message) => {
    const checked = checkPlan(bad, TOOLS)
    expect(checked.ok).toBe(false)
    if (checked.ok) return
    expect(checked.problems).toEqual([
      { code, ...(id === undefined ? {} : { step: id }), path, message: expect.stringMatching(message) },
    ])
  })

  test('nothing that the table of codes does not explain', () => {
    const never = new Set([
      'more',
      'too-large',
      'need-added',
      'may-be-absent',
      'secret-inside',
      'may-not-fit',
      'cost-unknown',
      'secret-in-plan',
      // A run finds this, which knows the ledger.
      'not-trusted',
      // And this, which knows the agents.
      'refused-by-agent',
      'asked-by-agent',
      // The author of the plan finds these, who was given the values.
      'unknown-name',
      'bad-value',
    ])
    const seen = new Set(BAD.map(([, , code]) => code))
    expect(
      Object.keys(PROBLEM_CODES)
        .filter((code) => !never.has(code))
        .sort(),
    ).toEqual([...seen].sort())
  })
})
