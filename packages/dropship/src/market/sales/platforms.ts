/**
 * The places where ads are bought, as they describe themselves. Click cost and conversion are those of fleet.md; click rates are
 * those reported for shops: 0.9 % over all and 1.6 to 2.1 % for retail at facebook, about 1 % at instagram; tiktok near 0.8 %.
 */
import { PLATFORMS, type Platform, type PlatformBenchmark } from '../../ports.ts'

export const PLATFORM_FIGURES: Readonly<Record<Platform, Omit<PlatformBenchmark, 'platform'>>> = {
  facebook: { click_cost: 120, click_rate: 0.016, conversion: 0.035 },
  instagram: { click_cost: 90, click_rate: 0.01, conversion: 0.028 },
  tiktok: { click_cost: 40, click_rate: 0.008, conversion: 0.012 },
}

export const benchmarks = (): readonly PlatformBenchmark[] =>
  PLATFORMS.map((platform) => ({ platform, ...PLATFORM_FIGURES[platform] }))
