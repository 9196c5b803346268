/** The latest listing of an upstream: reports changes, and saves the listing to the cache for the next start. */

import { messageOf } from '../../../protocol/errors.ts'
import { sha256 } from '../../../tool/hash.ts'
import { Scrubber } from '../../link/scrubber.ts'
import type { UpstreamDeps, UpstreamSettings } from '../upstream-deps.ts'
import type { Listing } from './listing.ts'
import { cacheListing, readCachedListing } from './listing-cache.ts'

type OnChange = (listing: Listing, before: Listing | undefined) => Promise<void>

export class ListingStore {
  readonly #settings: UpstreamSettings
  readonly #deps: UpstreamDeps
  readonly #onChange: OnChange
  #listing: Listing | undefined
  #digest = ''
  /** resolved when all listeners have processed the latest listing */
  #processing: Promise<void> = Promise.resolve()
  #writes: Promise<void> = Promise.resolve()

  constructor(settings: UpstreamSettings, deps: UpstreamDeps, onChange: OnChange) {
    this.#settings = settings
    this.#deps = deps
    this.#onChange = onChange
    // Without its digest: the first listing of this connection is a change.
    this.#listing = deps.knownListing
  }

  get listing(): Listing | undefined {
    return this.#listing
  }

  /** Returns whether a listing is known, if necessary from the cache. */
  async loadCached(): Promise<boolean> {
    if (this.#listing !== undefined) return true
    const { cacheFolder } = this.#deps
    if (cacheFolder === undefined) return false
    const listing = await readCachedListing(cacheFolder, this.#settings.name, endpointDigest(this.#settings))
    if (listing === undefined || this.#listing !== undefined) return this.#listing !== undefined
    await this.#store(listing)
    return true
  }

  /** Stores a listing read from the server. Resolves when all listeners have processed it. */
  async update(listing: Listing): Promise<void> {
    const before = this.#digest
    const taken = this.#store(listing)
    if (this.#digest !== before) this.#writes = this.#writes.then(() => this.#cache(listing))
    await taken
  }

  /** Resolves when all writes are done. */
  written(): Promise<void> {
    return this.#writes
  }

  async #store(listing: Listing): Promise<void> {
    const text = sha256(JSON.stringify(listing))
    if (text === this.#digest) return this.#processing
    const before = this.#listing
    this.#digest = text
    this.#listing = listing
    this.#processing = this.#onChange(listing, before)
    await this.#processing
  }

  async #cache(listing: Listing): Promise<void> {
    const { name } = this.#settings
    const { cacheFolder } = this.#deps
    if (cacheFolder === undefined) return
    try {
      await cacheListing(cacheFolder, name, endpointDigest(this.#settings), listing)
    } catch (thrown) {
      const why = messageOf(thrown)
      this.#deps.log('warn', `${name}: its listing could not be cached: ${why}`)
    }
  }
}

/** Another command or URL is another server. Secrets are removed, because the digest is stored. */
export function endpointDigest({
  endpoint,
  secrets,
  publicValues,
}: Pick<UpstreamSettings, 'endpoint' | 'secrets' | 'publicValues'>): string {
  const where =
    endpoint.where === 'child' ? [endpoint.command, endpoint.args, endpoint.cwd] : [endpoint.url, endpoint.transport]
  return sha256(new Scrubber(secrets, publicValues).text(JSON.stringify(where)))
}
