/**
 * The URIs of pages in what a server says about its tools and in its results, as clients of the host must ask for them. Each leads to the
 * server itself, also if another server has a page of the same URI.
 */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { FLAT_PAGE_KEYS } from '../../tool/app-meta.ts'
import { isUiUri } from '../catalogue/uri-prefix.ts'

export type ToHostUri = (uri: string) => string

/** `_meta` of a tool or a result. Returns the same object if nothing changes. */
export function metaWithHostUris(meta: JsonObject, toHost: ToHostUri): JsonObject {
  let made = meta
  const { ui } = meta
  if (isObject(ui) && typeof ui.resourceUri === 'string') {
    const resourceUri = shown(ui.resourceUri, toHost)
    if (resourceUri !== ui.resourceUri) made = { ...made, ui: { ...(ui as JsonObject), resourceUri } }
  }
  for (const key of FLAT_PAGE_KEYS) {
    const uri = meta[key]
    if (typeof uri === 'string' && shown(uri, toHost) !== uri) made = { ...made, [key]: shown(uri, toHost) }
  }
  return made
}

/** The result of a call: its `_meta`, and pages in its blocks. */
export function resultWithHostUris(result: JsonObject, toHost: ToHostUri): JsonObject {
  const { _meta, content } = result
  const meta = isObject(_meta) ? metaWithHostUris(_meta as JsonObject, toHost) : undefined
  const blocks = Array.isArray(content) ? content.map((block) => blockWithHostUri(block, toHost)) : undefined
  const isSame = meta === _meta && (blocks?.every((block, index) => block === (content as unknown[])[index]) ?? true)
  if (isSame) return result
  return { ...result, ...(meta && { _meta: meta }), ...(blocks && { content: blocks as JsonObject[] }) }
}

function blockWithHostUri(block: unknown, toHost: ToHostUri): unknown {
  if (!isObject(block)) return block
  if (block.type === 'resource_link') return withHostUri(block, toHost)
  if (block.type !== 'resource' || !isObject(block.resource)) return block
  const resource = withHostUri(block.resource, toHost)
  return resource === block.resource ? block : { ...block, resource }
}

function withHostUri(named: Record<string, unknown>, toHost: ToHostUri): Record<string, unknown> {
  if (typeof named.uri !== 'string') return named
  const uri = shown(named.uri, toHost)
  return uri === named.uri ? named : { ...named, uri }
}

const shown = (uri: string, toHost: ToHostUri): string => (isUiUri(uri) ? toHost(uri) : uri)
