/** Adds the era's envelope to a result: the modern era needs `resultType` and the server in `_meta`, and allows cache hints. */
import type { JsonObject } from '../../protocol/json.ts'
import type { ForwardedResult } from '../../tool/forwarded-result.ts'
import { hostsMeta } from '../../tool/passed-hosts.ts'
import type { Exchange } from '../exchange.ts'

export interface CacheHints {
  ttlMs: number
  cacheScope: 'public' | 'private'
}

export const withEnvelope = ({ modern, session }: Exchange, result: object, hints?: CacheHints): object =>
  modern ? { resultType: 'complete', ...result, ...hints, _meta: session.server.meta } : result

const LIST_TTL_MS = 300_000

/** What is on a page of a list: each item with its key. */
export type PageItems = Iterable<readonly [key: string, item: object]>

/** A page of a list. A list that was made for one credential must not be served to callers with another. */
export function listEnvelope(
  exchange: Exchange,
  list: object,
  nextCursor?: string,
  hints: Partial<CacheHints> = {},
  items?: PageItems,
): object {
  const page = nextCursor === undefined ? list : { ...list, nextCursor }
  const { server, principal } = exchange.session
  const isOpen = principal.kind === 'local' && principal.scopes === undefined
  const { ttlMs = server.listTtlMs ?? LIST_TTL_MS, cacheScope = isOpen ? 'public' : 'private' } = hints
  const result = withEnvelope(exchange, page, { ttlMs: Math.min(ttlMs, server.listTtlMs ?? ttlMs), cacheScope })
  const { hostId } = server.view
  if (hostId === undefined || items === undefined) return result
  return { ...result, _meta: { ...(exchange.modern && server.meta), ...hostsMeta(hostId, items) } }
}

/** Another server's result, converted to this request's era. `hints` are used if it has none. */
export function withForeignResult(exchange: Exchange, { result }: ForwardedResult, hints?: CacheHints): object {
  const { resultType: _, ttlMs, cacheScope, ...foreign } = result
  if (!exchange.modern) return foreign
  const _meta = { ...(foreign._meta as JsonObject | undefined), ...exchange.session.server.meta }
  const kept = hints && { ttlMs: ttlMs ?? hints.ttlMs, cacheScope: cacheScope ?? hints.cacheScope }
  return { resultType: 'complete', ...foreign, ...kept, _meta }
}
