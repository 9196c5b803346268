/** Words to advertise with: kept, found, and taken back as long as nothing was advertised with them. */
import { ToolError } from 'myrmex'
import type { Ads, Creative } from '../../ports.ts'
import { findProduct } from '../catalogue/read-products.ts'
import { idAfter, idLength } from '../database/id-order.ts'
import { nextId } from '../database/next-id.ts'
import type { Store } from '../database/store.ts'
import type { Tables } from '../database/tables.ts'

export function findCreatives(store: Store, where: Parameters<Ads['creatives']>[0] = {}): Creative[] {
  let query = store.kysely.selectFrom('creatives').selectAll().orderBy(idLength('creative_id')).orderBy('creative_id')
  if (where.sku !== undefined) query = query.where('sku', '=', where.sku)
  if (where.after !== undefined) query = query.where(idAfter('creative_id', where.after))
  if (where.limit !== undefined) query = query.limit(where.limit)
  return store.all(query).map(creativeOf)
}

export function findCreative(store: Store, creative_id: string): Creative | undefined {
  const query = store.kysely.selectFrom('creatives').selectAll().where('creative_id', '=', creative_id)
  const row = store.first(query)
  return row && creativeOf(row)
}

export function saveCreative(store: Store, creative: Omit<Creative, 'creative_id' | 'made_on'>): Creative {
  const { sku, product_name, tone, channel, headline, body, call_to_action, score } = creative
  if (sku !== undefined && findProduct(store, sku) === undefined) {
    throw new ToolError('UnknownSku', `The shop sells nothing under the sku ${JSON.stringify(sku)}.`, { sku })
  }
  const words = { product_name, tone, channel, headline, body, call_to_action, score }
  const row = { ...words, sku: sku ?? null, creative_id: nextId(store, 'creatives'), made_on: store.today() }
  store.run(store.kysely.insertInto('creatives').values(row))
  return creativeOf(row)
}

/** Ids that are there no longer are no reason to complain: they are gone, as asked. */
export function deleteCreatives(store: Store, creative_ids: readonly string[]): void {
  const { kysely } = store
  for (const creative_id of creative_ids) {
    const used = kysely.selectFrom('campaigns').select('campaign_id').where('creative_id', '=', creative_id)
    const campaign = store.first(used)
    if (campaign !== undefined) {
      throw new ToolError('CreativeInUse', `The campaign ${campaign.campaign_id} advertises with ${creative_id}.`, {
        creative_id,
        campaign_id: campaign.campaign_id,
      })
    }
    store.run(kysely.deleteFrom('creatives').where('creative_id', '=', creative_id))
  }
}

const creativeOf = (row: Tables['creatives']): Creative => ({ ...row, sku: row.sku ?? undefined })
