/** A resource of an upstream, or a template of it, as one of this server's: read, subscribed to and completed there. */
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { PassedOn } from '../../tool/passed-on.ts'
import type { Completer, Resource } from '../../tool/resource.ts'
import { completer } from './complete.ts'
import type { Passage } from './passage.ts'
import { scopeOf } from './scope-of.ts'
import type { Subscribed } from './subscribed.ts'
import { foreignTemplate } from './template.ts'

export interface Source {
  readonly passage: Passage
  readonly subscribed: Subscribed
}

/** `prefix` stands before every URI of it here, where another server has the same; empty where none does. */
export function proxiedResource(source: Source, prefix: string, listed: JsonObject): Resource {
  const theirs = String(listed.uri)
  return { ...base(source, prefix, listed), uri: prefix + theirs, template: undefined }
}

export function proxiedTemplate(source: Source, prefix: string, listed: JsonObject): Resource {
  const theirs = String(listed.uriTemplate)
  const template = foreignTemplate(prefix + theirs)
  const complete: Record<string, Completer> = {}
  for (const name of template.variables) {
    const completes = completer(source.passage.upstream, { type: 'ref/resource', uri: theirs }, name)
    if (completes !== undefined) complete[name] = completes
  }
  return { ...base(source, prefix, listed), template, complete }
}

/** At a URI that nobody listed. */
export const unlistedResource = (source: Source, prefix: string, uri: string): Resource => ({
  ...base(source, prefix, { name: uri }),
  uri,
  template: undefined,
})

function base({ passage, subscribed }: Source, prefix: string, listed: JsonObject): Omit<Resource, 'template'> {
  const { resources } = passage.upstream.listing?.capabilities ?? {}
  const canSubscribe = isObject(resources) && resources.subscribe === true
  return {
    kind: 'resource',
    name: String(listed.name),
    listing: listed,
    async read(uri, _variables, ctx) {
      const params = { uri: uri.slice(prefix.length) }
      const result = await passage.send({ method: 'resources/read', params }, scopeOf(ctx))
      return new PassedOn(prefix === '' ? result : prefixed(result, prefix))
    },
    ...(canSubscribe && {
      subscribe: (uri: string, changed: () => void) => subscribed.add(uri.slice(prefix.length), changed),
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
