/** A resource of an upstream, or a template of it, as one of this server's: read, subscribed to and completed there. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { ForwardedResult } from '../../tool/forwarded-result.ts'
import type { Completer, Resource } from '../../tool/resource.ts'
import type { Forwarder } from '../forward/forwarder.ts'
import { requestScopeOf } from '../forward/request-scope.ts'
import { foreignTemplate } from './foreign-template.ts'
import { proxiedCompleter } from './proxied-completion.ts'
import type { ResourceSubscribers } from './resource-subscribers.ts'

export interface ResourceSource {
  readonly forwarder: Forwarder
  readonly subscribers: ResourceSubscribers
}

/** `prefix` stands before every URI of it here, where another server has the same; empty where none does. */
export function proxiedResource(source: ResourceSource, prefix: string, listed: JsonObject): Resource {
  const theirs = String(listed.uri)
  return { ...base(source, prefix, listed), uri: prefix + theirs, template: undefined }
}

export function proxiedTemplate(source: ResourceSource, prefix: string, listed: JsonObject): Resource {
  const theirs = String(listed.uriTemplate)
  const template = foreignTemplate(prefix + theirs)
  const complete: Record<string, Completer> = {}
  for (const name of template.variables) {
    const completes = proxiedCompleter(source.forwarder.upstream, { type: 'ref/resource', uri: theirs }, name)
    if (completes !== undefined) complete[name] = completes
  }
  return { ...base(source, prefix, listed), template, complete }
}

/** At a URI that nobody listed. */
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
    listing: listed,
    async read(uri, _variables, ctx) {
      const params = { uri: uri.slice(prefix.length) }
      const result = await forwarder.send({ method: 'resources/read', params }, requestScopeOf(ctx))
      return new ForwardedResult(prefix === '' ? result : prefixed(result, prefix))
    },
    ...(canSubscribe && {
      subscribe: (uri: string, changed: () => void) => subscribers.add(uri.slice(prefix.length), changed),
    }),
  }
}

/** What is read must have the URI under which it was asked for. */
function prefixed(result: JsonObject, prefix: string): JsonObject {
  if (!Array.isArray(result.contents)) return result
  const contents = result.contents.map((one) =>
    isObject(one) && typeof one.uri === 'string' ? { ...one, uri: prefix + one.uri } : one,
  )
  return { ...result, contents: contents as JsonObject[] }
}
