/** Resources: list, templates, read and, in the legacy era, subscribe. */
import type { ResourceContents } from '../../protocol/content.ts'
import { invalidParams, resourceNotFound } from '../../protocol/errors.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import type { Resource, ResourceBody } from '../../tool/resource.ts'
import type { Exchange } from '../exchange.ts'
import { page } from '../results/page.ts'
import { listEnvelope, withEnvelope, withForeignResult } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
import { resourceListing, resourcePage } from './listed-resources.ts'
import type { Method } from './method-table.ts'

export const listResources: Method = (exchange, server) => {
  const resources = server.resources.all()
  const fixed = resources.filter(({ template }) => template === undefined)
  const listers = resources.filter(({ list }) => list !== undefined)
  if (listers.length === 0) return paged(exchange, server, fixed, 'resources')
  const asked = { fixed, listers, cursor: exchange.params?.cursor, size: server.pageSize }
  return resourcePage(asked, exchange.openScope()).then(({ items, nextCursor }) =>
    // The resources behind a template change without notice, so the list is not cached.
    listEnvelope(exchange, { resources: items }, nextCursor, { ttlMs: 0, cacheScope: 'private' }),
  )
}

export const listTemplates: Method = (exchange, server) => {
  const templates = server.resources.all().filter(({ template }) => template !== undefined)
  return paged(exchange, server, templates, 'resourceTemplates')
}

function paged(exchange: Exchange, server: Server, of: readonly Resource[], name: string): object {
  const { items, nextCursor } = page(of, (item) => server.resources.keyOf(item), exchange.params, server.pageSize)
  return listEnvelope(exchange, { [name]: items.map(resourceListing) }, nextCursor)
}

function uriOf(exchange: Exchange): string {
  const uri = exchange.params?.uri
  if (typeof uri !== 'string') throw invalidParams('uri must be a string')
  return uri
}

export const readResource: Method = (exchange, server) =>
  exchange.inRounds(async () => {
    const uri = uriOf(exchange)
    const found = server.findResource(uri)
    const body = await found?.item.read(uri, found.variables, exchange.openScope())
    if (found === undefined || body === undefined) throw resourceNotFound(uri, exchange.modern)
    const { ttlMs = 0, cacheScope = 'private', mimeType } = found.item
    if (body instanceof ForwardedResult) return withForeignResult(exchange, body, { ttlMs, cacheScope })
    return withEnvelope(exchange, { contents: toContents(body, uri, mimeType) }, { ttlMs, cacheScope })
  })

function toContents(
  body: Exclude<ResourceBody, ForwardedResult>,
  uri: string,
  mimeType: string | undefined,
): ResourceContents[] {
  const type = mimeType !== undefined && { mimeType }
  if (typeof body === 'string') return [{ uri, ...type, text: body }]
  if (body instanceof Uint8Array) return [{ uri, ...type, blob: Buffer.from(body).toString('base64') }]
  return Array.isArray(body) ? body : [body]
}

export const subscribe: Method = (exchange, server) => {
  const uri = uriOf(exchange)
  if (server.findResource(uri) === undefined) throw resourceNotFound(uri, false)
  const started = server.watch.start([uri])
  exchange.session.subscribed.add(uri)
  return started?.then(() => ({})) ?? {}
}

export const unsubscribe: Method = (exchange) => {
  exchange.session.subscribed.delete(uriOf(exchange))
  return {}
}
