/** Finds the server for an unlisted URI: the one that lists URIs with the same scheme and authority, or the only one with resources. */
import type { Forwarder } from '../forward/forwarder.ts'

const ORIGIN = /^([a-z][a-z0-9+.-]*:)(\/\/[^/?#]*)?/i

export class UriOwners {
  /** by scheme and authority; the first server wins */
  readonly #byOrigin = new Map<string, Forwarder>()
  readonly #byPrefix = new Map<string, Forwarder>()
  readonly #all = new Set<Forwarder>()

  /** `uri` is a listed URI or template. */
  add(uri: string, to: Forwarder): void {
    this.#all.add(to)
    const [, scheme, authority = ''] = ORIGIN.exec(uri) ?? []
    if (scheme === undefined) return
    // A variable in the authority matches any authority.
    const key = (authority.includes('{') ? scheme : scheme + authority).toLowerCase()
    if (!this.#byOrigin.has(key)) this.#byOrigin.set(key, to)
  }

  /** URIs with a server's own prefix. */
  addPrefix(prefix: string, to: Forwarder): void {
    this.#byPrefix.set(prefix, to)
  }

  find(uri: string): { to: Forwarder; prefix: string } | undefined {
    for (const [prefix, to] of this.#byPrefix) if (uri.startsWith(prefix)) return { to, prefix }
    const [, scheme = '', authority = ''] = ORIGIN.exec(uri) ?? []
    const [first, ...others] = this.#all
    const to =
      this.#byOrigin.get((scheme + authority).toLowerCase()) ??
      this.#byOrigin.get(scheme.toLowerCase()) ??
      (others.length === 0 ? first : undefined)
    return to && { to, prefix: '' }
  }
}
