/**
 * marketing.create_ad_campaign: starts a campaign, or raises the budget of one that runs, and says beforehand what it will probably
 * bring. The platform's cap on the account is the shop's to keep; owners set their own in the constitution.
 */
import { answer, type Context, type Tool, ToolError, tool, unchanged } from 'myrmex'
import * as z from 'zod'
import { toAmount } from '../../money.ts'
import { type Campaign, PLATFORMS, type Shop, type ShopSource } from '../../ports.ts'
import { campaignOutlook } from './campaign-outlook.ts'
import { accountCapError, type CampaignPlan, type CampaignRequest, planCampaign } from './campaign-plan.ts'

const range = (what: string) =>
  z
    .object({
      low: z.number().describe('Where the interval begins.'),
      expected: z.number().describe('The mean.'),
      high: z.number().describe('Where it ends.'),
    })
    .describe(what)

const OutputSchema = z.object({
  campaign_id: z
    .string()
    .max(60)
    .meta({ type_id: 'campaign_id' })
    .describe('Id of the campaign; empty for a dry run of a new one.'),
  platform: z.enum(PLATFORMS).meta({ type_id: 'platform' }).describe('Where it runs.'),
  creative_id: z.string().max(60).describe('The words it shows.'),
  sku: z.string().max(100).describe('The product it sells.'),
  product_name: z.string().max(300).describe('Title of the product.'),
  daily_budget: z.number().meta({ type_id: 'daily_budget' }).describe('Most that it spends a day.'),
  days: z.number().int().describe('How many days it still runs.'),
  starts_on: z.string().max(10).describe('Its first day.'),
  ends_on: z.string().max(10).describe('Its last day; empty for a dry run of a new one.'),
  status: z.enum(['running', 'stopped', 'ended', 'planned']).describe('planned: a dry run.'),
  scaled_from: z.number().nullable().describe('The daily budget before, where a campaign was scaled.'),
  predicted: z
    .object({
      spend: range('Spent, over all its days.'),
      reach: range('How often it is shown; the same person may see it more than once.'),
      clicks: range('Clicks.'),
      orders: range('Orders by those who clicked.'),
      revenue: range('Revenue of those orders.'),
      profit: range('Revenue less goods, shipping, fees and ad spend.'),
      return_on_ad_spend: range('Revenue for each 1 spent.'),
    })
    .describe(
      'What it will probably bring from today on: low to high is the shortest interval that holds 80 % of the futures drawn.',
    ),
  evidence: z
    .object({
      campaigns_of_product: z.number().int().describe('Earlier campaigns of this product on this platform.'),
      campaigns_on_platform: z.number().int().describe('Earlier campaigns on this platform.'),
      clicks_of_product: z.number().int().describe('Clicks of the first.'),
      clicks_on_platform: z.number().int().describe('Clicks of the second.'),
    })
    .describe('How much the prediction has to go by.'),
  warnings: z.array(z.string().max(400)).max(10).describe('What the owner should know before.'),
})

export const createAdCampaign = (source: ShopSource): Tool =>
  tool({
    name: 'marketing.create_ad_campaign',
    version: '1.0.0',
    title: 'Start or scale an ad campaign',
    description:
      'Advertises a product: starts an ad campaign with a daily budget, or scales one that runs, and predicts reach, clicks, orders, revenue, profit and return on ad spend with intervals. Spends money.',
    input: z.object({
      platform: z.enum(PLATFORMS).meta({ type_id: 'platform' }).describe('Where to advertise.'),
      budget: z
        .number()
        .positive()
        .max(100_000)
        .meta({ type_id: 'daily_budget', 'x-cost': { times: 'days' } })
        .describe('Most to spend a day, in the shop’s currency.'),
      creative_id: z
        .string()
        .min(1)
        .max(60)
        .meta({ type_id: 'creative_id' })
        .describe('The words to show, as marketing.write_copy gave them.'),
      days: z
        .number()
        .int()
        .min(1)
        .max(90)
        .default(14)
        .describe('How many days it runs. A campaign that is scaled keeps its last day.'),
      scales: z
        .string()
        .min(1)
        .max(60)
        .optional()
        .describe('Id of a running campaign whose daily budget is raised to `budget`, instead of starting a new one.'),
    }),
    output: OutputSchema,
    errors: {
      UnknownCreative: 'There is no creative with that creative_id.',
      NoProduct: 'The creative belongs to no product that is on sale.',
      BudgetTooSmall: 'The daily budget does not buy one click on that platform.',
      AccountCapReached: 'All running campaigns together would pass the account’s cap on a day. Says what is left.',
      UnknownCampaign: '`scales` names no campaign, or one on another platform.',
      CampaignOver: '`scales` names a campaign that has stopped or ended.',
      NotHigher: '`scales` names a campaign whose daily budget is above `budget`.',
    },
    idempotent: false,
    destructive: true,
    keyed: true,
    security:
      'Commits ad spend of budget times days at most. The account has a cap a day, a campaign 50 in the red is stopped by the shop, and an owner’s constitution can hold the sum and scaling further down. The same key never starts two campaigns.',
    examples: [
      {
        title: 'The campaign of the seeds, without starting it twice',
        arguments: { platform: 'facebook', budget: 5, creative_id: 'c_1' },
      },
      {
        title: 'No such words',
        arguments: { platform: 'tiktok', budget: 5, creative_id: 'c_0' },
        error: 'UnknownCreative',
      },
      {
        title: 'Less than a click',
        arguments: { platform: 'facebook', budget: 0.1, creative_id: 'c_1' },
        error: 'BudgetTooSmall',
      },
    ],
    dryRun: async (input) => {
      const shop = await source()
      const plan = await planCampaign(shop, input)
      const { scaledCampaign } = plan
      const refused = await accountCapError(shop, plan)
      if (refused !== undefined) throw refused
      const outlook = await campaignOutlook(shop, plan, input.platform)
      return {
        ...campaignData(plan, input, outlook),
        campaign_id: scaledCampaign?.campaign_id ?? '',
        creative_id: scaledCampaign?.creative_id ?? input.creative_id,
        starts_on: scaledCampaign?.started_on ?? (await shop.clock.today()),
        ends_on: scaledCampaign?.ends_on ?? '',
        status: 'planned' as const,
      }
    },
    run: async (input, ctx) => {
      const shop = await source()
      const plan = await planCampaign(shop, input, await shop.ads.findRecorded(ctx.idempotencyKey))
      const { scaledCampaign } = plan
      // Predicted before it is spent: afterwards the campaign would compete with itself. One made again leaves itself out.
      const outlook = await campaignOutlook(shop, plan, input.platform)
      const campaign = await commit(shop, plan, input, ctx)
      const data = { ...campaignData(plan, input, outlook), ...startedData(campaign) }
      const { return_on_ad_spend: returns } = data.predicted
      const explanation = `${campaign.campaign_id} may spend ${data.daily_budget.toFixed(2)} ${shop.currency} a day on ${input.platform} until ${campaign.ends_on}; ${returns.low} to ${returns.high} per 1 spent is expected to come back.`
      return scaledCampaign?.daily === plan.daily
        ? unchanged(data, { explanation: `${campaign.campaign_id} already has that budget.` })
        : answer(data, { explanation })
    },
    undo: async (input, data, ctx) => undo(source, input, data, ctx),
  })

/** The cap is the shop's to check, in the transaction that spends: before it, a call made again would meet its own campaign. */
async function commit(shop: Shop, plan: CampaignPlan, input: CampaignRequest, ctx: Context): Promise<Campaign> {
  const { scaledCampaign, daily, days, product } = plan
  const { platform, creative_id } = input
  try {
    return await (scaledCampaign === undefined
      ? shop.ads.start({ platform, creative_id, sku: product.sku, daily, days }, ctx.idempotencyKey)
      : shop.ads.scale(scaledCampaign.campaign_id, daily, ctx.idempotencyKey))
  } catch (thrown) {
    const isCap = thrown instanceof ToolError && thrown.error_type === 'AccountCapReached'
    throw (isCap ? await accountCapError(shop, plan) : undefined) ?? thrown
  }
}

function campaignData(
  plan: CampaignPlan,
  { platform }: CampaignRequest,
  outlook: Awaited<ReturnType<typeof campaignOutlook>>,
) {
  return {
    platform,
    sku: plan.product.sku,
    product_name: plan.product.title,
    daily_budget: toAmount(plan.daily),
    days: plan.days,
    scaled_from: plan.scaledCampaign === undefined ? null : toAmount(plan.scaledCampaign.daily),
    predicted: outlook.predicted,
    evidence: outlook.evidence,
    warnings: [...outlook.warnings],
  }
}

const startedData = ({ campaign_id, creative_id, started_on, ends_on, status, daily }: Campaign) => ({
  campaign_id,
  creative_id,
  starts_on: started_on,
  ends_on,
  status,
  daily_budget: toAmount(daily),
})

/** A new campaign is stopped. One that was scaled goes back to the budget it had. */
async function undo(
  source: ShopSource,
  { scales }: CampaignRequest,
  { campaign_id, scaled_from }: z.infer<typeof OutputSchema>,
  ctx: Context,
): Promise<void> {
  const shop = await source()
  const key = ctx.idempotencyKey === undefined ? undefined : `${ctx.idempotencyKey} undone`
  if (scales === undefined || scaled_from === null)
    await shop.ads.stop(campaign_id, 'taken back by whoever started it', key)
  else await shop.ads.scale(campaign_id, Math.round(scaled_from * 100), key)
}
