/** The account at the ad platforms: words, campaigns, and what came of them. */
import type { Ads } from '../ports.ts'
import { account, campaigns, results, scale, start, stop } from './campaigns.ts'
import { creatives, creativeWith, drop, keep } from './creatives.ts'
import { doneUnder, effect } from './keys.ts'
import type { Store } from './store.ts'

export const ads = (store: Store): Ads => ({
  benchmarks: async () => {
    const { benchmarks } = await import('../market/platforms.ts')
    return benchmarks()
  },
  creative: async (creative_id) => creativeWith(store, creative_id),
  creatives: async (where) => creatives(store, where),
  keep: (kept, key) => effect(store, 'ads.keep', key, { kept }, () => kept.map((words) => keep(store, words))),
  dropCreatives: (creative_ids, key) =>
    effect(store, 'ads.dropCreatives', key, { creative_ids }, () => drop(store, creative_ids)),
  campaigns: async (where) => campaigns(store, where),
  results: async (where) => results(store, where),
  account: async () => store.read(() => account(store)),
  done: async (key) => doneUnder(store, ['ads.start', 'ads.scale'], key),
  start: (campaign, key) => effect(store, 'ads.start', key, { campaign }, () => start(store, campaign)),
  scale: (campaign_id, daily, key) =>
    effect(store, 'ads.scale', key, { campaign_id, daily }, () => scale(store, campaign_id, daily)),
  stop: (campaign_id, reason, key) =>
    effect(store, 'ads.stop', key, { campaign_id, reason }, () => stop(store, campaign_id, reason)),
})
