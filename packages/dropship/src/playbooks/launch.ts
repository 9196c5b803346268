/**
 * Launching a product line: find the product and its niche, choose a supplier and negotiate, build and optimise a page, write copy,
 * start a small first campaign to learn what the product is worth, and forecast sales.
 */
import type { Plan, Step } from 'myrmex'
import { type Playbook, playbook } from 'myrmex/runs'
import { toAmount, toCents } from '../money.ts'
import type { Platform, Shop, ShopSource } from '../ports.ts'
import { categoryIn, categoryQuestion } from './category-in.ts'
import { platformFor } from './platform-for.ts'
import { requestFor } from './request.ts'
import { askFor, from, makePlan, step } from './write-plan.ts'

const wantsLaunch = requestFor(
  'launch|start|open|introduce|bring out|set up',
  'brand|product|products|line|range|shop|store|business',
)
/** The first campaign is for learning: it gets this share of the budget, over this many days. */
const FIRST_SHARE = 0.1
const FIRST_DAYS = 14
const LEAST_DAILY = 5
const MAX_PRODUCTS = 5
/** Copy must meet these criteria before money is spent on it. */
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
      if (category === undefined || money === undefined)
        return launchQuestions(goal, context.budget ?? {}, category, shop)
      const products = productCount(context.known?.products)
      const least = LEAST_DAILY * FIRST_DAYS * products
      if (money < least) return budgetTooSmall(goal, money, least)
      const platform = await platformFor(context.known?.platform, shop)
      const daily = await dailyBudget(money, products, shop)
      const tone = String(context.known?.tone ?? 'friendly')
      const steps = launchSteps({ category, platform, daily, tone, products })
      const assumptions = [
        `"${category}" is the category that the goal names.`,
        ...(daily === undefined
          ? [
              'Running campaigns use the whole daily limit of the ad account, so no campaign is started. Start one when another has ended.',
            ]
          : [
              `The first campaign gets ${toAmount(daily)} a day for ${FIRST_DAYS} days: a tenth of the budget, within the daily limit of the ad account. The rest is kept for later campaigns.`,
              `${platform} returned the most per amount spent.`,
            ]),
      ]
      return makePlan(goal, steps, context.budget ?? {}, assumptions)
    },
  })

interface LaunchRequest {
  readonly category: string
  readonly platform: Platform
  /** cents per product; undefined: the ad account has too little left */
  readonly daily: number | undefined
  readonly tone: string
  readonly products: number
}

function launchSteps(wanted: LaunchRequest): Step[] {
  const { category, products } = wanted
  const found = step(
    'find',
    'product_research.find_winning_products',
    { category, limit: MAX_PRODUCTS, unsold: true },
    'Finds products that sell, grow, leave a margin, and are not sold here yet.',
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
      'Forecasts the sales of the whole shop next month.',
    ),
    step(
      'report',
      'analytics.generate_report',
      { date_range: 'last_30_days' },
      'Shows the state of the shop at the launch.',
      { needs: last },
    ),
  ]
}

/** The steps for one product. With several products, each step id ends with a number. */
function productSteps({ platform, daily, tone, products }: LaunchRequest, index: number): Step[] {
  const id = (name: string): string => (products === 1 ? name : `${name}${index + 1}`)
  const product = (field: string): { $from: string; path: string } => from('find', `/products/${index}/${field}`)
  return [
    step(
      id('niche'),
      'product_research.analyze_niche',
      { niche: product('niche') },
      'Checks whether the niche has room, and which keywords people search for.',
    ),
    step(
      id('suppliers'),
      'supplier.find_suppliers',
      { product_id: product('product_id') },
      'Finds who can deliver it, and its cost including shipping.',
    ),
    step(
      id('bargain'),
      'supplier.negotiate_price',
      {
        supplier_id: from(id('suppliers'), '/suppliers/0/supplier_id'),
        product_id: product('product_id'),
        target_price: from(id('suppliers'), '/suppliers/0/target_price'),
      },
      'Negotiates with the best supplier, whose list price is not its lowest.',
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
      'Builds its product page, at the price that research suggests.',
      { needs: [id('bargain'), id('niche')] },
    ),
    step(
      id('seo'),
      'store_build.optimize_seo',
      { page_id: from(id('page'), '/page_id'), keywords: from(id('niche'), '/keywords') },
      'Optimises the page for the keywords of the niche, so that people find it.',
    ),
    step(
      id('copy'),
      'marketing.write_copy',
      { tone, product_name: from(id('page'), '/product_name'), sku: from(id('page'), '/sku'), channel: platform },
      'Writes the copy of the campaign, from the facts of the product.',
      { criteria: COPY_CRITERIA },
    ),
    ...(daily === undefined ? [] : [campaignStep(id, platform, daily)]),
  ]
}

const campaignStep = (id: (name: string) => string, platform: Platform, daily: number): Step =>
  step(
    id('campaign'),
    'marketing.create_ad_campaign',
    {
      platform,
      budget: toAmount(daily),
      days: FIRST_DAYS,
      creative_id: from(id('copy'), '/creative_id'),
    },
    'Starts a small campaign to learn from.',
    { needs: [id('seo')] },
  )

async function launchQuestions(
  goal: string,
  budget: Plan['budget'],
  category: string | undefined,
  shop: Shop,
): Promise<Plan> {
  const questions: Plan['questions'] = []
  if (category === undefined) {
    questions.push(await categoryQuestion(shop))
  }
  if (budget.money === undefined) {
    questions.push({ input: 'budget', question: 'How much may be spent in total? A launch spends money on ads.' })
  }
  return askFor(goal, budget, ...questions)
}

const budgetTooSmall = (goal: string, money: number, least: number): Plan =>
  askFor(
    goal,
    { money },
    {
      input: 'budget',
      question: `How much may be spent in total? A launch needs ${least} or more: ${LEAST_DAILY} a day per product over the ${FIRST_DAYS} days of its first campaign. ${money} is too little.`,
    },
  )

/** Cents per day and product. Undefined: the account has less than the minimum left. */
async function dailyBudget(money: number, products: number, { ads }: Shop): Promise<number | undefined> {
  const { daily_cap, daily_committed } = await ads.account()
  const wanted = (toCents(money) * FIRST_SHARE) / FIRST_DAYS / products
  const left = (daily_cap - daily_committed) / products
  const least = toCents(LEAST_DAILY)
  return left < least ? undefined : Math.floor(Math.min(Math.max(wanted, least), left))
}

const productCount = (known: unknown): number =>
  typeof known === 'number' && Number.isInteger(known) ? Math.min(Math.max(1, known), MAX_PRODUCTS) : 1
