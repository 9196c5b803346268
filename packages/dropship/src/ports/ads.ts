/** The port of ads: words to advertise with, campaigns, and what they brought. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'
import type { IdempotencyKey } from './key.ts'

export const PLATFORMS = ['facebook', 'instagram', 'tiktok'] as const
export type Platform = (typeof PLATFORMS)[number]

/** Words to advertise with. */
export interface Creative {
  readonly creative_id: string
  readonly sku: string | undefined
  readonly product_name: string
  readonly tone: string
  readonly channel: string
  readonly headline: string
  readonly body: string
  readonly call_to_action: string
  /** 0 to 1 */
  readonly score: number
  readonly made_on: Day
}

export interface Campaign {
  readonly campaign_id: string
  readonly platform: Platform
  readonly creative_id: string
  readonly sku: string
  readonly daily: Cents
  readonly started_on: Day
  /** the last day it runs */
  readonly ends_on: Day
  readonly status: 'running' | 'stopped' | 'ended'
  readonly stop_reason: string | undefined
  readonly spent: Cents
}

export interface ScaledCampaign extends Campaign {
  /** a day's budget before */
  readonly daily_before: Cents
}

export interface CampaignDay {
  readonly campaign_id: string
  readonly platform: Platform
  readonly sku: string
  readonly day: Day
  readonly spend: Cents
  readonly impressions: number
  readonly clicks: number
  readonly orders: number
  readonly revenue: Cents
}

/** What a platform says of itself to anybody who may buy there. */
export interface PlatformBenchmark {
  readonly platform: Platform
  readonly click_cost: Cents
  readonly click_rate: number
  readonly conversion: number
}

export interface Ads {
  benchmarks(): Promise<readonly PlatformBenchmark[]>
  creative(creative_id: string): Promise<Creative | undefined>
  creatives(where?: { sku?: string; after?: string; limit?: number }): Promise<readonly Creative[]>
  saveCreatives(
    creatives: readonly Omit<Creative, 'creative_id' | 'made_on'>[],
    key: IdempotencyKey,
  ): Promise<readonly Creative[]>
  /** Takes words back that nothing was advertised with. */
  deleteCreatives(creative_ids: readonly string[], key: IdempotencyKey): Promise<void>
  campaigns(where?: {
    campaign_id?: string
    sku?: string
    status?: Campaign['status']
    after?: string
    limit?: number
  }): Promise<readonly Campaign[]>
  results(where: { from: Day; to: Day; campaign_id?: string }): Promise<readonly CampaignDay[]>
  /** most that all running campaigns of this account may spend in a day */
  account(): Promise<{ readonly daily_cap: Cents; readonly daily_committed: Cents }>
  /** What start or scale made under the key; undefined: nothing yet. */
  findRecorded(key: IdempotencyKey): Promise<Campaign | ScaledCampaign | undefined>
  /** AccountCapReached: the account's own limit on a day's spend would be passed. */
  start(
    campaign: Pick<Campaign, 'platform' | 'creative_id' | 'sku' | 'daily'> & { days: number },
    key: IdempotencyKey,
  ): Promise<Campaign>
  /** CampaignOver, AccountCapReached. */
  scale(campaign_id: string, daily: Cents, key: IdempotencyKey): Promise<ScaledCampaign>
  stop(campaign_id: string, reason: string, key: IdempotencyKey): Promise<Campaign>
}
