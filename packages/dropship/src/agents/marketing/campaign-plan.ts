/** Checks a campaign request before anything is spent: creative, product, and the campaign to scale. */
import { ToolError } from 'myrmex'
import * as z from 'zod'
import { daysBetween } from '../../day.ts'
import { type Cents, toAmount, toCents } from '../../money.ts'
import { checkRunning, unknownCampaign } from '../../ports/shop-errors.ts'
import { type Campaign, type Creative, PLATFORMS, type Product, type ScaledCampaign, type Shop } from '../../ports.ts'
import * as field from '../field-types.ts'
import { normalizeTitle } from '../nearest.ts'

export const campaignRequest = z.object({
  platform: z.enum(PLATFORMS).meta({ type_id: 'platform' }).describe('Ad platform.'),
  budget: z
    .number()
    .positive()
    .max(100_000)
    .meta({
      type_id: 'daily_budget',
      'x-cost': { times: 'days' },
      description: 'Maximum spend a day, in the currency of the shop.',
    }),
  creative_id: field.filledText(60, 'Id of the creative, from marketing.write_copy.', 'creative_id'),
  days: field.integerFrom(1, 90, 'Days it runs. A scaled campaign keeps its last day.').default(14),
  scales: field
    .filledText(
      60,
      'Id of a running campaign to scale: its daily budget is raised to `budget` instead of starting a new campaign.',
    )
    .optional(),
})

export type CampaignRequest = z.output<typeof campaignRequest>

export interface CampaignPlan {
  readonly creative: Creative
  readonly product: Product
  readonly daily: Cents
  readonly days: number
  /** the campaign whose budget is raised; undefined for a new campaign */
  readonly scaledCampaign: Campaign | undefined
  /** the campaign that this call already started, if it is repeated: it does not compete with itself */
  readonly ownCampaignId: string | undefined
}

/** `made`: what a repeated call already did. The plan is then the one it had. */
export async function planCampaign(
  shop: Shop,
  request: CampaignRequest,
  made?: Campaign | ScaledCampaign,
): Promise<CampaignPlan> {
  const { platform, budget, creative_id } = request
  const creative = await shop.ads.creative(creative_id)
  if (creative === undefined)
    throw new ToolError(
      'UnknownCreative',
      `There is no creative ${JSON.stringify(creative_id)}. marketing.write_copy creates them.`,
      { creative_id },
    )
  const daily = toCents(budget)
  const click = (await shop.ads.benchmarks()).find((one) => one.platform === platform)?.click_cost ?? 0
  if (daily < click)
    throw new ToolError(
      'BudgetTooSmall',
      `${budget.toFixed(2)} a day does not buy one click: on ${platform} it costs about ${toAmount(click).toFixed(2)}.`,
      { budget, click_cost: toAmount(click) },
    )
  const present =
    request.scales === undefined ? undefined : await campaignToScale(shop, request, request.scales, daily, made)
  const product = await productOf(shop, creative, present)
  const today = await shop.clock.today()
  const days = present === undefined ? request.days : Math.max(1, daysBetween(today, present.ends_on) + 1)
  return { creative, product, daily, days, scaledCampaign: present, ownCampaignId: made?.campaign_id }
}

async function campaignToScale(
  shop: Shop,
  request: CampaignRequest,
  scales: string,
  daily: Cents,
  made: Campaign | ScaledCampaign | undefined,
): Promise<Campaign> {
  if (made?.campaign_id === scales && 'daily_before' in made) return { ...made, daily: made.daily_before }
  const [campaign] = await shop.ads.campaigns({ campaign_id: scales })
  if (campaign === undefined) throw unknownCampaign(scales)
  if (campaign.platform !== request.platform)
    throw new ToolError('UnknownCampaign', `${scales} runs on ${campaign.platform}, not on ${request.platform}.`, {
      campaign_id: scales,
      platform: campaign.platform,
    })
  checkRunning(campaign)
  if (daily < campaign.daily)
    throw new ToolError(
      'NotHigher',
      `${scales} has ${toAmount(campaign.daily).toFixed(2)} a day; scaling to ${request.budget.toFixed(2)} would lower it.`,
      { campaign_id: scales, daily_budget: toAmount(campaign.daily) },
    )
  return campaign
}

/** Copy written before the product had a page belongs to the product with its title. */
async function productOf(shop: Shop, creative: Creative, present: Campaign | undefined): Promise<Product> {
  const sku = present?.sku ?? creative.sku
  const products = await shop.storefront.products(sku === undefined ? { status: 'active' } : { sku })
  const product =
    sku === undefined
      ? products.find(({ title }) => normalizeTitle(title) === normalizeTitle(creative.product_name))
      : products.find(({ status }) => status === 'active')
  if (product !== undefined) return product
  throw new ToolError(
    'NoProduct',
    `${creative.creative_id} is about ${JSON.stringify(creative.product_name)}, which is not on sale. Create its page first with store_build.create_product_page.`,
    { creative_id: creative.creative_id, product_name: creative.product_name, sku: sku ?? null },
  )
}

/** The error if the plan exceeds the account's daily cap. The shop enforces the cap; this states the amounts. */
export async function accountCapError(
  shop: Shop,
  { daily, scaledCampaign }: CampaignPlan,
): Promise<ToolError | undefined> {
  const { daily_cap, daily_committed } = await shop.ads.account()
  const left = daily_cap - daily_committed + (scaledCampaign?.status === 'running' ? scaledCampaign.daily : 0)
  if (daily <= left) return undefined
  const [cap, committed, free] = [daily_cap, daily_committed, left].map(toAmount) as [number, number, number]
  return new ToolError(
    'AccountCapReached',
    `All campaigns together may spend ${cap.toFixed(2)} a day and ${committed.toFixed(2)} is committed: at most ${Math.max(0, free).toFixed(2)} a day is left for this one.`,
    { daily_cap: cap, committed_per_day: committed, left: Math.max(0, free) },
  )
}
