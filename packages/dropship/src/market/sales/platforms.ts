/**
 * Everything that the market knows about ad platforms: their published averages, and which categories they suit. The click rates are
 * those reported for shops: facebook 0.9 % over all and 1.6 to 2.1 % for retail, instagram about 1 %, tiktok near 0.8 %.
 */
import { PLATFORMS, type Platform, type PlatformBenchmark } from '../../ports.ts'

export const PLATFORM_FIGURES: Readonly<Record<Platform, Omit<PlatformBenchmark, 'platform'>>> = {
  facebook: { click_cost: 120, click_rate: 0.016, conversion: 0.035 },
  instagram: { click_cost: 90, click_rate: 0.01, conversion: 0.028 },
  tiktok: { click_cost: 40, click_rate: 0.008, conversion: 0.012 },
}

/** How well each platform suits the shoppers of a category (log); 0 where nothing is listed. Pictures suit decor and beauty, clips suit pets and gadgets. */
export const CATEGORY_AFFINITY: Readonly<Record<Platform, Readonly<Record<string, number>>>> = {
  facebook: { Office: 0.2, Kitchen: 0.15, Pets: 0.05, Fitness: -0.1, Outdoor: 0.2, Beauty: -0.2 },
  instagram: { Office: -0.05, Coffee: 0.15, 'Home Decor': 0.2, Fitness: 0.15, Beauty: 0.2, Tech: -0.05 },
  tiktok: {
    Office: -0.2,
    Coffee: -0.05,
    'Home Decor': -0.05,
    Pets: 0.2,
    Fitness: 0.1,
    Outdoor: -0.15,
    Beauty: 0.2,
    Tech: 0.15,
  },
}

export const benchmarks = (): readonly PlatformBenchmark[] =>
  PLATFORMS.map((platform) => ({ platform, ...PLATFORM_FIGURES[platform] }))
