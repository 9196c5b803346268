import { detailFaults } from '@myrmex/testing/shop/described-details'
import { smallShop } from '@myrmex/testing/shop/test-shops'
import { createServer } from 'myrmex'
import { connect } from 'myrmex/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { analytics } from './agent.ts'

interface Case {
  readonly error: string
  readonly tool: string
  readonly arguments: Record<string, unknown>
  readonly says: RegExp
}

const report = (date_range: string, error: string, says: RegExp): Case => ({
  error,
  tool: 'generate_report',
  arguments: { date_range, charts: false },
  says,
})
const sales = (args: object, error: string, says: RegExp): Case => ({
  error,
  tool: 'predict_sales',
  arguments: { ...args },
  says,
})

const CASES: readonly Case[] = [
  report('yesterday-ish', 'InvalidDateRange', /is not a range of days\. Give last_7_days, /),
  report('2026-13', 'InvalidDateRange', /is not a range/),
  report('2026-02-30..2026-03-02', 'InvalidDateRange', /is not a range/),
  report('2026-10-01..2026-10-02..2026-10-03', 'InvalidDateRange', /is not a range/),
  report('__proto__', 'InvalidDateRange', /is not a range/),
  report('2026-10-15..2026-10-01', 'InvalidDateRange', /ends before it begins\. Write 2026-10-01\.\.2026-10-15\./),
  report('2030-01', 'InvalidDateRange', /is in the future: today is .*predict_sales/),
  report('2019-05', 'NoData', /The books begin on \d{4}-\d\d-\d\d; 2019-05-01 to 2019-05-31 is before them/),
  {
    error: 'UnknownCampaign',
    tool: 'generate_report',
    arguments: { date_range: 'last_7_days', campaign_id: "cmp_0' OR 1=1" },
    says: /no campaign "cmp_0' OR 1=1"/,
  },
  sales({ month: 'Smarch' }, 'InvalidMonth', /Smarch/),
  sales({ month: '2020-02' }, 'MonthInPast', /2020-02/),
  sales({ month: '2031-01' }, 'TooFarAhead', /2031-01/),
  sales({ month: 'next_month', sku: 'nothing' }, 'UnknownSku', /nothing/),
]

let shop: EmbeddedShop
let before: string
const call = async (one: Pick<Case, 'tool' | 'arguments'>) => {
  const server = createServer({ name: 'test', version: '1.0.0', tools: analytics(async () => shop).tools })
  const connection = await connect(server)
  const result = await connection.call(`analytics.${one.tool}`, one.arguments)
  await connection.close()
  return result
}

beforeAll(async () => {
  shop = await smallShop()
  before = shop.dump()
})
afterAll(() => shop.close())

test.each(CASES)('$tool says $error ($says) and changes nothing', async (one) => {
  const { error } = await call(one)
  expect(error).toMatchObject({ error_type: one.error, error_message: expect.stringMatching(one.says) })
  expect(detailFaults(analytics(async () => ({}) as never).tools, error)).toEqual([])
  expect(shop.dump()).toBe(before)
})

test('a shop that never sold anything has no history to forecast from', async () => {
  const empty = await smallShop()
  empty.db.exec('DELETE FROM order_lines; DELETE FROM orders; DELETE FROM refunds')
  const dump = empty.dump()
  const server = createServer({ name: 'test', version: '1.0.0', tools: analytics(async () => empty).tools })
  const connection = await connect(server)
  const { error } = await connection.call('analytics.predict_sales', { month: 'this_month' })
  await connection.close()
  expect(error?.error_type).toBe('NotEnoughHistory')
  expect(detailFaults(analytics(async () => empty).tools, error)).toEqual([])
  expect(empty.dump()).toBe(dump)
  await empty.close()
})

test('every declared error is provoked above', () => {
  const declared = analytics(async () => ({}) as never).tools.flatMap(({ name, errors }) =>
    Object.keys(errors).map((error) => `${name} ${error}`),
  )
  const provoked = CASES.map(({ tool, error }) => `analytics.${tool} ${error}`)
  expect(new Set([...provoked, 'analytics.predict_sales NotEnoughHistory'])).toEqual(new Set(declared))
})
