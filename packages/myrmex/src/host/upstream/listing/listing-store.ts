/** What an upstream offers, as far as we know: told to those who want to hear when it changed, and kept in a file for next time. */
import { crypto } from '../../../protocol/builtin.ts'
import { Scrubber } from '../../link/scrubber.ts'
import type { UpstreamDeps, UpstreamSettings } from '../upstream-deps.ts'
import type { Listing } from './listing.ts'

type Tell = (listing: Listing, before: Listing | undefined) => Promise<void>

export class ListingStore {
  readonly #settings: UpstreamSettings
  readonly #around: UpstreamDeps
  readonly #tell: Tell
  #listing: Listing | undefined
  #said = ''
  /** settles when everybody knows what was said last */
  #telling: Promise<void> = Promise.resolve()
  #writing: Promise<void> = Promise.resolve()

  constructor(settings: UpstreamSettings, around: UpstreamDeps, tell: Tell) {
    this.#settings = settings
    this.#around = around
    this.#tell = tell
  }

  get listing(): Listing | undefined {
    return this.#listing
  }

  /** Whether it is known from an earlier time. */
  async loadCached(): Promise<boolean> {
    if (this.#listing !== undefined) return true
    const listing = await this.#around.listingCache?.read(this.#settings.name, keyOfPlace(this.#settings))
    if (listing === undefined || this.#listing !== undefined) return this.#listing !== undefined
    await this.#take(listing)
    return true
  }

  /** It said so itself, just now. Resolves when everybody who wants to know does. */
  async update(listing: Listing): Promise<void> {
    const before = this.#said
    const taken = this.#take(listing)
    if (this.#said !== before) this.#writing = this.#writing.then(() => this.#keep(listing))
    await taken
  }

  /** Resolves when nothing is left to be written. */
  written(): Promise<void> {
    return this.#writing
  }

  async #take(listing: Listing): Promise<void> {
    const said = digest(JSON.stringify(listing))
    if (said === this.#said) return this.#telling
    const before = this.#listing
    this.#said = said
    this.#listing = listing
    this.#telling = this.#tell(listing, before)
    await this.#telling
  }

  async #keep(listing: Listing): Promise<void> {
    const { name } = this.#settings
    try {
      await this.#around.listingCache?.write(name, keyOfPlace(this.#settings), listing)
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown)
      this.#around.log('warn', `${name}: what it offers could not be kept for next time: ${why}`)
    }
  }
}

/** Another command or URL is another server. Its secrets are left out: the key stands in a file. */
function keyOfPlace({ endpoint, secrets }: UpstreamSettings): string {
  const where =
    endpoint.where === 'child' ? [endpoint.command, endpoint.args, endpoint.cwd] : [endpoint.url, endpoint.transport]
  return digest(new Scrubber(secrets).text(JSON.stringify(where)))
}

const digest = (text: string): string => crypto.createHash('sha256').update(text).digest('hex')
