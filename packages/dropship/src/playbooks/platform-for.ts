/** Chooses an ad platform. */
import { ToolError } from 'myrmex'
import { addDays } from '../day.ts'
import { sums } from '../figures.ts'
import type { Platform, Shop } from '../ports.ts'

const LOOK_BACK_DAYS = 90

/** The platform on which the shop's own campaigns returned the most; without campaigns, by the platforms' benchmarks. */
export async function platformFor(known: unknown, { ads, clock }: Shop): Promise<Platform> {
  const today = await clock.today()
  const results = await ads.results({ from: addDays(today, -LOOK_BACK_DAYS), to: today })
  const benchmarks = await ads.benchmarks()
  const named = benchmarks.find(({ platform }) => platform === known)
  if (named !== undefined) return named.platform
  const ranked = benchmarks
    .map(({ platform, click_cost, conversion }) => {
      const own = results.filter((one) => one.platform === platform)
      const { spend, orders } = sums(own, ['spend', 'orders'])
      // The platform's own benchmark weighs as much as a hundred clicks of ours.
      return { platform, ordersPerCent: (orders + 100 * conversion) / (spend + 100 * click_cost) }
    })
    .sort((a, b) => b.ordersPerCent - a.ordersPerCent)
  const [best] = ranked
  if (best === undefined) throw new ToolError('UnavailableError', 'The shop knows no ad platform.')
  return best.platform
}
