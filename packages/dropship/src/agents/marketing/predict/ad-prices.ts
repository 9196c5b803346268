/**
 * Views per spend: the platform's published prices combined with the shop's own, and how prices at the same time last year differed.
 * Before Christmas prices rise.
 */
import { addDays, type Day } from '../../../day.ts'
import type { Platform } from '../../../ports.ts'
import type { Evidence } from './evidence.ts'

/** Prior weights in views: of the platform's published price, and of a year without season. */
const BENCHMARK_VIEWS = 1000
const SEASON_DOUBT = 5000
/** Days to either side of last year's days that also count. */
const DAYS_AROUND = 7
const YEAR = 364

type AdHistory = Pick<Evidence, 'adDays' | 'benchmarks'>

/** Views per cent on these days. */
export function viewsPerCent({ adDays, benchmarks }: AdHistory, platform: Platform, from: Day, days: number): number {
  const usual = new Map([...benchmarks.keys()].map((one) => [one, averageViewsPerCent({ adDays, benchmarks }, one)]))
  const [first, last] = [addDays(from, -YEAR - DAYS_AROUND), addDays(from, days - YEAR + DAYS_AROUND)]
  let [seen, expected] = [SEASON_DOUBT, SEASON_DOUBT]
  for (const { day, platform: where, spend, impressions } of adDays) {
    if (day < first || day > last) continue
    seen += impressions
    expected += spend * (usual.get(where) ?? 0)
  }
  return (usual.get(platform) ?? 0) * (seen / expected)
}

/** Views per cent over the whole history. */
export function averageViewsPerCent({ adDays, benchmarks }: AdHistory, platform: Platform): number {
  const benchmark = benchmarks.get(platform)
  const cost = benchmark === undefined ? 1 : benchmark.click_cost * benchmark.click_rate
  let [views, spend] = [BENCHMARK_VIEWS, BENCHMARK_VIEWS * cost]
  for (const row of adDays) {
    if (row.platform !== platform) continue
    views += row.impressions
    spend += row.spend
  }
  return views / spend
}
