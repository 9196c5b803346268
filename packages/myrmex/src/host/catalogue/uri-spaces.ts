/**
 * Which server a URI belongs to. A space is a scheme with an authority, such as `file://` or `https://example.org`. A server has a space
 * to itself if no other server lists a URI in it. In a shared space every URI needs its server's prefix, so no server can claim the URI
 * of another by listing it.
 */

const SPACE = /^([a-z][a-z0-9+.-]*:)(?:\/\/([^/?#]*))?/i
const ANY = '{'

interface Space {
  readonly scheme: string
  /** ANY: the server may use every authority */
  readonly authority: string
}

/** Undefined if a template does not even fix the scheme. */
function spaceOf(uri: string): Space | undefined {
  const [, scheme, authority = ''] = SPACE.exec(uri) ?? []
  if (scheme === undefined) return undefined
  const kind = scheme.toLowerCase()
  return { scheme: kind, authority: authority.includes('{') ? ANY : hostOf(authority.toLowerCase(), kind) }
}

const DEFAULT_PORT: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443' }

/** The host of an authority with its port: other spellings of the same place are the same space. */
function hostOf(authority: string, scheme: string): string {
  const [, host = '', port = ''] = /^(?:.*@)?(.*?)\.?(?::(\d*))?$/.exec(authority) ?? []
  if (scheme === 'file:' && host === 'localhost') return ''
  const own = port.replace(/^0+/, '')
  return own === '' || own === DEFAULT_PORT[scheme] ? host : `${host}:${own}`
}

export class UriSpaces<Owner> {
  /** by scheme and authority */
  readonly #owners = new Map<string, Map<string, Set<Owner>>>()
  readonly #prefixes = new Map<string, Owner>()

  /** `uri` is a listed URI or template. */
  add(uri: string, owner: Owner): void {
    const space = spaceOf(uri)
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
  isExclusive(uri: string, owner: Owner): boolean {
    const space = spaceOf(uri)
    if (space === undefined || this.#prefixed(uri) !== undefined) return false
    return [...this.#sharers(space)].every((one) => one === owner)
  }

  /** The server of an unlisted URI: by its prefix, or the only one with URIs in its space. */
  find(uri: string): { owner: Owner; prefix: string } | undefined {
    const prefixed = this.#prefixed(uri)
    if (prefixed !== undefined) return prefixed
    const space = spaceOf(uri)
    const [owner, ...others] = space === undefined ? [] : this.#sharers(space)
    return owner === undefined || others.length > 0 ? undefined : { owner, prefix: '' }
  }

  #prefixed(uri: string): { owner: Owner; prefix: string } | undefined {
    // A prefix is part of the scheme, and the case of a scheme does not matter.
    for (const [prefix, owner] of this.#prefixes) {
      const found = uri.slice(0, prefix.length)
      if (found.toLowerCase() === prefix) return { owner, prefix: found }
    }
    return undefined
  }

  #sharers({ scheme, authority }: Space): Set<Owner> {
    const authorities = this.#owners.get(scheme) ?? new Map<string, Set<Owner>>()
    if (authority === ANY) return new Set([...authorities.values()].flatMap((owners) => [...owners]))
    return new Set([...(authorities.get(authority) ?? []), ...(authorities.get(ANY) ?? [])])
  }
}
