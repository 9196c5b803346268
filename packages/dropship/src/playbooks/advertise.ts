/** Advertising: copy for the product that the goal names and, if the goal asks for it, a campaign. */
import type { Plan, Step } from 'myrmex'
import { type Playbook, playbook } from 'myrmex/runs'
import { TONES } from '../agents/marketing/copy/tones.ts'
import { PLATFORMS, type Product, type ShopSource } from '../ports.ts'
import { platformFor } from './platform-for.ts'
import { productsIn } from './products-in.ts'
import { requestFor } from './request.ts'
import { askFor, from, makePlan, step } from './write-plan.ts'

const wantsCopy = requestFor('write|draft|compose|make', 'ads?|advert|advertisement|copy|slogan|text')
const wantsCampaign = requestFor('advertise|promote|market')
const A_DAY =
  /\b(\d+(?:\.\d+)?)\s*(?:€|\$|eur|euros?|dollars?)?\s*(?:a|per|each)\s+day\b|\bdaily budget of\s+(\d+(?:\.\d+)?)\b/i
const DEFAULT_TONE = 'friendly'

export const advertise = (source: ShopSource): Playbook =>
  playbook({
    name: 'advertise',
    description: 'Goals such as "Write a friendly ad for the Red Chair" and "Advertise the Red Chair for 20 a day".',
    async plan({ goal, context }) {
      const campaign = wantsCampaign(goal)
      if (!campaign && !wantsCopy(goal)) return undefined
      const shop = await source()
      const named = productsIn(goal, await shop.storefront.products({ status: 'active' }))
      const [product] = named
      // With no product or several, the brain asks.
      if (product === undefined || named.length > 1) return undefined
      const tone = TONES.find((one) => new RegExp(`\\b${one}\\b`, 'i').test(goal)) ?? DEFAULT_TONE
      const on = PLATFORMS.find((one) => new RegExp(`\\b${one}\\b`, 'i').test(goal))
      const budget = context.budget ?? {}
      if (!campaign) return makePlan(goal, [copyStep(product, tone, on)], budget, [])
      const daily = dailyBudgetIn(goal) ?? context.known?.daily_budget
      if (typeof daily !== 'number') return budgetQuestion(goal, product, budget)
      const platform = on ?? (await platformFor(context.known?.platform, shop))
      return makePlan(goal, [copyStep(product, tone, platform), campaignStep(platform, daily)], budget, [])
    },
  })

const copyStep = ({ title, sku }: Product, tone: string, channel: string | undefined): Step =>
  step(
    'copy',
    'marketing.write_copy',
    { tone, product_name: title, sku, ...(channel !== undefined && { channel }) },
    `Writes copy about ${title}, from its facts.`,
  )

const campaignStep = (platform: string, budget: number): Step =>
  step(
    'campaign',
    'marketing.create_ad_campaign',
    { platform, budget, creative_id: from('copy', '/creative_id') },
    'Advertises with the best copy.',
  )

function dailyBudgetIn(goal: string): number | undefined {
  const found = A_DAY.exec(goal)
  return found === null ? undefined : Number(found[1] ?? found[2])
}

const budgetQuestion = (goal: string, { title }: Product, budget: Plan['budget']): Plan =>
  askFor(goal, budget, {
    input: 'daily_budget',
    question: `How much may ads for ${title} cost a day? For example "for 10 a day".`,
  })
