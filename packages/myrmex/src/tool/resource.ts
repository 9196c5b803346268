/** `resource({…})`: data to be read, at one URI or at every URI of a template. */
import type { Annotations, ResourceContents } from '../protocol/content.ts'
import { ToolError } from '../protocol/errors.ts'
import type { RequestContext } from './context.ts'
import type { ForwardedResult } from './forwarded-result.ts'
import { compileTemplate, type UriTemplate } from './uri-template.ts'

/** Text, bytes, contents spelled out, or the whole result of another server. */
export type ResourceBody = string | Uint8Array | ResourceContents | ResourceContents[] | ForwardedResult

/** Values that complete a partly typed argument. `others` are the arguments already filled in. */
export type Completer = (
  typed: string,
  others: Record<string, string>,
) => string[] | Completion | Promise<string[] | Completion>

/** A part of the values, if there are more. */
export interface Completion {
  values: string[]
  total?: number
  hasMore?: boolean
}

/** One of the resources behind a template, as `resources/list` shows it. */
export interface ListedResource {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
}

/** Those after a URI that was listed before, or from the first; at most `limit`, in an order that stays. */
export type Lister = (
  after: string | undefined,
  limit: number,
  ctx: RequestContext,
) => readonly ListedResource[] | Promise<readonly ListedResource[]>

type Version = string | number | undefined

export interface ResourceDefinition {
  /** exactly one of uri and uriTemplate */
  uri?: string
  /** RFC 6570, simple expansion: `shop://orders/{id}`; `{+path}` may hold slashes */
  uriTemplate?: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
  annotations?: Annotations
  /** milliseconds for which a reader may cache the contents; default 0 */
  ttlMs?: number
  /** public: the same for every reader. Default: private. */
  cacheScope?: 'public' | 'private'
  complete?: Record<string, Completer>
  /**
   * A value that changes whenever the resource changes; undefined if there is none. It is called several times a second while a
   * client is subscribed, and subscribers are notified of a change. Without it the program reports changes
   * (`server.resourceUpdated`).
   */
  version?: (uri: string, variables: Record<string, string>) => Version | Promise<Version>
  /**
   * For a resource that reports its changes itself. Called when the first client subscribes to a URI; the returned function is
   * called when the last one has gone.
   */
  subscribe?: (uri: string, changed: () => void) => Promise<() => void>
  /** for a template: its resources, page by page; without it none of them is listed */
  list?: Lister
  read: (
    uri: string,
    variables: Record<string, string>,
    ctx: RequestContext,
  ) => ResourceBody | undefined | Promise<ResourceBody | undefined>
}

export interface Resource extends Readonly<Omit<ResourceDefinition, 'uriTemplate'>> {
  readonly kind: 'resource'
  readonly template: UriTemplate | undefined
}

export function resource(definition: ResourceDefinition): Resource {
  const { uri, uriTemplate, name } = definition
  const refused = (why: string): ToolError =>
    ToolError.of('RegistrationError', `resource ${JSON.stringify(name)}: ${why}`)
  if ((uri === undefined) === (uriTemplate === undefined)) throw refused('give either uri or uriTemplate')
  if (uri !== undefined && !URL.canParse(uri)) throw refused(`${JSON.stringify(uri)} is not a URI`)
  if (uri !== undefined && definition.list !== undefined) throw refused('list is only for a uriTemplate')
  const { uriTemplate: _, ...rest } = definition
  return Object.freeze({
    ...rest,
    kind: 'resource' as const,
    template: uriTemplate === undefined ? undefined : compileTemplate(uriTemplate),
  })
}
