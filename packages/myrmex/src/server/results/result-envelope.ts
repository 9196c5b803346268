/** Adds the era's envelope to a result: the modern era needs `resultType` and the server in `_meta`, and allows cache hints. */
import type { JsonObject } from '../../protocol/json.ts'
import type { ForwardedResult } from '../../tool/forwarded-result.ts'
import type { Exchange } from '../exchange.ts'

export interface CacheHints {
  ttlMs: number
  cacheScope: 'public' | 'private'
}

export const withEnvelope = ({ modern, session }: Exchange, result: object, hints?: CacheHints): object =>
  modern ? { resultType: 'complete', ...result, ...hints, _meta: session.server.meta } : result

/** A page of a list. A list that was made for one credential must not be served to callers with another. */
export function listEnvelope(exchange: Exchange, list: object, nextCursor?: string, hints?: CacheHints): object {
  const page = nextCursor === undefined ? list : { ...list, nextCursor }
  const { server, principal } = exchange.session
  const isOpen = principal.kind === 'local' && principal.scopes === undefined
  return withEnvelope(exchange, page, hints ?? { ttlMs: server.listTtlMs, cacheScope: isOpen ? 'public' : 'private' })
}

/** Another server's result, converted to this request's era. `hints` are used if it has none. */
export function withForeignResult(exchange: Exchange, { result }: ForwardedResult, hints?: CacheHints): object {
  const { resultType: _, ttlMs, cacheScope, ...foreign } = result
  if (!exchange.modern) return foreign
  const _meta = { ...(foreign._meta as JsonObject | undefined), ...exchange.session.server.meta }
  const kept = hints && { ttlMs: ttlMs ?? hints.ttlMs, cacheScope: cacheScope ?? hints.cacheScope }
  return { resultType: 'complete', ...foreign, ...kept, _meta }
}
