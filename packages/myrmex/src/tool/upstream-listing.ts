/**
 * How an upstream itself lists a tool, resource or prompt. Kept next to the item, so that the public types do not carry it. It is shown to
 * clients unchanged, except for the name or URI, and is part of a tool's definition hash.
 */
import type { JsonObject } from '../protocol/json.ts'

const listings = new WeakMap<object, JsonObject>()

export const upstreamListing = (item: object): JsonObject | undefined => listings.get(item)

export function withUpstreamListing<T extends object>(item: T, listing: JsonObject): T {
  listings.set(item, listing)
  return item
}
