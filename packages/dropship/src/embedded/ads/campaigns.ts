/** Campaigns: started, scaled and stopped. What all of them may spend in a day is checked where the money is committed. */
import { ToolError } from 'myrmex'
import { addDays } from '../../day.ts'
import type { Cents } from '../../money.ts'
import { type Ads, type Campaign, type CampaignDay, PLATFORMS, type ScaledCampaign } from '../../ports.ts'
import { findProduct } from '../catalogue/read-products.ts'
import { idAfter, idLength } from '../database/id-order.ts'
import { nextId } from '../database/next-id.ts'
import type { Store } from '../database/store.ts'
import type { Tables } from '../database/tables.ts'
import { findCreative } from './creatives.ts'

const LONGEST_DAYS = 365

export function findCampaigns(store: Store, where: Parameters<Ads['campaigns']>[0] = {}): Campaign[] {
  let query = store.kysely.selectFrom('campaigns').selectAll().orderBy(idLength('campaign_id')).orderBy('campaign_id')
  if (where.campaign_id !== undefined) query = query.where('campaign_id', '=', where.campaign_id)
  if (where.sku !== undefined) query = query.where('sku', '=', where.sku)
  if (where.status !== undefined) query = query.where('status', '=', where.status)
  if (where.after !== undefined) query = query.where(idAfter('campaign_id', where.after))
  if (where.limit !== undefined) query = query.limit(where.limit)
  return store.all(query).map(campaignOf)
}

export function findResults(store: Store, where: Parameters<Ads['results']>[0]): CampaignDay[] {
  let query = store.kysely
    .selectFrom('campaign_days')
    .innerJoin('campaigns', 'campaigns.campaign_id', 'campaign_days.campaign_id')
    .selectAll('campaign_days')
    .select(['campaigns.platform', 'campaigns.sku'])
    .where('campaign_days.day', '>=', where.from)
    .where('campaign_days.day', '<=', where.to)
    .orderBy('campaign_days.day')
    .orderBy(idLength('campaign_days.campaign_id'))
    .orderBy('campaign_days.campaign_id')
  if (where.campaign_id !== undefined) query = query.where('campaign_days.campaign_id', '=', where.campaign_id)
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
  const { platform, creative_id, sku, daily } = campaign
  const started_on = store.today()
  const ends_on = addDays(started_on, campaign.days - 1)
  const row = { platform, creative_id, sku, daily, started_on, ends_on, spent: 0 }
  const campaign_id = nextId(store, 'campaigns')
  const state = { campaign_id, status: 'running' as const, stop_reason: null }
  store.run(store.kysely.insertInto('campaigns').values({ ...row, ...state }))
  return requireCampaign(store, campaign_id)
}

export function scaleCampaign(store: Store, campaign_id: string, daily: Cents): ScaledCampaign {
  const campaign = requireCampaign(store, campaign_id)
  if (campaign.status !== 'running') {
    const why = campaign.stop_reason === undefined ? '' : `: ${campaign.stop_reason}`
    throw new ToolError('CampaignOver', `The campaign ${campaign_id} is ${campaign.status}${why}. Start a new one.`, {
      campaign_id,
      status: campaign.status,
    })
  }
  checkDaily(daily)
  requireBudgetLeft(store, daily - campaign.daily)
  store.run(store.kysely.updateTable('campaigns').set({ daily }).where('campaign_id', '=', campaign_id))
  return { ...requireCampaign(store, campaign_id), daily_before: campaign.daily }
}

/** One that is over stays as it ended. */
export function stopCampaign(store: Store, campaign_id: string, reason: string): Campaign {
  const campaign = requireCampaign(store, campaign_id)
  if (campaign.status !== 'running') return campaign
  const stopped = { status: 'stopped' as const, stop_reason: reason }
  store.run(store.kysely.updateTable('campaigns').set(stopped).where('campaign_id', '=', campaign_id))
  return requireCampaign(store, campaign_id)
}

function checkNew(store: Store, { platform, creative_id, sku, daily, days }: NewCampaign): void {
  if (!PLATFORMS.includes(platform)) {
    throw new ToolError('ValidationError', `${JSON.stringify(platform)} is no platform: ${PLATFORMS.join(', ')} are.`)
  }
  if (!Number.isInteger(days) || days < 1 || days > LONGEST_DAYS) {
    throw new ToolError('ValidationError', `A campaign runs 1 to ${LONGEST_DAYS} days, not ${days}.`, { days })
  }
  checkDaily(daily)
  if (findCreative(store, creative_id) === undefined) {
    throw new ToolError('UnknownCreative', `There is no creative ${JSON.stringify(creative_id)}.`, { creative_id })
  }
  const product = findProduct(store, sku)
  if (product === undefined) {
    throw new ToolError('UnknownSku', `The shop sells nothing under the sku ${JSON.stringify(sku)}.`, { sku })
  }
  if (product.status !== 'active') {
    throw new ToolError('ProductPaused', `${product.title} (${sku}) is not for sale now: nobody could buy it.`, { sku })
  }
}

function checkDaily(daily: Cents): void {
  if (Number.isSafeInteger(daily) && daily > 0) return
  throw new ToolError('ValidationError', `A day's budget is a whole number of cents above 0, not ${daily}.`, { daily })
}

function requireBudgetLeft(store: Store, more: Cents): void {
  const { daily_cap, daily_committed } = readAccount(store)
  if (more <= 0 || daily_committed + more <= daily_cap) return
  throw new ToolError(
    'AccountCapReached',
    `All campaigns together may spend ${daily_cap / 100} a day; ${daily_committed / 100} is committed, and ${more / 100} more would pass it.`,
    { daily_cap, daily_committed, more },
  )
}

function requireCampaign(store: Store, campaign_id: string): Campaign {
  const campaign = findCampaigns(store, { campaign_id })[0]
  if (campaign !== undefined) return campaign
  throw new ToolError('UnknownCampaign', `There is no campaign ${JSON.stringify(campaign_id)}.`, { campaign_id })
}

const campaignOf = (row: Tables['campaigns']): Campaign => ({ ...row, stop_reason: row.stop_reason ?? undefined })
