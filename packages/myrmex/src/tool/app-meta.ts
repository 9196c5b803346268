/**
 * What MCP Apps (extension `io.modelcontextprotocol/ui`) put into the `_meta` of a tool: the page that shows its results, and whether the
 * model may call it or only the app itself.
 */
import { isObject, type JsonObject } from '../protocol/json.ts'
import { upstreamListing } from './upstream-listing.ts'

/** In `_meta` itself: names of the page before and beside the extension. */
export const FLAT_PAGE_KEYS = ['ui/resourceUri', 'openai/outputTemplate'] as const

/** The URIs of the pages in `_meta` of a tool or a result. */
export function pageUris(meta: unknown): string[] {
  if (!isObject(meta)) return []
  const named = [isObject(meta.ui) ? meta.ui.resourceUri : undefined, ...FLAT_PAGE_KEYS.map((key) => meta[key])]
  return named.filter((uri) => typeof uri === 'string')
}

const metaOf = (tool: object & { readonly meta?: JsonObject | undefined }): unknown => {
  const listed = upstreamListing(tool)
  return listed === undefined ? tool.meta : listed._meta
}

/** Clients find the page of a tool in the list of tools. */
export const hasPage = (tool: object): boolean => pageUris(metaOf(tool)).length > 0

/** Only for the app of its server: no model may see or call it. */
export function isForAppsOnly(tool: object): boolean {
  const meta = metaOf(tool)
  const ui = isObject(meta) ? meta.ui : undefined
  return isObject(ui) && Array.isArray(ui.visibility) && !ui.visibility.includes('model')
}
