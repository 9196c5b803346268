import { defaultShop } from '@myrmex/testing/shop/test-shops'
import { createServer } from 'myrmex'
import { connect } from 'myrmex/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, daysBetween } from '../../day.ts'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { closedDays, forecast } from '../../forecast/index.ts'
import type { SalesDay } from '../../ports.ts'
import { readMonth } from './month.ts'
import { predictSales } from './predict-sales.ts'
import type { Prediction } from './prediction/prediction-schema.ts'

let shop: EmbeddedShop
let before: string
let call: (
  args: Record<string, unknown>,
) => Promise<{ status: string; data: Prediction; error: { error_type: string; error_details: object } }>
beforeAll(async () => {
  shop = await defaultShop()
  before = shop.dump()
  const server = createServer({ name: 'test', version: '1.0.0', tools: [predictSales(async () => shop)] })
  const client = await connect(server)
  call = (args) => client.call('analytics.predict_sales', args) as never
})
afterAll(() => shop.close())

const TODAY = '2026-11-01'
const round = (value: number) => Math.round(value * 100) / 100

/** Once more from the books, in another way. */
async function series(of: 'units' | 'revenue', sku?: string): Promise<number[]> {
  const since = await shop.books.firstDay()
  const rows = (await shop.books.sales({ from: since, to: addDays(TODAY, -1) })).filter(
    (row) => sku === undefined || row.sku === sku,
  )
  const sold = (day: string, row: SalesDay) => (row.day === day ? row[of] : 0)
  const byDay = Map.groupBy(rows, ({ day }) => day)
  return Array.from({ length: daysBetween(since, TODAY) }, (_, i) => {
    const day = addDays(since, i)
    return (byDay.get(day) ?? []).reduce((sum, row) => sum + sold(day, row), 0) / (of === 'revenue' ? 100 : 1)
  })
}

test('the next month of the shop is what the forecast of its books says', async () => {
  const { data } = await call({})
  expect(data).toMatchObject({ month: '2026-12', from: '2026-12-01', to: '2026-12-31', sku: null, level: 0.8 })
  const units = await series('units')
  const closed = closedDays(units)
  const said = forecast(units, { horizon: 61, sumFrom: 30, closed })
  expect(data.units).toEqual({
    low: round(said.sum.low),
    expected: round(said.sum.expected),
    high: round(said.sum.high),
  })
  const money = forecast(await series('revenue'), { horizon: 61, sumFrom: 30, closed })
  expect(data.revenue.expected).toBe(round(money.sum.expected))
  expect(data.days).toHaveLength(31)
  expect(data.days[4]?.units.high).toBe(round(said.high[34] as number))
  expect(data.model).toBe(said.model)
  expect(data.backtest[0]?.model).toBe(data.model)
  expect(data.error.mase).toBeCloseTo(said.mase, 3)
  expect(data.coverage_of_past_intervals).toBeCloseTo(said.coverage, 3)
  expect(data.text).toContain(Math.round(said.sum.expected).toLocaleString('en-US'))
  expect(data.chart.svg).toMatch(/^<svg[\s\S]*<\/svg>$/)
  expect(data.seasonality.weekdays.reduce((sum, { factor }) => sum + factor, 0)).toBeCloseTo(7, 1)
})

test('a product is forecast from its own sales', async () => {
  const { data } = await call({ month: 'December', sku: 'chair-red' })
  const closed = closedDays(await series('units'))
  const said = forecast(await series('units', 'chair-red'), { horizon: 61, sumFrom: 30, closed })
  expect(data).toMatchObject({ sku: 'chair-red', product_name: 'Red Chair', month: '2026-12' })
  expect(data.units.expected).toBe(round(said.sum.expected))
})

test('of the current month, past sales are certain and the rest is forecast', async () => {
  const { data } = await call({ month: 'this_month' })
  expect(data).toMatchObject({ month: '2026-11', from: TODAY, to: '2026-11-30', sold_so_far: { units: 0, revenue: 0 } })
  expect(data.units.expected).toBeCloseTo(
    data.days.reduce((sum, { units }) => sum + units.expected, 0),
    0,
  )
})

test.each([
  { error: 'InvalidMonth', args: { month: 'Smarch' } },
  { error: 'InvalidMonth', args: { month: '2026-13' } },
  { error: 'MonthInPast', args: { month: '2026-10' }, details: { month: '2026-10', today: TODAY } },
  { error: 'TooFarAhead', args: { month: '2028-01' }, details: { months_ahead: 14, most_months: 12 } },
  { error: 'TooFarAhead', args: { month: 'June' }, details: { history_days: 365, furthest_month: '2027-02' } },
  { error: 'UnknownSku', args: { sku: 'no-such-thing' }, details: { sku: 'no-such-thing' } },
])('$args is $error', async ({ error, args, details }) => {
  const answer = await call(args)
  expect(answer.error).toMatchObject({ error_type: error, ...(details && { error_details: details }) })
})

test('after all of them the shop is as it was', () => {
  expect(shop.dump()).toBe(before)
})

test('a product that is new in the shop has not enough history, and the error says how much there is', async () => {
  const fresh = await defaultShop()
  fresh.db.exec(`UPDATE products SET created_on = '2026-10-20' WHERE sku = 'chair-red'`)
  const dump = fresh.dump()
  const client = await connect(
    createServer({ name: 'test', version: '1.0.0', tools: [predictSales(async () => fresh)] }),
  )
  const { error } = await client.call('analytics.predict_sales', { month: 'this_month', sku: 'chair-red' })
  expect(error).toMatchObject({
    error_type: 'NotEnoughHistory',
    error_details: { history_days: 12, needed_days: 90, since: '2026-10-20' },
  })
  expect(fresh.dump()).toBe(dump)
  await fresh.close()
})

test.each([
  ['december', '2026-03-15', '2026-12'],
  ['dec', '2026-11-01', '2026-12'],
  ['december 2026', '2026-11-01', '2026-12'],
  ['2026-12', '2026-11-01', '2026-12'],
  ['Mar', '2026-03-15', '2026-03'],
  ['february', '2026-03-15', '2027-02'],
  ['next_month', '2026-01-31', '2026-02'],
  ['Next Month', '2026-12-31', '2027-01'],
  ['this_month', '2026-12-31', '2026-12'],
  ['sept 2026', '2026-03-15', '2026-09'],
])('%s said on %s means %s', (text, today, month) => {
  expect(readMonth(text, today).month).toBe(month)
})

test.each(['', 'ju', '2026-00', '2026', 'december 26', 'december 2026 please', '__proto__', 'next_year'])(
  '%j is not a month',
  (text) => {
    expect(() => readMonth(text, TODAY)).toThrow(expect.objectContaining({ error_type: 'InvalidMonth' }))
  },
)
