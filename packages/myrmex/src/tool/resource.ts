/** `resource({…})`: data to be read, at one URI or at every URI of a template. */
import type { Annotations, ResourceContents } from '../protocol/content.ts'
import { ToolError } from '../protocol/errors.ts'
import type { RequestContext } from './context.ts'
import { compileTemplate, type UriTemplate } from './uri-template.ts'

/** Text, bytes, or contents spelled out. */
export type ResourceBody = string | Uint8Array | ResourceContents | ResourceContents[]

/** Values that complete a partly typed argument. `others` are the arguments already filled in. */
export type Completer = (typed: string, others: Record<string, string>) => string[] | Promise<string[]>

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
  /** milliseconds a reader may keep what it read; 0 unless told */
  ttlMs?: number
  /** public: the same for every reader. private unless told. */
  cacheScope?: 'public' | 'private'
  complete?: Record<string, Completer>
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
  if ((uri === undefined) === (uriTemplate === undefined)) {
    throw new ToolError('RegistrationError', `resource ${JSON.stringify(name)}: give either uri or uriTemplate`)
  }
  if (uri !== undefined && !URL.canParse(uri)) {
    throw new ToolError('RegistrationError', `resource ${JSON.stringify(name)}: ${JSON.stringify(uri)} is not a URI`)
  }
  const { uriTemplate: _, ...rest } = definition
  return Object.freeze({
    ...rest,
    kind: 'resource' as const,
    template: uriTemplate === undefined ? undefined : compileTemplate(uriTemplate),
  })
}
