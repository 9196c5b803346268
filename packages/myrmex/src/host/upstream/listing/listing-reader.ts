/**
 * Reads the listing of an upstream and remembers what was wrong with it. A list that the upstream refused, or answered with nonsense, is a
 * problem of the server, and is read again after growing delays for as long as the connection lasts.
 */
import type { Link } from '../../link/link.ts'
import { RetryDelay } from '../retry-delay.ts'
import type { Listing, ListPart } from './listing.ts'
import { readListing } from './read-listing.ts'

const MAX_UNLISTED_PAGES = 100

export interface ListingReaderOptions {
  readonly name: string
  readonly hostId: string | undefined
  readonly warn: (line: string) => void
  /** Reads these lists again. Never rejects. */
  readonly reread: (parts: ReadonlySet<ListPart>) => Promise<void>
  /** the problem has changed */
  readonly onProblem: () => void
}

export class ListingReader {
  readonly #options: ListingReaderOptions
  readonly #refused = new Map<ListPart, string>()
  readonly #delay = new RetryDelay()
  /** pages of apps that clients asked for, and that no list names */
  readonly #pages = new Set<string>()
  #skipped: readonly string[] = []
  #retry: NodeJS.Timeout | undefined

  constructor(options: ListingReaderOptions) {
    this.#options = options
  }

  /** Descriptions of items skipped in the latest read. */
  get skippedItems(): readonly string[] {
    return this.#skipped
  }

  addPage(uri: string): void {
    if (this.#pages.size < MAX_UNLISTED_PAGES) this.#pages.add(uri)
  }

  /** Which lists are missing or outdated, and why; undefined: none. */
  get problem(): string | undefined {
    return this.#refused.size === 0 ? undefined : [...this.#refused.values()].join('; ')
  }

  /** `parts`: read only these, and keep the others of `before`. */
  async read(link: Link, before: Listing | undefined, parts?: ReadonlySet<ListPart>): Promise<Listing> {
    const { name, hostId, warn, onProblem } = this.#options
    const skipped: string[] = []
    const refused = new Map(this.#refused)
    if (parts === undefined) refused.clear()
    else for (const part of parts) refused.delete(part)
    const listing = await readListing(link, {
      name,
      hostId,
      pages: this.#pages,
      ...(before && { before }),
      ...(parts && { parts }),
      warn: (line) => {
        skipped.push(line)
        warn(line)
      },
      onRefused: (part, why) => void refused.set(part, why),
    })
    this.#skipped = skipped
    const problem = this.problem
    this.#refused.clear()
    for (const [part, why] of refused) this.#refused.set(part, why)
    if (problem !== this.problem) onProblem()
    this.#retryLater()
    return listing
  }

  /** The connection has ended: the next one reads everything. */
  stop(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#delay.reset()
  }

  #retryLater(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
    if (this.#refused.size === 0) return this.#delay.reset()
    this.#retry = setTimeout(() => void this.#options.reread(new Set(this.#refused.keys())), this.#delay.next())
    this.#retry.unref()
  }
}
