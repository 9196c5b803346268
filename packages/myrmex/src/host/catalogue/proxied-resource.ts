/** A resource or template of an upstream, registered on the host's server. The upstream reads, completes and watches it. */
import { RequestScope } from '../../pipeline/request-scope.ts'
import { resourceNotFound } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import type { RequestContext } from '../../tool/context.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import { requestHosts } from '../../tool/passed-hosts.ts'
import type { Completer, Resource } from '../../tool/resource.ts'
import { withUpstreamListing } from '../../tool/upstream-listing.ts'
import { foreignTemplate } from '../../tool/uri-template.ts'
import { isModern } from '../forward/forwarded-meta.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import { proxiedCompleter } from './proxied-completion.ts'
import { withoutPrefix, withPrefix } from './uri-prefix.ts'

/** `prefix` comes before every URI if another server has the same one; otherwise it is empty. */
export function proxiedResource(forwarder: Forwarder, prefix: string, listed: JsonObject): Resource {
  const original = String(listed.uri)
  const resource: Resource = {
    ...base(forwarder, prefix, listed),
    uri: withPrefix(prefix, original),
    template: undefined,
  }
  return withUpstreamListing(resource, listed)
}

export function proxiedTemplate(forwarder: Forwarder, prefix: string, listed: JsonObject): Resource {
  const original = String(listed.uriTemplate)
  const template = foreignTemplate(withPrefix(prefix, original))
  const complete: Record<string, Completer> = Object.create(null)
  for (const name of template.variables) {
    const completes = proxiedCompleter(forwarder, { type: 'ref/resource', uri: original }, name)
    if (completes !== undefined) complete[name] = completes
  }
  return withUpstreamListing({ ...base(forwarder, prefix, listed), template, complete }, listed)
}

/** A resource at a URI that is not listed. Two hosts that serve each other would ask each other for it for ever. */
export const unlistedResource = (forwarder: Forwarder, prefix: string, uri: string, hostId = ''): Resource => ({
  ...base(forwarder, prefix, { name: uri }, (ctx) => {
    if (hostId === '' || !(ctx instanceof RequestScope)) return undefined
    const hosts = requestHosts(ctx.meta, hostId)
    if (hosts === undefined) throw resourceNotFound(uri, isModern(ctx))
    return { [META.hosts]: [...hosts, hostId] }
  }),
  uri,
  template: undefined,
})

function base(
  forwarder: Forwarder,
  prefix: string,
  listed: JsonObject,
  metaFor?: (ctx: RequestContext) => JsonObject | undefined,
): Omit<Resource, 'template'> {
  const { resources } = forwarder.upstream.listing?.capabilities ?? {}
  const { subscribeFor } = forwarder
  const canSubscribe = isObject(resources) && resources.subscribe === true
  return {
    kind: 'resource',
    name: String(listed.name),
    async read(uri, _variables, ctx) {
      const _meta = metaFor?.(ctx)
      const params = { uri: withoutPrefix(prefix, uri), ...(_meta !== undefined && { _meta }) }
      const result = await forwarder.send({ method: 'resources/read', params }, ctx)
      return new ForwardedResult(prefix === '' ? result : prefixed(result, prefix))
    },
    ...(canSubscribe && {
      subscribe: (uri: string, changed: () => void) =>
        forwarder.upstream.subscribe(withoutPrefix(prefix, uri), changed),
      ...(subscribeFor !== undefined && {
        subscribeFor: (uri: string, changed: () => void, ctx: RequestContext) =>
          subscribeFor(withoutPrefix(prefix, uri), changed, ctx),
      }),
    }),
  }
}

/** The contents must have the URI that the client asked for. */
function prefixed(result: JsonObject, prefix: string): JsonObject {
  if (!Array.isArray(result.contents)) return result
  const contents = result.contents.map((one) =>
    isObject(one) && typeof one.uri === 'string' ? { ...one, uri: withPrefix(prefix, one.uri) } : one,
  )
  return { ...result, contents: contents as JsonObject[] }
}
