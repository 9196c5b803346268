/**
 * Which hosts an item came through. The lists of a host name them, so that a host finds its own items in the list of another server and
 * skips them: two hosts may serve each other, and nothing is listed twice. A server that names a host it has no part in loses only its own
 * items there. The ids are no part of a definition.
 */
import { isObject, type JsonObject } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { META } from '../protocol/versions.ts'
import { upstreamListing } from './upstream-listing.ts'

const ID = /^[0-9a-f]{32}$/
/** A longer way is a loop that nobody noticed, or nonsense. */
const MAX_HOSTS = 32

const hosts = new WeakMap<object, readonly string[]>()

/** Of the listing of an item, or of a copy that `withPassedHosts` made. */
export const passedHosts = (listing: object | undefined): readonly string[] =>
  listing === undefined ? [] : (hosts.get(listing) ?? [])

export function withPassedHosts<T extends object>(listing: T, ids: readonly string[]): T {
  if (ids.length > 0) hosts.set(listing, ids)
  return listing
}

/** `_meta` of a page of a list: by host, all of its items, or the keys of those that came through it. */
export function hostsMeta(own: string, items: Iterable<readonly [key: string, item: object]>): JsonObject {
  const named = new Map<string, true | string[]>([[own, true]])
  for (const [key, item] of items)
    for (const id of passedHosts(upstreamListing(item))) {
      const keys = named.get(id)
      if (keys === undefined) named.set(id, [key])
      else if (keys !== true) keys.push(key)
    }
  return { [META.hosts]: Object.fromEntries(named) }
}

/** Reads the same of another server. Undefined: it is no host. */
export function readHosts(_meta: unknown): ((key: string) => string[]) | undefined {
  const said = isObject(_meta) ? _meta[META.hosts] : undefined
  if (!isObject(said)) return undefined
  const known = Object.entries(said).filter(([id]) => ID.test(id))
  const sets = known.map(([id, keys]) => [id, keys === true || new Set(Array.isArray(keys) ? keys : [])] as const)
  return (key) => sets.flatMap(([id, keys]) => (keys === true || keys.has(key) ? [id] : [])).slice(0, MAX_HOSTS)
}

/** The hosts that a request came through, if it says so. Undefined: it came through too many, or through this one. */
export function requestHosts(meta: Params, own: string): readonly string[] | undefined {
  const said = meta[META.hosts]
  const ids = Array.isArray(said) ? said.filter((id): id is string => typeof id === 'string' && ID.test(id)) : []
  return ids.length >= MAX_HOSTS || ids.includes(own) ? undefined : ids
}

/** An item as it is listed, with what the reader of the list noted: the hosts are taken out. */
export function withoutHosts(listed: JsonObject): JsonObject {
  const { _meta } = listed
  const ids = isObject(_meta) ? _meta[META.hosts] : undefined
  if (!Array.isArray(ids)) return listed
  const { [META.hosts]: _, ...rest } = _meta as JsonObject
  const { _meta: __, ...item } = listed
  const own = Object.keys(rest).length === 0 ? item : { ...item, _meta: rest }
  return withPassedHosts(
    own,
    ids.filter((id) => typeof id === 'string'),
  )
}

export const withHosts = (listed: JsonObject, ids: readonly string[]): JsonObject =>
  ids.length === 0
    ? listed
    : { ...listed, _meta: { ...(isObject(listed._meta) && listed._meta), [META.hosts]: [...ids] } }
