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

/** The result of a call or a prompt: its `_meta`, and pages in its blocks and messages. */
export function resultWithHostUris(result: JsonObject, toHost: ToHostUri): JsonObject {
  const { _meta, content, messages } = result
  const meta = isObject(_meta) ? metaWithHostUris(_meta as JsonObject, toHost) : _meta
  const blocks = changed(content, (block) => blockWithHostUri(block, toHost))
  const spoken = changed(messages, (message) => messageWithHostUri(message, toHost))
  let made = result
  if (meta !== _meta) made = { ...made, _meta: meta as JsonObject }
  if (blocks !== content) made = { ...made, content: blocks as JsonObject[] }
  if (spoken !== messages) made = { ...made, messages: spoken as JsonObject[] }
  return made
}

/** The same array if nothing changes. */
function changed(list: unknown, change: (item: unknown) => unknown): unknown {
  if (!Array.isArray(list)) return list
  const made = list.map(change)
  return made.every((item, index) => item === list[index]) ? list : made
}

function messageWithHostUri(message: unknown, toHost: ToHostUri): unknown {
  if (!isObject(message)) return message
  const content = blockWithHostUri(message.content, toHost)
  return content === message.content ? message : { ...message, content }
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
