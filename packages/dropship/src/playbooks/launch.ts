/**
 * Launching a product line: find the product and its niche, choose a supplier and bargain, build and tune a page, write copy,
 * start a first campaign that teaches what the product is worth, and say what to expect.
 */
import { type Plan, type Step, ToolError } from 'myrmex'
import { type Playbook, playbook } from 'myrmex/runs'
import { addDays } from '../day.ts'
import { toAmount, toCents } from '../money.ts'
import type { Platform, Shop, ShopSource } from '../ports.ts'
import { from, planOf, step } from './plan.ts'
import { wishFor } from './wish.ts'

const wantsLaunch = wishFor(
  'launch|start|open|introduce|bring out|set up',
  'brand|product|products|line|range|shop|store|business',
)
/** A first campaign is there to learn: it gets this part of the budget, over this many days. */
const FIRST_SHARE = 0.1
const FIRST_DAYS = 14
const LEAST_DAILY = 5
const LOOK_BACK_DAYS = 90
const MOST_PRODUCTS = 5
/** What a text must be worth before money is spent on it. */
const COPY_CRITERIA = ['clarity', 'persuasiveness']

export const launch = (source: ShopSource): Playbook =>
  playbook({
    name: 'launch',
    description: 'Goals such as "Launch a new coffee brand".',
    async plan({ goal, context }) {
      if (!wantsLaunch(goal)) return undefined
      const shop = await source()
      const category = await categoryIn(goal, context.known?.category, shop)
      const money = context.budget?.money
      if (category === undefined || money === undefined) return asking(goal, context.budget ?? {}, category, shop)
      const platform = await platformFor(context.known?.platform, shop)
      const daily = await dailyFor(money, shop)
      const products = countOf(context.known?.products)
      const tone = String(context.known?.tone ?? 'friendly')
      const steps = launchSteps({ category, platform, daily: daily / products, tone, products })
      const assumptions = [
        `"${category}" is the category that the goal names.`,
        `The first campaign gets ${toAmount(Math.floor(daily / products))} a day for ${FIRST_DAYS} days: a tenth of the budget, within what the ad account has left. The rest is kept for what it teaches.`,
        `${platform} returned most for what was spent there.`,
      ]
      return planOf(goal, steps, context.budget ?? {}, assumptions)
    },
  })

interface Launch {
  readonly category: string
  readonly platform: Platform
  /** cents */
  readonly daily: number
  readonly tone: string
  readonly products: number
}

function launchSteps(wanted: Launch): Step[] {
  const { category, products } = wanted
  const found = step(
    'find',
    'product_research.find_winning_products',
    { category, limit: MOST_PRODUCTS, unsold: true },
    'Finds what sells, is growing, leaves a margin, and is not sold here yet.',
  )
  const lines = Array.from({ length: products }, (_, index) => productSteps(wanted, index))
  const last = lines.map((steps) => steps.at(-1)?.id ?? '')
  return [
    found,
    ...lines.flat(),
    step(
      'forecast',
      'analytics.predict_sales',
      { month: 'next_month' },
      'Says what the shop as a whole will sell next month.',
    ),
    step(
      'report',
      'analytics.generate_report',
      { date_range: 'last_30_days' },
      'Shows where the shop stands as the launch begins.',
      { needs: last },
    ),
  ]
}

/** All that one product needs. With several, each has a number behind its steps. */
function productSteps({ platform, daily, tone, products }: Launch, index: number): Step[] {
  const id = (name: string): string => (products === 1 ? name : `${name}${index + 1}`)
  const product = (field: string): { $from: string; path: string } => from('find', `/products/${index}/${field}`)
  return [
    step(
      id('niche'),
      'product_research.analyze_niche',
      { niche: product('niche') },
      'Looks whether the niche has room, and which words people search for.',
    ),
    step(
      id('suppliers'),
      'supplier.find_suppliers',
      { product_id: product('product_id') },
      'Finds who can deliver it, and what it would cost to the door.',
    ),
    step(
      id('bargain'),
      'supplier.negotiate_price',
      {
        supplier_id: from(id('suppliers'), '/suppliers/0/supplier_id'),
        product_id: product('product_id'),
        target_price: from(id('suppliers'), '/suppliers/0/target_price'),
      },
      'Bargains with the best of them, because its list price is not its last.',
    ),
    step(
      id('page'),
      'store_build.create_product_page',
      {
        title: product('product_name'),
        price: product('suggested_price'),
        images: product('images'),
        product_id: product('product_id'),
      },
      'Builds the page where it is sold, at the price that research suggests.',
      { needs: [id('bargain'), id('niche')] },
    ),
    step(
      id('seo'),
      'store_build.optimize_seo',
      { page_id: from(id('page'), '/page_id'), keywords: from(id('niche'), '/keywords') },
      'Tunes the page to the words of the niche, so that people find it.',
    ),
    step(
      id('copy'),
      'marketing.write_copy',
      { tone, product_name: from(id('page'), '/product_name'), sku: from(id('page'), '/sku'), channel: platform },
      'Writes what the campaign says, from the facts of the product.',
      { criteria: COPY_CRITERIA },
    ),
    step(
      id('campaign'),
      'marketing.create_ad_campaign',
      {
        platform,
        budget: toAmount(Math.floor(daily)),
        days: FIRST_DAYS,
        creative_id: from(id('copy'), '/creative_id'),
      },
      'Starts a campaign that is small enough to learn from.',
      { needs: [id('seo')] },
    ),
  ]
}

/** The category, or the niche, that the goal names: the longest name wins. */
async function categoryIn(goal: string, known: unknown, shop: Shop): Promise<string | undefined> {
  if (typeof known === 'string' && known.trim() !== '') return known
  const text = goal.toLowerCase()
  const categories = await shop.marketplace.categories()
  const names = categories.flatMap(({ category, niches }) => [category, ...niches])
  return names.filter((name) => text.includes(name.toLowerCase())).sort((a, b) => b.length - a.length)[0]
}

async function asking(goal: string, budget: Plan['budget'], category: string | undefined, shop: Shop): Promise<Plan> {
  const questions: Plan['questions'] = []
  if (category === undefined) {
    const names = (await shop.marketplace.categories()).map((one) => one.category).join(', ')
    questions.push({ input: 'category', question: `Which category is it to be? The marketplace has ${names}.` })
  }
  if (budget.money === undefined) {
    questions.push({ input: 'budget', question: 'How much may be spent in all? A launch spends money on ads.' })
  }
  return { goal, steps: [], budget, assumptions: [], questions }
}

/** Where the shop's own campaigns brought most for what they cost; without any, where the platforms say so themselves. */
async function platformFor(known: unknown, { ads, clock }: Shop): Promise<Platform> {
  const today = await clock.today()
  const results = await ads.results({ from: addDays(today, -LOOK_BACK_DAYS), to: today })
  const benchmarks = await ads.benchmarks()
  const named = benchmarks.find(({ platform }) => platform === known)
  if (named !== undefined) return named.platform
  const ranked = benchmarks
    .map(({ platform, click_cost, conversion }) => {
      const own = results.filter((one) => one.platform === platform)
      const spend = own.reduce((sum, one) => sum + one.spend, 0)
      const orders = own.reduce((sum, one) => sum + one.orders, 0)
      // What the platform says of itself counts as much as a hundred clicks of our own.
      const priorSpend = 100 * click_cost
      return { platform, orders_for_money: (orders + 100 * conversion) / (spend + priorSpend) }
    })
    .sort((a, b) => b.orders_for_money - a.orders_for_money)
  const [best] = ranked
  if (best === undefined) throw new ToolError('UnavailableError', 'No ad platform is known to the shop.')
  return best.platform
}

/** Cents a day for the whole launch. */
async function dailyFor(money: number, { ads }: Shop): Promise<number> {
  const { daily_cap, daily_committed } = await ads.account()
  const wanted = (toCents(money) * FIRST_SHARE) / FIRST_DAYS
  return Math.floor(Math.min(Math.max(wanted, toCents(LEAST_DAILY)), Math.max(0, daily_cap - daily_committed)))
}

const countOf = (known: unknown): number =>
  typeof known === 'number' && Number.isInteger(known) ? Math.min(Math.max(1, known), MOST_PRODUCTS) : 1
