import { defaultShop } from '@myrmex/testing/shop/test-shops'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { createServer } from 'myrmex'
import { connect } from 'myrmex/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmbeddedShop } from '../../embedded/open.ts'
import { toCents } from '../../money.ts'
import { generateReport } from './generate-report.ts'
import { findings } from './report/findings.ts'
import { gatherFigures } from './report/gather-figures.ts'
import { CHART_NAMES, makeReport } from './report/report.ts'
import { escapeMarkdown } from './report/report-markdown.ts'
import type { Figures, Report } from './report/report-schema.ts'
import { days, reportCharts, reports } from './resources.ts'
import { weeklyReview } from './weekly-review.ts'

let shop: EmbeddedShop
beforeAll(async () => {
  shop = await defaultShop()
})
afterAll(() => shop.close())

const report = (date_range: string, campaign_id?: string): Promise<Report> =>
  makeReport(shop, { date_range, campaign_id, charts: false })
const cents = (sql: string, ...values: (string | number)[]): number =>
  Number((shop.db.prepare(sql).get(...values) as { n: number | null }).n ?? 0)

describe('the figures', () => {
  test.each(['last_7_days', 'last_30_days', 'last_90_days', 'last_year', '2026-07'])(
    'of %s are what the tables say',
    async (date_range) => {
      const { from, to, ...made } = await report(date_range)
      const revenue = cents('SELECT sum(total) n FROM orders WHERE placed_on BETWEEN ? AND ?', from, to)
      const fees = cents('SELECT sum(fee) n FROM orders WHERE placed_on BETWEEN ? AND ?', from, to)
      const goods = cents(
        `SELECT sum(cost) n FROM order_lines JOIN orders USING (order_id) LEFT JOIN shipments USING (order_id)
         WHERE placed_on BETWEEN ? AND ? AND (status NOT IN ('cancelled', 'refunded') OR shipped_on IS NOT NULL)`,
        from,
        to,
      )
      const refunds = cents('SELECT sum(amount) n FROM refunds WHERE day BETWEEN ? AND ?', from, to)
      const spend = cents('SELECT sum(spend) n FROM campaign_days WHERE day BETWEEN ? AND ?', from, to)
      const orders = cents('SELECT count(*) n FROM orders WHERE placed_on BETWEEN ? AND ?', from, to)
      const visits = cents('SELECT sum(visits) n FROM visits WHERE day BETWEEN ? AND ?', from, to)
      const brought = cents('SELECT sum(revenue) n FROM campaign_days WHERE day BETWEEN ? AND ?', from, to)
      expect(revenue).toBeGreaterThan(0)
      expect(toCents(made.revenue)).toBe(revenue)
      expect(toCents(made.cost.fees ?? Number.NaN)).toBe(fees)
      expect(toCents(made.cost.goods ?? Number.NaN)).toBe(goods)
      expect(toCents(made.refunds.amount)).toBe(refunds)
      expect(made.refunds.rate).toBeCloseTo(refunds / revenue, 4)
      expect(toCents(made.ad_spend)).toBe(spend)
      expect(toCents(made.profit)).toBe(revenue - goods - fees - refunds - spend)
      expect(made.margin).toBeCloseTo(made.profit / made.revenue, 4)
      expect(made).toMatchObject({ orders, visits })
      expect(made.average_order_value).toBeCloseTo(revenue / orders / 100, 2)
      expect(made.ads.return_on_ad_spend).toBeCloseTo(spend === 0 ? 0 : brought / spend, 4)
    },
  )

  test('by channel, by product and by day add up to the whole, to the cent', async () => {
    const made = await report('last_90_days')
    const whole = { ...made, cost: made.cost.total, refunds: made.refunds.amount }
    for (const parts of [made.by_channel, made.by_product, made.by_day]) {
      for (const name of ['visits', 'orders', 'units'] as const)
        expect(parts.reduce((sum, part) => sum + part[name], 0)).toBe(whole[name])
      for (const name of ['revenue', 'cost', 'ad_spend', 'refunds', 'profit'] as const)
        expect(parts.reduce((sum, part) => sum + toCents(part[name]), 0)).toBe(toCents(whole[name]))
    }
    expect(made.by_day).toHaveLength(90)
    expect(made.campaigns.reduce((sum, { spend }) => sum + toCents(spend), 0)).toBe(toCents(made.ads.spend))
  })

  test('an order of several products is one order', async () => {
    const own = await defaultShop()
    const address = { name: 'A', street: 'B 1', city: 'C', postal_code: '1', country: 'DE' }
    const [one, two] = await own.storefront.products({ status: 'active', limit: 2 })
    const lines = [one, two].map((product) => ({ sku: product?.sku ?? '', quantity: 2 }))
    const order = await own.orders.place({ email: 'a@b.c', address, lines, channel: 'direct' }, undefined)
    const today = await own.clock.today()
    const { figures } = await gatherFigures(own, { date_range: `${today}..${today}` })
    expect(figures).toMatchObject({ orders: 1, units: 4, revenue: order.total / 100 })
    expect(figures.average_order_value).toBe(order.total / 100)
    await own.close()
  })

  test('compare with as many days before', async () => {
    const [made, then] = await Promise.all([report('last_30_days'), report('last_90_days')])
    const { before } = made
    const part = then.by_day.slice(30, 60)
    expect([before?.from, before?.to]).toEqual([part[0]?.day, part[29]?.day])
    expect(before?.revenue).toBeCloseTo(
      part.reduce((sum, day) => sum + day.revenue, 0),
      2,
    )
    expect(before?.revenue_change).toBeCloseTo(made.revenue / (before?.revenue ?? 1) - 1, 4)
    expect((await report('last_year')).before).toBeNull()
  })

  test('of one campaign are its own, and 0 where it spent nothing', async () => {
    const { campaigns, from, to } = await report('last_90_days')
    const [campaign] = campaigns
    const made = await report('last_90_days', campaign?.campaign_id)
    expect(made.ads).toMatchObject({
      campaign_id: campaign?.campaign_id,
      spend: campaign?.spend,
      return_on_ad_spend: campaign?.return_on_ad_spend,
    })
    const row = shop.db
      .prepare('SELECT sum(spend) s, sum(revenue) r FROM campaign_days WHERE campaign_id = ? AND day BETWEEN ? AND ?')
      .get(campaign?.campaign_id ?? '', from, to) as { s: number; r: number }
    expect(made.ads.return_on_ad_spend).toBeCloseTo(row.r / row.s, 4)
    const [old] = await shop.ads.campaigns({ limit: 1 })
    const none = await report('last_7_days', old?.campaign_id)
    expect(none.ads).toMatchObject({ spend: 0, return_on_ad_spend: 0 })
  })

  test('of 30 days are made without charts', async () => {
    await report('last_30_days')
    expect(await withTimeLimit(150, () => report('last_30_days'))).toHaveProperty('ads')
  })
})

describe('what stands out', () => {
  test('names its figures, and the most urgent comes first', async () => {
    const { figures } = await gatherFigures(shop, { date_range: 'last_90_days' })
    const bad: Figures = {
      ...figures,
      revenue: 100,
      profit: -50,
      refunds: { amount: 8, rate: 0.08 },
      before: figures.before && { ...figures.before, revenue: 200, revenue_change: -0.5 },
      by_channel: [
        {
          ...(figures.by_channel[0] as Report['by_channel'][number]),
          channel: 'instagram',
          ad_spend: 100,
          revenue: 210,
          cost: 70,
        },
      ],
    }
    const texts = findings(bad).map(({ level, text }) => `${level}: ${text}`)
    expect(texts[0]).toMatch(/^warning: The shop lost 50.00 EUR/)
    expect(texts).toContainEqual(
      expect.stringMatching(/^warning: Revenue of 100.00 EUR is 50.0 % below the 200.00 EUR/),
    )
    expect(texts).toContainEqual(expect.stringMatching(/^warning: 8.0 % of revenue was paid back.*above 5.0 %/))
    expect(texts).toContainEqual(
      expect.stringMatching(/^good: Instagram returns 2.10 per 1 spent .*It needs 1.50 to pay for goods and fees/),
    )
  })

  test('says nothing of what is in order', async () => {
    const { figures } = await gatherFigures(shop, { date_range: 'last_90_days' })
    const good: Figures = { ...figures, refunds: { amount: 0, rate: 0 }, stock: [], by_channel: [], by_product: [] }
    const calm = { ...good, open: { orders: 0, oldest_order_days: 0, tickets: 0, with_a_human: 0 }, before: null }
    expect(findings({ ...calm, profit: 1 })).toEqual([])
  })
})

test('titles that are markup stay text, in words and in charts', async () => {
  const own = await defaultShop()
  own.db.exec(
    `UPDATE products SET title = '<script>alert(1)</script> [x](javascript:y) ' || char(96) || '**b**' || char(27) || '[2J'`,
  )
  const made = await makeReport(own, { date_range: 'last_30_days', charts: true })
  for (const unsafe of ['<script', '\u001b']) expect(made.text).not.toContain(unsafe)
  // a bracket that is escaped begins no link, whatever follows it
  expect(made.text).not.toMatch(/(?<!\\)\]\(javascript/)
  for (const { svg } of made.charts) for (const unsafe of ['<script', '\u001b']) expect(svg).not.toContain(unsafe)
  expect(escapeMarkdown('a_b|c')).toBe('a\\_b\\|c')
  await own.close()
})

test('the tool answers through a server, with charts by default', async () => {
  const server = createServer({ name: 'test', version: '1.0.0', tools: [generateReport(async () => shop)] })
  const connection = await connect(server)
  const { data, error } = await connection.call('analytics.generate_report', { date_range: 'last_7_days' })
  await connection.close()
  expect(error).toBeNull()
  const made = data as unknown as Report
  expect(made.charts.map(({ name }) => name)).toEqual([...CHART_NAMES])
  expect(made.text).toContain('| Revenue |')
  expect(made.text).toMatch(/revenue {2}[▁▂▃▄▅▆▇█]{7}/)
})

describe('what can be read', () => {
  const source = async () => shop
  const read = async (resource: ReturnType<typeof reports>, variables: Record<string, string>) =>
    resource.read('', variables, {} as never)

  test('are reports and their charts, of the usual ranges and of others', async () => {
    const listed = await reports(source).list?.(undefined, 3, {} as never)
    expect(listed?.map(({ uri }) => uri)).toEqual(
      ['last_7_days', 'last_30_days', 'last_90_days'].map((range) => `shop://reports/${range}`),
    )
    const rest = await reports(source).list?.(listed?.[2]?.uri, 10, {} as never)
    expect(rest?.map(({ uri }) => uri)[0]).toBe('shop://reports/last_year')
    expect(await read(reports(source), { date_range: '2026-07' })).toContain('# Report for 2026-07-01 to 2026-07-31')
    expect(await read(reports(source), { date_range: 'nonsense' })).toBeUndefined()
    expect(await read(reportCharts(source), { date_range: 'last_7_days', chart: 'revenue' })).toMatch(/^<svg/)
    expect(await read(reportCharts(source), { date_range: 'last_7_days', chart: 'toString' })).toBeUndefined()
  })

  test('is every day of the books', async () => {
    const made = await report('last_7_days')
    const day = made.by_day[3]
    const text = await read(days(source), { id: day?.day ?? '' })
    expect(JSON.parse(text as string)).toMatchObject({ day: day?.day, revenue: day?.revenue, profit: day?.profit })
    expect(await read(days(source), { id: '2026-02-30' })).toBeUndefined()
    const list = await days(source).list?.(`shop://days/${day?.day}`, 2, {} as never)
    expect(list?.map(({ uri }) => uri)).toEqual([2, 1].map((at) => `shop://days/${made.by_day[at]?.day}`))
  })

  test('is the weekly review, with the figures of both weeks', async () => {
    const text = String(await weeklyReview(source).get({}, {} as never))
    const made = await report('last_7_days')
    const shown = (amount = 0) => amount.toLocaleString('en', { minimumFractionDigits: 2 })
    expect(text).toContain(`| Revenue | ${shown(made.revenue)} | ${shown(made.before?.revenue)} |`)
  })
})
