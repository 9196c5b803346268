/** How long a list of definitions may be cached: as long as the one among them that may be cached for the shortest time. */
import { DEFAULT_CACHE_TTL_S, type Tool } from './tool.ts'

/** In whole milliseconds; the default if there is no tool. */
export function cacheTtlMs(tools: Iterable<Pick<Tool, 'cacheTtl'>>): number {
  let least: number | undefined
  for (const { cacheTtl } of tools) if (least === undefined || cacheTtl < least) least = cacheTtl
  return Math.min(Math.floor((least ?? DEFAULT_CACHE_TTL_S) * 1000), Number.MAX_SAFE_INTEGER)
}
