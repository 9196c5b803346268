/** Resources: list, templates, read and, in the legacy era, subscribe. */

import type { RequestWork } from '../../pipeline/request-call.ts'
import type { ResourceContents } from '../../protocol/content.ts'
import { invalidParams, resourceNotFound } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { MAX_SUBSCRIPTIONS, MAX_URI_LENGTH } from '../../protocol/message-limits.ts'
import { ResourceRequestSchema, readParams } from '../../protocol/messages.ts'
import { answer } from '../../tool/answer.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import type { ListedResource, Resource, ResourceBody } from '../../tool/resource.ts'
import type { Exchange } from '../exchange.ts'
import type { FoundResource } from '../resource-index.ts'
import { page } from '../results/page.ts'
import { listEnvelope, withEnvelope, withForeignResult } from '../results/result-envelope.ts'
import type { Server } from '../server.ts'
import { existsFor, refreshTrust, visibleItems } from '../visible-items.ts'
import { gated, recordedParams, refuseUnknown } from './gated-request.ts'
import { resourceListing, resourcePage } from './listed-resources.ts'
import type { Method } from './method-table.ts'

export const listResources: Method = async (exchange, server) => {
  await refreshTrust(server)
  const resources = visibleItems(server, exchange.principal, server.resources.all())
  const fixed = resources.filter(({ template }) => template === undefined)
  const listers = resources.filter(({ list }) => list !== undefined)
  if (listers.length === 0) return paged(exchange, server, fixed, 'resources')
  const { items, nextCursor } = await resourcePage({
    fixed,
    listers,
    cursor: exchange.params?.cursor,
    size: server.pageSize,
    listing: (item) => resourceListing(server, item),
    list: (lister, after, limit) => listBehind(exchange, server, lister, after, limit),
  })
  // The resources behind a template change without notice, so the list is not cached.
  const hints = { ttlMs: 0, cacheScope: 'private' } as const
  return listEnvelope(exchange, { resources: items }, nextCursor, hints, keyed(fixed))
}

/** The resources of a template are listed by its author's code. */
async function listBehind(
  exchange: Exchange,
  server: Server,
  lister: Resource,
  after: string | undefined,
  limit: number,
): Promise<readonly ListedResource[]> {
  const definition = server.definitionOf(lister)
  const params: JsonObject = { template: lister.template?.text ?? '', ...(after !== undefined && { after }) }
  const listed = await gated(
    exchange,
    server,
    { definition, params, work: async (call) => ({ resources: (await lister.list?.(after, limit, call)) ?? [] }) },
    ({ data }) => data ?? {},
  )
  return (listed as { resources: ListedResource[] }).resources
}

export const listTemplates: Method = async (exchange, server) => {
  await refreshTrust(server)
  const templates = server.resources.all().filter(({ template }) => template !== undefined)
  return paged(exchange, server, visibleItems(server, exchange.principal, templates), 'resourceTemplates')
}

function paged(exchange: Exchange, server: Server, of: readonly Resource[], name: string): object {
  const { items, nextCursor } = page(of, (item) => server.resources.keyOf(item), exchange.params, server.pageSize)
  const listed = items.map((item) => resourceListing(server, item))
  return listEnvelope(exchange, { [name]: listed }, nextCursor, {}, keyed(items))
}

const keyed = (items: readonly Resource[]) =>
  items.map((item) => [item.uri ?? item.template?.text ?? '', item] as const)

const uriOf = ({ params = {} }: Exchange): string => readParams(ResourceRequestSchema.shape.params, params).uri

/** Records and rejects a request for an unknown resource. */
async function findResource(exchange: Exchange, server: Server, uri: string): Promise<FoundResource> {
  const found = server.findResource(uri, exchange.principal)
  if (found !== undefined && existsFor(server, exchange.principal, found.item)) return found
  const why = server.view.explainMissingResource?.(uri, exchange.principal)
  return refuseUnknown(exchange, server, `resource:${uri}`, resourceNotFound(uri, exchange.modern, why))
}

export const readResource: Method = async (exchange, server) => {
  const { item, variables, uri } = await findResource(exchange, server, uriOf(exchange))
  const { ttlMs = 0, cacheScope = 'private', mimeType } = item
  const hints = { ttlMs, cacheScope }
  return gated(
    exchange,
    server,
    {
      definition: server.gateDefinition(item),
      params: { ...recordedParams(exchange), uri },
      work: async (call) => {
        const body = await item.read(uri, variables, call)
        if (body === undefined) throw resourceNotFound(uri, exchange.modern)
        if (body instanceof ForwardedResult) return answer(body.result, { forwarded: body.result })
        return { contents: toContents(body, uri, mimeType) }
      },
    },
    ({ data, forwarded }) =>
      forwarded === null
        ? withEnvelope(exchange, data ?? {}, hints)
        : withForeignResult(exchange, new ForwardedResult(forwarded), hints),
  )
}

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

/**
 * Starts to watch a resource on behalf of this caller. The URI is in `watched` before the first change can be reported, and is taken out
 * again if watching fails.
 */
export async function watchResource(
  exchange: Exchange,
  server: Server,
  asked: string,
  watched: Set<string>,
): Promise<void> {
  if (asked.length > MAX_URI_LENGTH) throw invalidParams(`A URI has more than ${MAX_URI_LENGTH} characters`)
  const { item, uri } = await findResource(exchange, server, asked)
  const work: RequestWork = async (ctx) => {
    const isNew = !watched.has(uri)
    if (isNew && watched.size >= MAX_SUBSCRIPTIONS)
      throw invalidParams(`There are ${MAX_SUBSCRIPTIONS} subscriptions already, which is the limit.`)
    watched.add(uri)
    try {
      if (item.subscribeFor === undefined) await server.watch.start([uri])
      else await server.callerWatches.start({ watched, uri, subscribe: item.subscribeFor, ctx })
      return {}
    } catch (thrown) {
      if (isNew) watched.delete(uri)
      throw thrown
    }
  }
  await gated(exchange, server, { definition: server.gateDefinition(item), params: { uri }, work }, () => ({}))
}

export const subscribe: Method = async (exchange, server) => {
  await watchResource(exchange, server, uriOf(exchange), exchange.session.subscribed)
  return {}
}

export const unsubscribe: Method = (exchange, server) => {
  const uri = uriOf(exchange)
  for (const one of [uri, server.watchedUri(uri), server.findResource(uri, exchange.principal)?.uri])
    if (one !== undefined) exchange.session.subscribed.delete(one)
  return {}
}
