/**
 * marketing.create_ad_campaign: starts a campaign, or raises the budget of a running one, and predicts its results. The shop enforces the
 * account's daily cap; owners can set lower limits in the constitution.
 */
import { answer, type Context, type Tool, ToolError, tool, unchanged } from 'myrmex'
import * as z from 'zod'
import { toAmount, toCents } from '../../money.ts'
import { type Campaign, PLATFORMS, type Shop, type ShopSource } from '../../ports.ts'
import * as details from '../error-details.ts'
import * as field from '../field-types.ts'
import { campaignOutlook } from './campaign-outlook.ts'
import {
  accountCapError,
  type CampaignPlan,
  type CampaignRequest,
  campaignRequest,
  planCampaign,
} from './campaign-plan.ts'

const range = (what: string) =>
  field.range(what, ['Low end of the interval.', 'The mean.', 'High end of the interval.'])

const OutputSchema = z.object({
  campaign_id: field.text(60, 'Id of the campaign; empty for a dry run of a new one.', 'campaign_id'),
  platform: z.enum(PLATFORMS).meta({ type_id: 'platform' }).describe('Ad platform.'),
  creative_id: field.text(60, 'Id of the creative.'),
  sku: field.text(100, 'SKU of the product.'),
  product_name: field.text(300, 'Title of the product.'),
  daily_budget: field.number('Maximum spend a day.', 'daily_budget'),
  days: field.integer('Days it still runs.'),
  starts_on: field.text(10, 'First day.'),
  ends_on: field.text(10, 'Last day; empty for a dry run of a new one.'),
  status: z.enum(['running', 'stopped', 'ended', 'planned']).describe('planned: a dry run.'),
  scaled_from: field.nullable('Previous daily budget of a scaled campaign, or null.', z.number()),
  predicted: field.object(
    'Predicted results from today on: low to high is the shortest interval with 80 % of the simulated futures.',
    {
      spend: range('Total spend.'),
      reach: range('Impressions; the same person may see it more than once.'),
      clicks: range('Clicks.'),
      orders: range('Orders from these clicks.'),
      revenue: range('Revenue of those orders.'),
      profit: range('Revenue minus goods, shipping, fees and ad spend.'),
      return_on_ad_spend: range('Revenue per 1 spent.'),
    },
  ),
  evidence: field.object('Data behind the prediction.', {
    campaigns_of_product: field.integer('Earlier campaigns of this product on this platform.'),
    campaigns_on_platform: field.integer('Earlier campaigns on this platform.'),
    clicks_of_product: field.integer('Clicks of the campaigns of this product.'),
    clicks_on_platform: field.integer('Clicks of the campaigns on this platform.'),
  }),
  warnings: field.list(10, 'Warnings for the owner.', field.text(400)),
})

export const createAdCampaign = (source: ShopSource): Tool =>
  tool({
    name: 'marketing.create_ad_campaign',
    version: '1.1.0',
    title: 'Start or scale an ad campaign',
    description:
      'Advertises a product: starts an ad campaign with a daily budget, or scales a running one, and predicts reach, clicks, orders, revenue, profit and return on ad spend with intervals. Spends money.',
    input: campaignRequest,
    output: OutputSchema,
    errors: {
      UnknownCreative: details.failure('There is no creative with that creative_id.', {
        creative_id: details.text('The id that was given.'),
      }),
      NoProduct: details.failure('The creative belongs to no product that is on sale.', {
        creative_id: details.text('Id of the creative.'),
        product_name: details.text('The product that it is about.'),
        sku: details.text('Its SKU, if it has one.').nullable(),
      }),
      BudgetTooSmall: details.failure('The daily budget does not buy one click on that platform.', {
        budget: details.amount('The daily budget that was given.'),
        click_cost: details.amount('What a click costs there.'),
      }),
      AccountCapReached: details.failure(
        'All running campaigns together would exceed the daily cap of the account. The error states what is left.',
        {
          daily_cap: details.amount('What all campaigns together may spend a day.'),
          committed_per_day: details.amount('What the running ones may spend a day.').optional(),
          left: details.amount('What is left for this one.').optional(),
        },
      ),
      UnknownCampaign: details.failure('`scales` is not a campaign, or one on another platform.', {
        campaign_id: details.text('The id that was given.'),
        platform: details.text('The platform that it runs on.').optional(),
      }),
      CampaignOver: details.failure('`scales` is a campaign that has stopped or ended.', {
        campaign_id: details.text('Id of the campaign.'),
        status: details.text('Status of the campaign.'),
      }),
      NotHigher: details.failure('`scales` is a campaign whose daily budget is above `budget`.', {
        campaign_id: details.text('Id of the campaign.'),
        daily_budget: details.amount('Its daily budget.'),
      }),
    },
    idempotent: false,
    destructive: true,
    keyed: true,
    security:
      'Commits at most budget times days of ad spend. The account has a daily cap, the shop stops a campaign at a loss of 50, and the owner’s constitution can set lower limits for spend and scaling. The same key never starts two campaigns.',
    examples: [
      {
        title: 'A campaign with 5 a day',
        arguments: { platform: 'facebook', budget: 5, creative_id: 'c_1' },
      },
      {
        title: 'An unknown creative',
        arguments: { platform: 'tiktok', budget: 5, creative_id: 'c_0' },
        error: 'UnknownCreative',
      },
      {
        title: 'A budget below one click',
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
      return {
        ...(await campaignData(shop, plan, input)),
        campaign_id: scaledCampaign?.campaign_id ?? '',
        creative_id: scaledCampaign?.creative_id ?? input.creative_id,
        starts_on: scaledCampaign?.started_on ?? (await shop.clock.today()),
        ends_on: scaledCampaign?.ends_on ?? '',
        status: 'planned',
      }
    },
    run: async (input, ctx) => {
      const shop = await source()
      const plan = await planCampaign(shop, input, await shop.ads.findRecorded(ctx.idempotencyKey))
      const { scaledCampaign } = plan
      // Predicted before it is started: afterwards the campaign would compete with itself. A repeated call excludes its own campaign.
      const planned = await campaignData(shop, plan, input)
      const campaign = await commit(shop, plan, input, ctx)
      const data = { ...planned, ...startedData(campaign) }
      const { return_on_ad_spend: returns } = data.predicted
      const explanation = `${campaign.campaign_id} may spend ${data.daily_budget.toFixed(2)} ${shop.currency} a day on ${input.platform} until ${campaign.ends_on}; the expected return is ${returns.low} to ${returns.high} per 1 spent.`
      return scaledCampaign?.daily === plan.daily
        ? unchanged(data, { explanation: `${campaign.campaign_id} already has that budget.` })
        : answer(data, { explanation })
    },
    /** Stops a new campaign. A scaled one gets its previous budget back. */
    undo: async ({ scales }, { campaign_id, scaled_from }, ctx) => {
      const shop = await source()
      const key = ctx.idempotencyKey === undefined ? undefined : `${ctx.idempotencyKey} undone`
      if (scales === undefined || scaled_from === null) await shop.ads.stop(campaign_id, 'undone', key)
      else await shop.ads.scale(campaign_id, toCents(scaled_from), key)
    },
  })

/** The shop checks the cap in the transaction that spends: checked earlier, a repeated call would count its own campaign. */
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

const campaignData = async (shop: Shop, plan: CampaignPlan, { platform }: CampaignRequest) => ({
  platform,
  sku: plan.product.sku,
  product_name: plan.product.title,
  daily_budget: toAmount(plan.daily),
  days: plan.days,
  scaled_from: plan.scaledCampaign === undefined ? null : toAmount(plan.scaledCampaign.daily),
  ...(await campaignOutlook(shop, plan, platform)),
})

const startedData = ({ campaign_id, creative_id, started_on, ends_on, status, daily }: Campaign) => ({
  campaign_id,
  creative_id,
  starts_on: started_on,
  ends_on,
  status,
  daily_budget: toAmount(daily),
})
