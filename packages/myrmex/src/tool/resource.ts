/** `resource({…})`: data to be read, at one URI or at every URI of a template. */
import type { Annotations, ResourceContents } from '../protocol/content.ts'
import { isObject } from '../protocol/json.ts'
import type { RequestContext } from './context.ts'
import { DefinitionFaults, shown } from './definition-faults.ts'
import type { ForwardedResult } from './forwarded-result.ts'
import { checkListingExtras, type ListingExtras } from './listing-extras.ts'
import { compileTemplate, type UriTemplate } from './uri-template.ts'

/** Text, bytes, contents spelled out, or the whole result of another server. */
export type ResourceBody = string | Uint8Array | ResourceContents | ResourceContents[] | ForwardedResult

/** Values that complete a partly typed argument, or the whole result of another server. `others` are the arguments already filled in. */
export type Completer = (
  typed: string,
  others: Record<string, string>,
  ctx: RequestContext,
) => CompletionBody | Promise<CompletionBody>

export type CompletionBody = string[] | Completion | ForwardedResult

/** A part of the values, if there are more. */
export interface Completion {
  values: string[]
  total?: number
  hasMore?: boolean
}

/** One of the resources behind a template, as `resources/list` shows it. */
export interface ListedResource extends ListingExtras {
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

export interface ResourceDefinition extends ListingExtras {
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
  /** Instead of `subscribe`: each caller has a subscription of its own, and alone learns of its changes. */
  readonly subscribeFor?: ((uri: string, changed: () => void, ctx: RequestContext) => Promise<() => void>) | undefined
  readonly template: UriTemplate | undefined
}

const FIELDS: readonly (keyof ResourceDefinition)[] = [
  'uri',
  'uriTemplate',
  'name',
  'title',
  'description',
  'mimeType',
  'size',
  'annotations',
  'icons',
  'meta',
  'ttlMs',
  'cacheScope',
  'complete',
  'version',
  'subscribe',
  'list',
  'read',
]

/** Throws a RegistrationError that names everything that is wrong. */
export function resource(definition: ResourceDefinition): Resource {
  const faults = new DefinitionFaults('resource', definition)
  faults.onlyFields(FIELDS)
  faults.text('name', 'required')
  for (const field of ['title', 'description', 'mimeType']) faults.text(field, 'optional')
  for (const field of ['version', 'subscribe', 'list']) faults.callback(field, 'optional')
  faults.callback('read', 'required')
  for (const field of ['size', 'ttlMs']) faults.number(field, 0, Number.MAX_SAFE_INTEGER, UNITS[field] as string)
  faults.choice('cacheScope', ['public', 'private'])
  const template = checkAddress(definition, faults)
  checkComplete(definition.complete, faults)
  checkListingExtras(definition, faults)
  faults.throwAny()
  const { uriTemplate: _, ...rest } = definition
  return Object.freeze({ ...rest, kind: 'resource' as const, template })
}

const UNITS: Readonly<Record<string, string>> = { size: 'bytes', ttlMs: 'milliseconds' }

function checkAddress(
  { uri, uriTemplate, list }: ResourceDefinition,
  faults: DefinitionFaults,
): UriTemplate | undefined {
  if ((uri === undefined) === (uriTemplate === undefined)) faults.add('give either uri or uriTemplate')
  if (uri !== undefined && (typeof uri !== 'string' || !URL.canParse(uri))) faults.add(`${shown(uri)} is not a URI`)
  if (uri !== undefined && list !== undefined) faults.add('list is only for a uriTemplate')
  if (uriTemplate === undefined) return undefined
  if (typeof uriTemplate === 'string') return faults.attempt(() => compileTemplate(uriTemplate))
  faults.add(`uriTemplate must be a text, not ${shown(uriTemplate)}`)
  return undefined
}

function checkComplete(complete: unknown, faults: DefinitionFaults): void {
  if (complete === undefined) return
  if (!isObject(complete)) faults.add(`complete must be an object with a function for each variable`)
  else
    for (const [name, completes] of Object.entries(complete))
      if (typeof completes !== 'function') faults.add(`complete.${name} must be a function`)
}

/** Of a template with this text. A resource may have the same text as its URI, and both are served. */
export const templateKey = (text: string): string => `template ${text}`

/** What identifies a resource or a template on a server. */
export const resourceKey = ({ uri, template }: Pick<Resource, 'uri' | 'template'>): string =>
  uri ?? templateKey(template?.text ?? '')
