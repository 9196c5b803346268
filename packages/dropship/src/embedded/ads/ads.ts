/** The ads port of the embedded shop: creatives, campaigns and their results. */
import { benchmarks } from '../../market/sales/platforms.ts'
import type { Ads } from '../../ports.ts'
import { findRecordedResult, runOnce } from '../database/idempotency.ts'
import type { Store } from '../database/store.ts'
import { findCampaigns, findResults, readAccount, scaleCampaign, startCampaign, stopCampaign } from './campaigns.ts'
import { deleteCreatives, findCreative, findCreatives, saveCreative } from './creatives.ts'

export const ads = (store: Store): Ads => ({
  benchmarks: async () => benchmarks(),
  creative: async (creative_id) => findCreative(store, creative_id),
  creatives: async (where) => findCreatives(store, where),
  saveCreatives: (kept, key) =>
    runOnce(store, 'ads.keep', key, { kept }, () => kept.map((creative) => saveCreative(store, creative))),
  deleteCreatives: (creative_ids, key) =>
    runOnce(store, 'ads.dropCreatives', key, { creative_ids }, () => deleteCreatives(store, creative_ids)),
  campaigns: async (where) => findCampaigns(store, where),
  results: async (where) => findResults(store, where),
  account: async () => store.read(() => readAccount(store)),
  findRecorded: async (key) => findRecordedResult(store, ['ads.start', 'ads.scale'], key),
  start: (campaign, key) => runOnce(store, 'ads.start', key, { campaign }, () => startCampaign(store, campaign)),
  scale: (campaign_id, daily, key) =>
    runOnce(store, 'ads.scale', key, { campaign_id, daily }, () => scaleCampaign(store, campaign_id, daily)),
  stop: (campaign_id, reason, key) =>
    runOnce(store, 'ads.stop', key, { campaign_id, reason }, () => stopCampaign(store, campaign_id, reason)),
})
