/** Whose a URI is that nobody listed: the server's that lists others of its scheme and authority, or the only one with resources. */
import type { ResourceSource } from './proxied-resource.ts'

const BEGINNING = /^([a-z][a-z0-9+.-]*:)(\/\/[^/?#]*)?/i

export class UriOwners {
  /** by scheme and authority; who came first has it */
  readonly #beginnings = new Map<string, ResourceSource>()
  readonly #prefixes = new Map<string, ResourceSource>()
  readonly #all = new Set<ResourceSource>()

  clear(): void {
    this.#beginnings.clear()
    this.#prefixes.clear()
    this.#all.clear()
  }

  /** A URI or a template that was listed. */
  add(uri: string, to: ResourceSource): void {
    this.#all.add(to)
    const [, scheme, authority = ''] = BEGINNING.exec(uri) ?? []
    if (scheme === undefined) return
    // Where a variable stands, any authority may.
    const key = (authority.includes('{') ? scheme : scheme + authority).toLowerCase()
    if (!this.#beginnings.has(key)) this.#beginnings.set(key, to)
  }

  /** What is asked for by a server's own prefix. */
  addPrefix(prefix: string, to: ResourceSource): void {
    this.#prefixes.set(prefix, to)
  }

  find(uri: string): { to: ResourceSource; prefix: string } | undefined {
    for (const [prefix, to] of this.#prefixes) if (uri.startsWith(prefix)) return { to, prefix }
    const [, scheme = '', authority = ''] = BEGINNING.exec(uri) ?? []
    const [first, ...others] = this.#all
    const to =
      this.#beginnings.get((scheme + authority).toLowerCase()) ??
      this.#beginnings.get(scheme.toLowerCase()) ??
      (others.length === 0 ? first : undefined)
    return to && { to, prefix: '' }
  }
}
