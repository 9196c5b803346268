/**
 * What a URI that is not listed could mean. A server may decode a URI twice, ignore case or a query, or follow links, so a request for
 * such a URI could reach a listed resource. Rules, decisions and quarantines that name a listed resource therefore hold for it too.
 */
import { schemeOf, uriKey } from './canonical-uri.ts'
import type { Tool } from './tool.ts'

export interface PossibleResources {
  /** the server or module */
  readonly owner: string
  /** Whether the resource that is listed with this URI, or this template, could be meant. */
  readonly mayMean: (uri: string) => boolean
  /** definitions of the resources that the server lists now */
  readonly listed: readonly Tool[]
}

const known = new WeakMap<Tool, PossibleResources>()

/** For the definitions of templates and of resources that are not listed. */
export function withPossibleResources(definition: Tool, possible: PossibleResources): Tool {
  known.set(definition, possible)
  return definition
}

export const possibleResources = (definition: Tool): PossibleResources | undefined => known.get(definition)

/** Whether a request for this definition could reach a resource that a rule or decision names. */
export function couldMean(definition: Tool, name: string): boolean {
  const possible = known.get(definition)
  if (possible === undefined || name === definition.name) return false
  const { owner, mayMean } = possible
  const prefix = `resource:${owner}:`
  return name.startsWith(prefix) && name !== `${prefix}*` && mayMean(name.slice(prefix.length))
}

/** For a foreign template: its server may take any URI of the same scheme for another one. */
export function hasSchemeOf(template: string): PossibleResources['mayMean'] {
  const scheme = schemeOf(template.split('{', 1)[0] ?? '')
  return (uri) => scheme === undefined || (schemeOf(uri) ?? scheme) === scheme
}

/** Whether two names are of the same resource, with its URI spelled differently. */
export function isSameResource(name: string, other: string): boolean {
  if (!name.startsWith('resource:')) return false
  const at = name.indexOf(':', 'resource:'.length) + 1
  return at > 0 && other.startsWith(name.slice(0, at)) && uriKey(name.slice(at)) === uriKey(other.slice(at))
}
