/**
 * Which server a URI belongs to. A space is a scheme with an authority, such as `file://` or `https://example.org`. A server has a space
 * to itself if no other server lists a URI in it. In a shared space every URI needs its server's prefix, so no server can claim the URI
 * of another by listing it.
 */
import { canonicalTemplate, isMachineScheme, schemeOf, uriParts } from '../../tool/canonical-uri.ts'
import { prefixIn } from './uri-prefix.ts'

const ANY = '{'

interface Space {
  readonly scheme: string
  /** ANY: the server may use every authority */
  readonly authority: string
}

/** The space of a listed URI or template. Undefined if a template does not even fix the scheme. */
function listedSpace(text: string): Space | undefined {
  if (!text.includes('{')) return spaceOf(text)
  const literal = canonicalTemplate(text).split('{', 1)[0] as string
  const scheme = schemeOf(literal)
  if (scheme === undefined) return undefined
  // Unless the literal text ends the authority, an expression may add to it or begin one.
  const isFixed = /^(?:\/\/[^/?#]*[/?#]|\/[^/]|[^/])/.test(literal.slice(scheme.length))
  return isFixed ? spaceOf(literal) : { scheme, authority: ANY }
}

function spaceOf(uri: string): Space | undefined {
  const { scheme, authority = '' } = uriParts(uri) ?? {}
  return scheme === undefined ? undefined : { scheme, authority: hostOf(authority.toLowerCase()) }
}

/** The host of an authority with its port: other spellings of the same place are the same space. */
function hostOf(authority: string): string {
  const [, host = '', written = ''] = /^(?:.*@)?(.*?)\.?(?::(\d*))?$/.exec(authority) ?? []
  const port = written.replace(/^0+/, '')
  return port === '' ? host : `${host}:${port}`
}

/** The servers that a URI may belong to. If they are several, it needs a prefix. */
export interface UriOwners<Owner> {
  readonly owners: ReadonlySet<Owner>
  /** the prefix of the URI; empty if it has none */
  readonly prefix: string
}

export class UriSpaces<Owner> {
  /** by scheme and authority */
  readonly #owners = new Map<string, Map<string, Set<Owner>>>()
  readonly #prefixes = new Map<string, Owner>()

  /** `text` is a listed URI or template. */
  add(text: string, owner: Owner): void {
    const space = listedSpace(text)
    if (space === undefined) return
    const authorities = this.#owners.get(space.scheme) ?? new Map<string, Set<Owner>>()
    this.#owners.set(space.scheme, authorities)
    authorities.set(space.authority, (authorities.get(space.authority) ?? new Set()).add(owner))
  }

  /** URIs with this prefix are the server's, whatever anybody lists. */
  addPrefix(prefix: string, owner: Owner): void {
    this.#prefixes.set(prefix, owner)
  }

  /** Whether a listed URI or template may be served without a prefix. */
  isExclusive(text: string, owner: Owner): boolean {
    const space = listedSpace(text)
    if (space === undefined || this.#prefixed(text) !== undefined) return false
    return [...this.#sharers(space)].every((one) => one === owner)
  }

  /** By the prefix of a URI, or by its space. */
  ownersOf(uri: string): UriOwners<Owner> {
    const prefixed = this.#prefixed(uri)
    if (prefixed !== undefined) return prefixed
    const space = spaceOf(uri)
    return { owners: space === undefined ? new Set() : this.#sharers(space), prefix: '' }
  }

  /** The servers with URIs of this scheme, whatever the authority. Where that is a machine, the scheme says nothing about the server. */
  sharersOfScheme(uri: string): ReadonlySet<Owner> {
    const scheme = schemeOf(uri)
    if (scheme === undefined || isMachineScheme(scheme)) return new Set()
    return this.#sharers({ scheme, authority: ANY })
  }

  #prefixed(uri: string): UriOwners<Owner> | undefined {
    const prefix = prefixIn(uri)
    const owner = this.#prefixes.get(prefix)
    return owner === undefined ? undefined : { owners: new Set([owner]), prefix }
  }

  #sharers({ scheme, authority }: Space): Set<Owner> {
    const authorities = this.#owners.get(scheme) ?? new Map<string, Set<Owner>>()
    if (authority === ANY) return new Set([...authorities.values()].flatMap((owners) => [...owners]))
    return new Set([...(authorities.get(authority) ?? []), ...(authorities.get(ANY) ?? [])])
  }
}
