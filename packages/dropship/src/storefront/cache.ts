/** Values that are computed from the shop and kept while they are right. */
import type { Shop, ShopSource } from '../ports.ts'

/** A live shop can change elsewhere without notice, so that cached values are computed again after this time. */
const MAX_AGE_MS = 60_000

/** Computes a value again when the shop has changed, or with `refresh`. A failure is not cached. */
export function cachePerRevision<Value>(
  source: ShopSource,
  compute: (shop: Shop) => Promise<Value>,
  now: () => number = () => performance.now(),
): (refresh?: 'refresh') => Promise<Value> {
  let cache: { shop: Shop; revision: number; at: number; value: Promise<Value> } | undefined
  return async (refresh) => {
    const shop = await source()
    const revision = shop.revision()
    const isFresh = cache?.shop === shop && cache.revision === revision && now() - cache.at < MAX_AGE_MS
    if (cache === undefined || !isFresh || refresh !== undefined) {
      const entry = { shop, revision, at: now(), value: compute(shop) }
      cache = entry
      entry.value.catch(() => {
        if (cache === entry) cache = undefined
      })
    }
    return cache.value
  }
}
