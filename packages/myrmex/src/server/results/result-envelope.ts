/** Adds the era's envelope to a result: the modern era needs `resultType` and the server in `_meta`. */
import type { JsonObject } from '../../protocol/json.ts'
import type { ForwardedResult } from '../../tool/forwarded-result.ts'
import type { Exchange } from '../exchange.ts'
import type { Server } from '../server.ts'

export function withEnvelope(exchange: Exchange, server: Server, result: object): object {
  return exchange.modern ? { resultType: 'complete', ...result, _meta: server.meta } : result
}

export interface CacheHints {
  ttlMs: number
  cacheScope: 'public' | 'private'
}

/** Cache hints exist only in the modern era. */
export function withCacheHints(exchange: Exchange, server: Server, result: object, hints: CacheHints): object {
  return exchange.modern ? { resultType: 'complete', ...result, ...hints, _meta: server.meta } : result
}

/** Another server's result, converted to this request's era. `hints` are used if it has none. */
export function withForeignResult(
  exchange: Exchange,
  server: Server,
  { result }: ForwardedResult,
  hints?: CacheHints,
): object {
  const { resultType: _, ttlMs, cacheScope, ...told } = result
  if (!exchange.modern) return told
  const own = { ...(told._meta as JsonObject | undefined), ...server.meta }
  const kept = hints && { ttlMs: ttlMs ?? hints.ttlMs, cacheScope: cacheScope ?? hints.cacheScope }
  return { resultType: 'complete', ...told, ...kept, _meta: own }
}

/** Lists are the same for every caller. */
export const listHints = (server: Server): CacheHints => ({ ttlMs: server.listTtlMs, cacheScope: 'public' })
