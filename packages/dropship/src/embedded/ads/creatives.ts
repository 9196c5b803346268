/** Ad texts: saved, found, and deleted as long as no campaign has used them. */
import { ToolError } from 'myrmex'
import { nextId } from '../../market/statements.ts'
import { unknownSku } from '../../ports/shop-errors.ts'
import type { Ads, Creative } from '../../ports.ts'
import { findProduct } from '../catalogue/read-products.ts'
import type { Store } from '../database/store.ts'
import { fromRow } from '../database/tables.ts'

export const findCreatives = (store: Store, where: Parameters<Ads['creatives']>[0] = {}): Creative[] =>
  store.page('creatives', 'creative_id', where).map((row) => fromRow<Creative>(row))

export function findCreative(store: Store, creative_id: string): Creative | undefined {
  const row = store.find('creatives', { creative_id })
  return row && fromRow<Creative>(row)
}

export function saveCreative(store: Store, creative: Omit<Creative, 'creative_id' | 'made_on'>): Creative {
  const { sku, product_name, tone, channel, headline, body, call_to_action, score } = creative
  if (sku !== undefined && findProduct(store, sku) === undefined) throw unknownSku(sku)
  const texts = { product_name, tone, channel, headline, body, call_to_action, score }
  const row = { ...texts, sku: sku ?? null, creative_id: nextId(store.db, 'creatives'), made_on: store.today() }
  store.insert('creatives', row)
  return fromRow<Creative>(row)
}

/** Ids that do not exist (any more) are ignored: nothing is left to delete. */
export function deleteCreatives(store: Store, creative_ids: readonly string[]): void {
  for (const creative_id of creative_ids) {
    const campaign = store.find('campaigns', { creative_id })
    if (campaign !== undefined) {
      throw new ToolError('CreativeInUse', `The campaign ${campaign.campaign_id} uses the creative ${creative_id}.`, {
        creative_id,
        campaign_id: campaign.campaign_id,
      })
    }
    store.run(store.kysely.deleteFrom('creatives').where('creative_id', '=', creative_id))
  }
}
