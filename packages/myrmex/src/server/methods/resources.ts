/** Resources: listed, templated, read, and, in the legacy era, subscribed to. */
import { InputRequired } from '../../pipeline/outcome.ts'
import type { ResourceContents } from '../../protocol/content.ts'
import { invalidParams, resourceNotFound } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Resource, ResourceBody } from '../../tool/resource.ts'
import type { Exchange } from '../exchange.ts'
import type { Method } from '../methods.ts'
import { page } from '../page.ts'
import { cacheable, listHints } from '../result.ts'
import type { Server } from '../server.ts'

export const listResources: Method = (exchange, server) => listed(exchange, server, false)
export const listTemplates: Method = (exchange, server) => listed(exchange, server, true)

function listed(exchange: Exchange, server: Server, templates: boolean): object {
  const of = server.resources.all().filter((item) => (item.template !== undefined) === templates)
  const { items, nextCursor } = page(of, (item) => server.resources.keyOf(item), exchange.params, server.pageSize)
  const list = { [templates ? 'resourceTemplates' : 'resources']: items.map(listing) }
  return cacheable(exchange, server, { ...list, ...(nextCursor !== undefined && { nextCursor }) }, listHints(server))
}

function listing(item: Resource): JsonObject {
  const { uri, template, name, title, description, mimeType, size, annotations } = item
  const shown = { name, title, description, mimeType, size, annotations: annotations as JsonObject | undefined }
  return template === undefined ? { uri, ...shown } : { uriTemplate: template.text, ...shown }
}

/** The resource at a URI and, for a template, what its variables stand for. */
function find(server: Server, uri: string): { item: Resource; variables: Record<string, string> } | undefined {
  const exact = server.resources.get(uri)
  if (exact !== undefined && exact.template === undefined) return { item: exact, variables: {} }
  for (const item of server.resources.all()) {
    const variables = item.template?.match(uri)
    if (variables !== undefined) return { item, variables }
  }
  return undefined
}

function uriOf(exchange: Exchange): string {
  const uri = exchange.params?.uri
  if (typeof uri !== 'string') throw invalidParams('uri must be a string')
  return uri
}

export const readResource: Method = async (exchange, server) => {
  const uri = uriOf(exchange)
  if (exchange.modern) exchange.checkState()
  const found = find(server, uri)
  if (found === undefined) throw resourceNotFound(uri, exchange.modern)
  const { item, variables } = found
  try {
    const body = await item.read(uri, variables, exchange.open())
    if (body === undefined) throw resourceNotFound(uri, exchange.modern)
    const contents = toContents(body, uri, item.mimeType)
    return cacheable(
      exchange,
      server,
      { contents },
      { ttlMs: item.ttlMs ?? 0, cacheScope: item.cacheScope ?? 'private' },
    )
  } catch (thrown) {
    if (thrown instanceof InputRequired) return exchange.inputRequired(thrown)
    throw thrown
  }
}

function toContents(body: ResourceBody, uri: string, mimeType: string | undefined): ResourceContents[] {
  const type = mimeType !== undefined && { mimeType }
  if (typeof body === 'string') return [{ uri, ...type, text: body }]
  if (body instanceof Uint8Array) return [{ uri, ...type, blob: Buffer.from(body).toString('base64') }]
  return Array.isArray(body) ? body : [body]
}

export const subscribe: Method = (exchange, server) => {
  const uri = uriOf(exchange)
  if (find(server, uri) === undefined) throw resourceNotFound(uri, false)
  exchange.session.subscribed.add(uri)
  return {}
}

export const unsubscribe: Method = (exchange) => {
  exchange.session.subscribed.delete(uriOf(exchange))
  return {}
}
