/** The resources of the marketing agent: campaigns with their results, and creatives. */
import { ratio, rounded, sum } from '../../figures.ts'
import { toAmount } from '../../money.ts'
import type { Campaign, CampaignDay, Creative, Shop } from '../../ports.ts'
import { recordResource } from '../record-resource.ts'

interface CampaignRecord {
  readonly campaign: Campaign
  readonly results: readonly CampaignDay[]
}

const withResults = async (shop: Shop, campaign: Campaign): Promise<CampaignRecord> => {
  const { campaign_id, started_on: from, ends_on: to } = campaign
  return { campaign, results: await shop.ads.results({ campaign_id, from, to }) }
}

export const campaigns = recordResource<CampaignRecord>({
  noun: 'campaigns',
  title: 'Ad campaigns',
  description: 'Campaigns: platform, copy, budget, status, and spend and revenue of each day.',
  id: ({ campaign }) => campaign.campaign_id,
  name: ({ campaign }) => `${campaign.campaign_id}: ${campaign.sku} on ${campaign.platform}, ${campaign.status}`,
  find: async (shop, campaign_id) => {
    const [campaign] = await shop.ads.campaigns({ campaign_id })
    return campaign && withResults(shop, campaign)
  },
  page: async (shop, after, limit) =>
    (await shop.ads.campaigns({ after, limit })).map((campaign) => ({ campaign, results: [] })),
  shown: ({ campaign: { daily, spent, ...campaign }, results }) => {
    const revenue = sum(results, (day) => day.revenue)
    return {
      ...campaign,
      daily_budget: toAmount(daily),
      spent: toAmount(spent),
      revenue: toAmount(revenue),
      return_on_ad_spend: rounded(ratio(revenue, spent)),
      days: results.map(({ day, spend, impressions, clicks, orders, revenue }) => ({
        day,
        spend: toAmount(spend),
        impressions,
        clicks,
        orders,
        revenue: toAmount(revenue),
      })),
    }
  },
})

export const creatives = recordResource<Creative>({
  noun: 'creatives',
  title: 'Advertising copy',
  description: 'Advertising copy: product, tone, channel, headline, text, call to action and score.',
  id: ({ creative_id }) => creative_id,
  name: ({ creative_id, product_name, channel, tone }) => `${creative_id}: ${product_name}, ${tone}, for ${channel}`,
  find: (shop, creative_id) => shop.ads.creative(creative_id),
  page: (shop, after, limit) => shop.ads.creatives({ after, limit }),
  shown: (creative) => creative,
})
