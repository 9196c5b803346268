/** The result for a plan that passes: its cost, its levels, its needs, and its warnings. */

import { campaign, find, from, negotiate, plan, step, TOOLS, view } from '@myrmex/testing/agent/coffee-tools'
import { describe, expect, test } from 'vitest'
import { checkPlan, type PlanCheck } from './check.ts'
import type { Plan } from './plan.ts'

const passed = (checked: PlanCheck): PlanCheck & { ok: true } => {
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
  return checked
}
const warned = (given: Plan): string[] =>
  passed(checkPlan(given, TOOLS)).warnings.map(({ code, path }) => `${code} ${path}`)

describe('a plan that passes', () => {
  const good = plan(
    [
      find,
      negotiate(from('/best/supplier_id'), from('/best/price')),
      step('s3', 'shop.open', { name: 'x' }),
      { ...campaign(20.5, 's4'), needs: ['s2', 's3'] },
    ],
    { money: 100, calls: 9 },
  )

  test('tells its cost and what may run together', () => {
    const { cost, levels, plan: checked } = passed(checkPlan(good, TOOLS))
    expect(cost).toBe(20.5)
    expect(levels).toEqual([['s1', 's3'], ['s2'], ['s4']])
    expect(checked).toEqual(good)
  })

  test('has the smaller of two budgets', () => {
    const { plan: checked } = passed(checkPlan(good, TOOLS, { budget: { money: 50, calls: 20, time_ms: 1000 } }))
    expect(checked.budget).toEqual({ money: 50, calls: 9, time_ms: 1000 })
    const refused = checkPlan(good, TOOLS, { budget: { money: 20 } })
    expect(refused.ok ? [] : refused.problems.map(({ code }) => code)).toEqual(['over-budget'])
  })

  test('needs what it refers to, whether it says so or not', () => {
    const {
      plan: checked,
      levels,
      warnings,
    } = passed(checkPlan(plan([{ ...negotiate(from('/best/supplier_id')), needs: [] }, find]), TOOLS))
    expect(checked.steps[0]?.needs).toEqual(['s1'])
    expect(levels).toEqual([['s1'], ['s2']])
    expect(warnings).toEqual([
      {
        code: 'need-added',
        step: 's2',
        path: '/steps/0/needs',
        message: 's2 refers to s1, which is not in its needs. It was added',
      },
    ])
  })

  test('may have questions, and no steps', () => {
    const asking = { ...plan([]), questions: [{ input: 'product', question: 'Which product?' }] }
    expect(passed(checkPlan(asking, TOOLS)).levels).toEqual([])
  })
})

describe('a plan is warned of', () => {
  test('what a result need not have', () => {
    expect(warned(plan([find, negotiate(from('/suppliers/0/supplier_id'))]))).toEqual([
      'may-be-absent /steps/1/arguments/supplier_id',
    ])
    const { warnings } = passed(
      checkPlan(plan([find, negotiate('x'), step('s3', 'shop.open', { name: from('/from/city') }, ['s1'])]), TOOLS),
    )
    expect(warnings.map(({ message }) => message)).toEqual([
      '/from/city may be missing in the result of s1 (supplier.find_suppliers): not every result has /from/city',
    ])
    expect(warned(plan([find, step('s3', 'shop.open', { name: from('/best/note') }, ['s1'])]))).toEqual([
      'may-be-absent /steps/1/arguments/name',
    ])
    expect(warned(plan([find, negotiate('x', from('/more/x'))]))).toContain(
      'may-be-absent /steps/1/arguments/target/price',
    )
  })

  test('what may not fit, with a value that would not', () => {
    const { warnings } = passed(
      checkPlan(plan([find, step('s2', 'shop.open', { name: from('/maybe') }, ['s1'])]), TOOLS),
    )
    expect(warnings).toEqual([
      {
        code: 'may-not-fit',
        step: 's2',
        path: '/steps/1/arguments/name',
        message: '/maybe of s1 may be null, which shop.open does not accept there',
      },
    ])
  })

  test('a cost that is not known yet', () => {
    const checked = passed(
      checkPlan(plan([find, { ...campaign(from('/best/price')), needs: ['s1'] }], { money: 1 }), TOOLS),
    )
    expect(checked.cost).toBe(0)
    expect(checked.warnings.map(({ code }) => code)).toEqual(['may-not-fit', 'cost-unknown'])
  })

  test('an argument that its tool does not know, where the schema is open', () => {
    expect(warned(plan([step('s1', 'shop.open', { name: 'x', nmae: 'y' })]))).toEqual([
      'unknown-argument /steps/0/arguments/nmae',
    ])
  })

  test('secrets, which are shown nowhere', () => {
    const long = 'hunter2-hunter2-hunter2-hunter2'
    expect(warned(plan([step('s1', 'marketing.sign', { key: long })]))).toEqual([
      'secret-in-plan /steps/0/arguments/key',
    ])
    const short = checkPlan(plan([step('s1', 'marketing.sign', { key: 'hunter2' })]), TOOLS)
    expect(short.ok).toBe(false)
    expect(JSON.stringify(short)).not.toContain('hunter2')
  })

  test('secrets inside of what is referred to', () => {
    const keep = view('shop.keep', { type: 'object', properties: { what: {} } }, undefined)
    const checked = passed(
      checkPlan(plan([find, step('s2', 'shop.keep', { what: from('') }, ['s1'])]), [...TOOLS, keep]),
    )
    expect(checked.warnings).toEqual([
      {
        code: 'secret-inside',
        step: 's2',
        path: '/steps/1/arguments/what',
        message: 'token in it is secret and will come as [secret]',
      },
    ])
  })
})

describe('what has a default', () => {
  const amount = { type: 'number', default: 7, 'x-cost': true }
  const tool = view('ads.buy', { type: 'object', properties: { amount }, required: ['amount'], 'x-cost': 1 }, undefined)
  const buying = (args: Record<string, unknown>): Plan => plan([step('s1', 'ads.buy', args)], { money: 10 })

  test('need not be given, and is spent all the same', () => {
    expect(passed(checkPlan(buying({}), [tool])).cost).toBe(8)
    expect(passed(checkPlan(buying({ amount: 2 }), [tool])).cost).toBe(3)
    expect(checkPlan({ ...buying({}), budget: { money: 7 } }, [tool]).ok).toBe(false)
  })

  test('is spent inside other arguments, too, and needs a budget', () => {
    const line = { type: 'object', properties: { amount } }
    const nested = view('ads.buy', { type: 'object', properties: { lines: { type: 'array', items: line } } }, undefined)
    expect(passed(checkPlan(buying({ lines: [{}, { amount: 1 }] }), [nested])).cost).toBe(8)
    const checked = checkPlan({ ...buying({ lines: [{}] }), budget: {} }, [nested])
    expect(checked).toMatchObject({
      ok: false,
      problems: [{ code: 'no-budget', message: expect.stringContaining('spends 7') }],
    })
  })
})
