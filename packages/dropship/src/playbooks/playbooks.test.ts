/** Which goals the shop's playbooks take, and that no question and no prohibition becomes a plan that changes something. */

import { smallShop } from '@myrmex/testing/shop/test-shops'
import type { Plan } from 'myrmex'
import type { Playbook } from 'myrmex/runs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmbeddedShop } from '../embedded/open.ts'
import { advertise } from './advertise.ts'
import { dateRangeIn } from './date-range-in.ts'
import { launch } from './launch.ts'
import { report } from './report.ts'
import { research } from './research.ts'
import { serve } from './serve.ts'
import { stock } from './stock.ts'
import { unsupported } from './unsupported.ts'

let shop: EmbeddedShop
let playbooks: Playbook[]

beforeAll(async () => {
  shop = await smallShop()
  const source = async () => shop
  playbooks = [
    unsupported(),
    launch(source),
    serve(source),
    advertise(source),
    research(source),
    stock(source),
    report(source),
  ]
})
afterAll(() => shop.close())

/** The first that takes the goal, as the fleet asks them. */
async function planFor(goal: string, money?: number): Promise<(Plan & { by: string }) | undefined> {
  const context = { budget: money === undefined ? {} : { money } }
  for (const { name, plan } of playbooks) {
    const made = await plan({ goal, context } as Parameters<typeof plan>[0], undefined)
    if (made !== undefined) return { ...(made as Plan), by: name }
  }
  return undefined
}

const READING = [
  'product_research.find_winning_products',
  'analytics.generate_report',
  'analytics.predict_sales',
  'operations.check_inventory',
]

test.each([
  'Do not ship orders to Spain',
  "Don't answer the tickets",
  'Stop shipping orders',
  'Should we launch a coffee product?',
  'Report on the launch of the coffee brand last month',
  'How did we handle tickets last week?',
  'Did we ship all orders?',
  'Can we serve customers faster?',
  'Why do we ship orders so late?',
  'Stop all campaigns',
  'Do not advertise the Red Chair for 20 a day',
  'Should we advertise the Red Chair for 20 a day?',
  'Refund order 777',
])('“%s” makes no plan that changes something', async (goal) => {
  const made = await planFor(goal, 5000)
  for (const { tool } of made?.steps ?? []) expect(READING).toContain(tool)
})

test.each([
  ['Launch a new coffee brand', 'launch'],
  ['Please launch a coffee line', 'launch'],
  ['Can you launch a coffee brand?', 'launch'],
  ['Serve the customers', 'serve'],
  ['We should ship the open orders', 'serve'],
  ['Answer all tickets', 'serve'],
  ['Stop all campaigns', 'beyond'],
  ['Should we launch a coffee product?', 'research'],
  ['Which products should we sell next?', 'research'],
  ['What sells well in Pets?', 'research'],
  ['Raise the price of the red chair', 'beyond'],
  ['How much did we spend on ads last week?', 'report'],
  ['What will we sell in December?', 'report'],
  ['Why did sales drop?', 'report'],
  ['Is anything running out of stock?', 'stock'],
  ['Do we have enough red chairs?', 'stock'],
  ['How many red chairs do we have in stock?', 'stock'],
])('“%s” is for %s', async (goal, by) => {
  expect((await planFor(goal, 5000))?.by).toBe(by)
})

test('an ad is about the product that the goal names, and costs a day what it says', async () => {
  const made = await planFor('Advertise the Red Chair on tiktok for 20 a day')
  expect(made?.steps.map((one) => one.arguments)).toMatchObject([
    { product_name: 'Red Chair', sku: 'chair-red', channel: 'tiktok' },
    { platform: 'tiktok', budget: 20 },
  ])
  expect((await planFor('Advertise the Red Chair'))?.questions).toHaveLength(1)
  const words = await planFor('Write a premium ad for the Red Chair')
  expect(words?.steps.map((one) => one.arguments)).toEqual([
    { tone: 'premium', product_name: 'Red Chair', sku: 'chair-red' },
  ])
})

describe('launching', () => {
  test('a budget that buys no first campaign is asked about, instead of planned past', async () => {
    for (const money of [0, 10, 69.99]) {
      const made = await planFor('Launch a new coffee brand', money)
      expect(made?.steps).toEqual([])
      expect(made?.questions[0]?.question).toContain('needs 70 or more')
    }
    expect((await planFor('Launch a new coffee brand', 70))?.steps.at(-3)?.arguments).toMatchObject({ budget: 5 })
  })

  test('looks for what the shop does not sell yet', async () => {
    const made = await planFor('Launch a new coffee brand', 5000)
    expect(made?.steps[0]?.arguments).toMatchObject({ unsold: true })
  })

  test('where running campaigns take all of the account, there is a page and no campaign', async () => {
    const own = await smallShop()
    own.db.exec(`UPDATE meta SET value = '499' WHERE name = 'ads_daily_cap'`)
    const made = (await launch(async () => own).plan(
      { goal: 'Launch a new coffee brand', context: { budget: { money: 5000 } } } as never,
      undefined,
    )) as Plan
    await own.close()
    const tools = made.steps.map(({ tool }) => tool)
    expect(tools).toContain('store_build.create_product_page')
    expect(tools).not.toContain('marketing.create_ad_campaign')
  })
})

test.each([
  ['Report on the last 30 days', 'last_30_days'],
  ['Report on the last two weeks', '2026-10-18..2026-10-31'],
  ['Report on the past 14 days', '2026-10-18..2026-10-31'],
  ['Report on yesterday', '2026-10-31..2026-10-31'],
  ['Report on September', '2026-09'],
  ['Report sales for September', '2026-09'],
  ['How were sales in December?', '2025-12'],
  ['How were sales in March 2026?', '2026-03'],
  ['Review 2026-10-01 to 2026-10-15', '2026-10-01..2026-10-15'],
  ['Summarize 2026-08', '2026-08'],
  ['How are sales this year?', '2026-01-01..2026-11-01'],
  ['How are sales going?', undefined],
])('“%s” is about %s', (goal, range) => {
  expect(dateRangeIn(goal, '2026-11-01')).toBe(range)
})
