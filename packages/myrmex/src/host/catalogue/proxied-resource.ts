/** A resource or template of an upstream, registered on the host's server. The upstream reads, completes and watches it. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import type { Completer, Resource } from '../../tool/resource.ts'
import { withUpstreamListing } from '../../tool/upstream-listing.ts'
import { foreignTemplate } from '../../tool/uri-template.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import { proxiedCompleter } from './proxied-completion.ts'
import type { ResourceSubscribers } from './resource-subscribers.ts'

export interface ResourceSource {
  readonly forwarder: Forwarder
  readonly subscribers: ResourceSubscribers
}

/** `prefix` comes before every URI if another server has the same one; otherwise it is empty. */
export function proxiedResource(source: ResourceSource, prefix: string, listed: JsonObject): Resource {
  const original = String(listed.uri)
  const resource: Resource = { ...base(source, prefix, listed), uri: prefix + original, template: undefined }
  return withUpstreamListing(resource, listed)
}

export function proxiedTemplate(source: ResourceSource, prefix: string, listed: JsonObject): Resource {
  const original = String(listed.uriTemplate)
  const template = foreignTemplate(prefix + original)
  const complete: Record<string, Completer> = {}
  for (const name of template.variables) {
    const completes = proxiedCompleter(source.forwarder.upstream, { type: 'ref/resource', uri: original }, name)
    if (completes !== undefined) complete[name] = completes
  }
  return withUpstreamListing({ ...base(source, prefix, listed), template, complete }, listed)
}

/** A resource at a URI that is not listed. */
export const unlistedResource = (source: ResourceSource, prefix: string, uri: string): Resource => ({
  ...base(source, prefix, { name: uri }),
  uri,
  template: undefined,
})

function base(
  { forwarder, subscribers }: ResourceSource,
  prefix: string,
  listed: JsonObject,
): Omit<Resource, 'template'> {
  const { resources } = forwarder.upstream.listing?.capabilities ?? {}
  const canSubscribe = isObject(resources) && resources.subscribe === true
  return {
    kind: 'resource',
    name: String(listed.name),
    async read(uri, _variables, ctx) {
      const params = { uri: uri.slice(prefix.length) }
      const result = await forwarder.send({ method: 'resources/read', params }, ctx)
      return new ForwardedResult(prefix === '' ? result : prefixed(result, prefix))
    },
    ...(canSubscribe && {
      subscribe: (uri: string, changed: () => void) => subscribers.add(uri.slice(prefix.length), changed),
    }),
  }
}

/** The contents must have the URI that the client asked for. */
function prefixed(result: JsonObject, prefix: string): JsonObject {
  if (!Array.isArray(result.contents)) return result
  const contents = result.contents.map((one) =>
    isObject(one) && typeof one.uri === 'string' ? { ...one, uri: prefix + one.uri } : one,
  )
  return { ...result, contents: contents as JsonObject[] }
}
