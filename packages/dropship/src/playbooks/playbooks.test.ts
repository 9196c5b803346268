/** What the playbooks make of goals: those of their kind, and no others. */
import type { Plan } from 'myrmex'
import { checkPlan, type Hint, type Playbook } from 'myrmex/runs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { viewOf } from '../../../myrmex/src/agent/fleet/view.ts'
import { smallShop } from '../../test/shop.ts'
import type { EmbeddedShop } from '../embedded/open.ts'
import { analytics, customerService, marketing, operations, productResearch, storeBuild, supplier } from '../index.ts'
import { launch } from './launch.ts'
import { report } from './report.ts'
import { serve } from './serve.ts'
import { stock } from './stock.ts'

let shop: EmbeddedShop
beforeAll(async () => {
  shop = await smallShop()
})
afterAll(() => shop.close())
const source = async (): Promise<EmbeddedShop> => shop

const agents = [productResearch, supplier, storeBuild, marketing, customerService, operations, analytics]
const views = () => agents.flatMap((make) => make(source).tools.map((tool) => viewOf(tool, tool.module)))

async function planned(book: Playbook, goal: string, known: object = {}, money?: number): Promise<Plan | undefined> {
  const budget = money === undefined ? {} : { money }
  const answer = await book.plan({ goal, context: { known: { ...known }, budget }, tools: [] }, undefined)
  expect(answer !== undefined && 'want' in answer).toBe(false)
  return answer as Exclude<typeof answer, Hint>
}

describe('launch', () => {
  test('plans from product to report, and the plan holds against the tools as they are', async () => {
    const [{ category } = { category: '' }] = await shop.marketplace.categories()
    const plan = await planned(launch(source), `Launch a new ${category} brand`, {}, 5000)
    expect(plan?.steps.map(({ tool }) => tool.slice(tool.indexOf('.') + 1))).toEqual([
      'find_winning_products',
      'analyze_niche',
      'find_suppliers',
      'negotiate_price',
      'create_product_page',
      'optimize_seo',
      'write_copy',
      'create_ad_campaign',
      'predict_sales',
      'generate_report',
    ])
    const checked = checkPlan(plan, views(), { budget: { money: 5000 } })
    expect(checked.ok ? [] : checked.problems).toEqual([])
  })

  test('launches several products where that is asked for, within the same money', async () => {
    const [{ category } = { category: '' }] = await shop.marketplace.categories()
    const plan = await planned(launch(source), `Launch a new ${category} brand`, { products: 3 }, 5000)
    const campaigns = plan?.steps.filter(({ tool }) => tool === 'marketing.create_ad_campaign') ?? []
    expect(campaigns).toHaveLength(3)
    const daily = campaigns.reduce((sum, { arguments: args }) => sum + Number(args.budget), 0)
    const { daily_cap, daily_committed } = await shop.ads.account()
    expect(daily * 100).toBeLessThanOrEqual(daily_cap - daily_committed)
    const checked = checkPlan(plan, views(), { budget: { money: 5000 } })
    expect(checked.ok).toBe(true)
  })

  test('asks for what it cannot know', async () => {
    const plan = await planned(launch(source), 'Launch a new brand')
    expect(plan?.questions.map(({ input }) => input)).toEqual(['category', 'budget'])
    expect(plan?.steps).toEqual([])
  })

  test.each(['Report on the last 30 days', 'Serve the customers', 'Start the coffee machine'])(
    'is not about %s',
    async (goal) => {
      expect(await planned(launch(source), goal)).toBeUndefined()
    },
  )
})

describe('serve', () => {
  test('has a step for every order that waits and every ticket that is open', async () => {
    const orders = await shop.orders.orders({ status: 'paid', limit: 1000 })
    const tickets = await shop.helpdesk.tickets({ status: 'open', limit: 1000 })
    const plan = await planned(serve(source), 'Serve the customers')
    expect(plan?.steps).toHaveLength(Math.max(1, orders.length + tickets.length))
    expect(checkPlan(plan, views()).ok).toBe(true)
  })

  test('answers tickets alone where only they are meant', async () => {
    const plan = await planned(serve(source), 'Answer all tickets')
    expect(plan?.steps.every(({ tool }) => tool !== 'operations.fulfill_order')).toBe(true)
  })

  test.each(['Launch a coffee brand', 'How many customers were served?'])('is not about %s', async (goal) => {
    expect(await planned(serve(source), goal)).toBeUndefined()
  })
})

describe('report', () => {
  test.each([
    ['Report on the last 30 days', 'last_30_days'],
    ['Review the last week of the shop', 'last_7_days'],
    ['How did sales go last month?', 'last_month'],
    ['Report on sales of 2026-09', '2026-09'],
    ['Report on the business', 'last_30_days'],
  ])('%s is about %s', async (goal, date_range) => {
    const plan = await planned(report(), goal)
    expect(plan?.steps[0]?.arguments).toEqual({ date_range })
  })
})

describe('stock', () => {
  test('finds the product that a question names, by its name or its SKU', async () => {
    const products = await shop.storefront.products()
    const { sku, title } = products[0] ?? { sku: '', title: '' }
    for (const named of [title.toLowerCase(), `${title}s`, sku]) {
      const plan = await planned(stock(source), `How many ${named} are in stock?`)
      expect(plan?.steps.map(({ arguments: args }) => args)).toContainEqual({ sku })
    }
    expect(await planned(stock(source), 'How many unicorns are in stock?')).toBeUndefined()
  })
})
