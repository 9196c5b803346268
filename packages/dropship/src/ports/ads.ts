/** The ads port: ad texts, campaigns and their results. */
import type { Day } from '../day.ts'
import type { Cents } from '../money.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import type { Paging } from './paging.ts'

export const PLATFORMS = ['facebook', 'instagram', 'tiktok'] as const
export type Platform = (typeof PLATFORMS)[number]

/** An ad text. */
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
  /** the daily budget before the change */
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

/** The averages that a platform publishes for its advertisers. */
export interface PlatformBenchmark {
  readonly platform: Platform
  readonly click_cost: Cents
  readonly click_rate: number
  readonly conversion: number
}

export interface Ads {
  benchmarks(): Promise<readonly PlatformBenchmark[]>
  creative(creative_id: string): Promise<Creative | undefined>
  creatives(where?: { sku?: string } & Paging): Promise<readonly Creative[]>
  saveCreatives(
    creatives: readonly Omit<Creative, 'creative_id' | 'made_on'>[],
    key: IdempotencyKey,
  ): Promise<readonly Creative[]>
  /** Only creatives that no campaign uses. CreativeInUse. */
  deleteCreatives(creative_ids: readonly string[], key: IdempotencyKey): Promise<void>
  campaigns(where?: Partial<Pick<Campaign, 'campaign_id' | 'sku' | 'status'>> & Paging): Promise<readonly Campaign[]>
  results(where: { from: Day; to: Day; campaign_id?: string }): Promise<readonly CampaignDay[]>
  /** the limit on the daily spend of all running campaigns together, and how much of it is committed */
  account(): Promise<{ readonly daily_cap: Cents; readonly daily_committed: Cents }>
  /** The result that start or scale recorded under the key, if any. */
  findRecorded(key: IdempotencyKey): Promise<Campaign | ScaledCampaign | undefined>
  /** AccountCapReached: the account's limit on daily spend would be exceeded. */
  start(
    campaign: Pick<Campaign, 'platform' | 'creative_id' | 'sku' | 'daily'> & { days: number },
    key: IdempotencyKey,
  ): Promise<Campaign>
  /** CampaignOver, AccountCapReached. */
  scale(campaign_id: string, daily: Cents, key: IdempotencyKey): Promise<ScaledCampaign>
  stop(campaign_id: string, reason: string, key: IdempotencyKey): Promise<Campaign>
}
