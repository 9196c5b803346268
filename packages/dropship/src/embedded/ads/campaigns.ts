/** Campaigns: started, scaled and stopped. The account's limit on daily spend is checked in the transaction that commits money. */
import { ToolError } from 'myrmex'
import { addDays } from '../../day.ts'
import { nextId } from '../../market/statements.ts'
import { type Cents, toAmount } from '../../money.ts'
import {
  checkCents,
  checkRunning,
  productPaused,
  unknownCampaign,
  unknownCreative,
  unknownSku,
} from '../../ports/shop-errors.ts'
import { type Ads, type Campaign, type CampaignDay, PLATFORMS, type ScaledCampaign } from '../../ports.ts'
import { findProduct } from '../catalogue/read-products.ts'
import { idLength, type Store } from '../database/store.ts'
import { fromRow } from '../database/tables.ts'
import { findCreative } from './creatives.ts'

const MAX_DAYS = 365

export const findCampaigns = (store: Store, where: Parameters<Ads['campaigns']>[0] = {}): Campaign[] =>
  store.page('campaigns', 'campaign_id', where).map((row) => fromRow<Campaign>(row))

export function findResults(store: Store, { from, to, campaign_id }: Parameters<Ads['results']>[0]): CampaignDay[] {
  let query = store.kysely
    .selectFrom('campaign_days')
    .innerJoin('campaigns', 'campaigns.campaign_id', 'campaign_days.campaign_id')
    .selectAll('campaign_days')
    .select(['campaigns.platform', 'campaigns.sku'])
    .where('campaign_days.day', '>=', from)
    .where('campaign_days.day', '<=', to)
    .orderBy('campaign_days.day')
    .orderBy(idLength('campaign_days.campaign_id'))
    .orderBy('campaign_days.campaign_id')
  if (campaign_id !== undefined) query = query.where('campaign_days.campaign_id', '=', campaign_id)
  return store.all(query).map((row) => ({ ...row }))
}

export function readAccount(store: Store): { daily_cap: Cents; daily_committed: Cents } {
  const running = store.kysely.selectFrom('campaigns').where('status', '=', 'running')
  const sum = store.first(running.select((eb) => eb.fn.sum<number | null>('daily').as('daily')))
  return { daily_cap: Number(store.meta('ads_daily_cap') ?? 0), daily_committed: sum?.daily ?? 0 }
}

type NewCampaign = Parameters<Ads['start']>[0]

export function startCampaign(store: Store, campaign: NewCampaign): Campaign {
  checkNew(store, campaign)
  requireBudgetLeft(store, campaign.daily)
  const { platform, creative_id, sku, daily, days } = campaign
  const campaign_id = nextId(store.db, 'campaigns')
  const started_on = store.today()
  const period = { started_on, ends_on: addDays(started_on, days - 1) }
  const state = { status: 'running' as const, stop_reason: null, spent: 0 }
  store.insert('campaigns', { campaign_id, platform, creative_id, sku, daily, ...period, ...state })
  return requireCampaign(store, campaign_id)
}

export function scaleCampaign(store: Store, campaign_id: string, daily: Cents): ScaledCampaign {
  const campaign = requireCampaign(store, campaign_id)
  checkRunning(campaign)
  checkCents('A daily budget', 'daily', daily)
  requireBudgetLeft(store, daily - campaign.daily)
  store.update('campaigns', { campaign_id }, { daily })
  return { ...requireCampaign(store, campaign_id), daily_before: campaign.daily }
}

/** A campaign that is already over stays as it ended. */
export function stopCampaign(store: Store, campaign_id: string, reason: string): Campaign {
  const campaign = requireCampaign(store, campaign_id)
  if (campaign.status !== 'running') return campaign
  store.update('campaigns', { campaign_id }, { status: 'stopped', stop_reason: reason })
  return requireCampaign(store, campaign_id)
}

function checkNew(store: Store, { platform, creative_id, sku, daily, days }: NewCampaign): void {
  if (!PLATFORMS.includes(platform)) {
    throw new ToolError(
      'ValidationError',
      `Unknown platform ${JSON.stringify(platform)}. Choose one of ${PLATFORMS.join(', ')}.`,
    )
  }
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    throw new ToolError('ValidationError', `A campaign runs for 1 to ${MAX_DAYS} days, not ${days}.`, { days })
  }
  checkCents('A daily budget', 'daily', daily)
  if (findCreative(store, creative_id) === undefined) throw unknownCreative(creative_id)
  const product = findProduct(store, sku)
  if (product === undefined) throw unknownSku(sku)
  if (product.status !== 'active') throw productPaused(product.title, sku)
}

function requireBudgetLeft(store: Store, more: Cents): void {
  const { daily_cap, daily_committed } = readAccount(store)
  if (more <= 0 || daily_committed + more <= daily_cap) return
  throw new ToolError(
    'AccountCapReached',
    `All campaigns together may spend ${toAmount(daily_cap)} a day. ${toAmount(daily_committed)} is committed, so ${toAmount(more)} more is too much.`,
    { daily_cap, daily_committed, more },
  )
}

function requireCampaign(store: Store, campaign_id: string): Campaign {
  const row = store.find('campaigns', { campaign_id })
  if (row === undefined) throw unknownCampaign(campaign_id)
  return fromRow<Campaign>(row)
}
