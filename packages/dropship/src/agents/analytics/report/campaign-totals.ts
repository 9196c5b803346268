/** What each campaign cost and brought in a range of days, the largest spend first. In cents. */
import type { Cents } from '../../../money.ts'
import type { Campaign, CampaignDay } from '../../../ports.ts'
import { ratio } from './tally.ts'

export interface CampaignTotal {
  readonly campaign: Campaign
  readonly spend: Cents
  readonly impressions: number
  readonly clicks: number
  readonly orders: number
  readonly revenue: Cents
  readonly return_on_ad_spend: number
}

export function campaignTotals(campaigns: readonly Campaign[], results: readonly CampaignDay[]): CampaignTotal[] {
  const days = Map.groupBy(results, ({ campaign_id }) => campaign_id)
  return campaigns
    .flatMap((campaign) => {
      const own = days.get(campaign.campaign_id)
      return own === undefined ? [] : [totalOf(campaign, own)]
    })
    .sort((a, b) => b.spend - a.spend || (a.campaign.campaign_id < b.campaign.campaign_id ? -1 : 1))
}

function totalOf(campaign: Campaign, days: readonly CampaignDay[]): CampaignTotal {
  const sum = (of: (day: CampaignDay) => number): number => days.reduce((total, day) => total + of(day), 0)
  const spend = sum((day) => day.spend)
  const revenue = sum((day) => day.revenue)
  return {
    campaign,
    spend,
    impressions: sum((day) => day.impressions),
    clicks: sum((day) => day.clicks),
    orders: sum((day) => day.orders),
    revenue,
    return_on_ad_spend: ratio(revenue, spend),
  }
}
