/**
 * How an upstream itself lists a tool, resource or prompt. Kept next to the item, so that the public types do not carry it. It is shown to
 * clients unchanged, except for the name or URI, and is part of a tool's definition hash.
 */
import type { JsonObject } from '../protocol/json.ts'

const listings = new WeakMap<object, JsonObject>()
const hiddenNames = new WeakSet<object>()

export const upstreamListing = (item: object): JsonObject | undefined => listings.get(item)

/** `_meta` of a tool of an upstream as clients get it. */
const shownMetas = new WeakMap<object, (meta: JsonObject) => JsonObject>()

export const withShownMeta = (item: object, shown: (meta: JsonObject) => JsonObject): void =>
  void shownMetas.set(item, shown)

export const shownMeta = (item: object, meta: JsonObject | undefined): JsonObject | undefined =>
  meta && (shownMetas.get(item)?.(meta) ?? meta)

/** The name of a definition tries to instruct a model: until a person has decided about it, not even its name is listed. */
export const hideName = (definition: object): void => void hiddenNames.add(definition)

export const isNameHidden = (definition: object): boolean => hiddenNames.has(definition)

export function withUpstreamListing<T extends object>(item: T, listing: JsonObject): T {
  listings.set(item, listing)
  return item
}
