/** Finds the server for an unlisted URI: the one that lists URIs with the same scheme and authority, or the only one with resources. */
import type { ResourceSource } from './proxied-resource.ts'

const ORIGIN = /^([a-z][a-z0-9+.-]*:)(\/\/[^/?#]*)?/i

export class UriOwners {
  /** by scheme and authority; the first server wins */
  readonly #byOrigin = new Map<string, ResourceSource>()
  readonly #byPrefix = new Map<string, ResourceSource>()
  readonly #all = new Set<ResourceSource>()

  clear(): void {
    this.#byOrigin.clear()
    this.#byPrefix.clear()
    this.#all.clear()
  }

  /** `uri` is a listed URI or template. */
  add(uri: string, to: ResourceSource): void {
    this.#all.add(to)
    const [, scheme, authority = ''] = ORIGIN.exec(uri) ?? []
    if (scheme === undefined) return
    // A variable in the authority matches any authority.
    const key = (authority.includes('{') ? scheme : scheme + authority).toLowerCase()
    if (!this.#byOrigin.has(key)) this.#byOrigin.set(key, to)
  }

  /** URIs with a server's own prefix. */
  addPrefix(prefix: string, to: ResourceSource): void {
    this.#byPrefix.set(prefix, to)
  }

  find(uri: string): { to: ResourceSource; prefix: string } | undefined {
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
