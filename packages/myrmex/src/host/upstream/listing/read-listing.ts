/**
 * Reads everything an upstream lists, page by page and within limits. Malformed items are skipped and reported. If the upstream
 * rejects a list, the previous one is kept. Throws if the connection is lost or a list never ends.
 */
import { CODE, RpcError, ToolError } from '../../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../../protocol/json.ts'
import { readHosts, withHosts } from '../../../tool/passed-hosts.ts'
import { escapeHidden } from '../../../tool/text/hidden-characters.ts'
import type { Link } from '../../link/link.ts'
import { OwnServerError } from '../upstream-errors.ts'
import { checkItem, LIST_PARTS, type Listing, type ListPart, type ListPartInfo } from './listing.ts'
import { readPages } from './read-pages.ts'

const MAX_PAGES = 1000
const DEFAULT_TIMEOUT_MS = 30_000
/** maximum size of one list, in characters of JSON */
const MAX_PART_LENGTH = 32 * 1024 * 1024
/** skipped items that are reported one by one; the rest is only counted */
const MAX_REPORTED = 5

export interface ReadListingOptions {
  readonly name: string
  /** reports what is wrong with the listing */
  readonly warn: (line: string) => void
  /** a list was rejected or malformed: the previous one is kept */
  readonly onRefused?: (part: ListPart, why: string) => void
  readonly before?: Listing
  /** read only these lists and keep the others; default: all */
  readonly parts?: ReadonlySet<ListPart>
  /** URIs of pages that were read although nothing names them */
  readonly pages?: Iterable<string>
  readonly timeoutMs?: number
  /** of the host that reads; see tool/passed-hosts.ts */
  readonly hostId?: string | undefined
}

type Items = readonly JsonObject[]

export async function readListing(link: Link, options: ReadListingOptions): Promise<Listing> {
  const { before, parts, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const { era, server, capabilities, instructions } = link
  const signal = AbortSignal.timeout(timeoutMs)
  const refused: ListPart[] = []
  const keep = (part: ListPart): Items => {
    if (before === undefined || before.refused?.includes(part) === true) refused.push(part)
    return before?.[part] ?? []
  }
  const read = async (part: ListPart): Promise<Items> => {
    const of = LIST_PARTS[part]
    // The first word of a method is the capability that announces it.
    const [capability = ''] = of.method.split('/')
    if (!isObject(capabilities[capability])) return []
    if (parts !== undefined && !parts.has(part)) return keep(part)
    try {
      return await readPart(link, of, signal, options)
    } catch (thrown) {
      if (signal.aborted) throw tooSlow(`${options.name}: ${of.method} did not finish within ${timeoutMs} ms`)
      if (!(thrown instanceof RpcError)) throw thrown
      // Many servers with resources have no templates and answer this way. One that declares tools must list them.
      const isMissing = thrown.code === CODE.methodNotFound && part !== 'tools'
      if (!isMissing) {
        const why = `${of.method} was rejected: ${printable(thrown.message)} (${thrown.code})`
        options.warn(why)
        options.onRefused?.(part, why)
      }
      return isMissing ? [] : keep(part)
    }
  }
  const lists = [read('tools'), read('resources'), read('templates'), read('prompts')] as const
  const [tools, listed, templates, prompts] = await Promise.all(lists)
  const known = before?.pages ?? []
  const mayHavePages =
    isObject(capabilities.resources) && (parts === undefined || parts.has('tools') || parts.has('resources'))
  const wanted = { tools, resources: listed, more: options.pages ?? [], before: known, signal, warn: options.warn }
  const { pages, resources } = mayHavePages ? await readPages(link, wanted) : { pages: known, resources: listed }
  const unread = refused.length === 0 ? {} : { refused }
  const own = { era, server, capabilities, instructions, tools, resources, templates, prompts, ...unread }
  return pages.length === 0 ? own : { ...own, pages }
}

async function readPart(
  link: Link,
  of: ListPartInfo,
  signal: AbortSignal,
  { name, warn, hostId = '' }: ReadListingOptions,
): Promise<Items> {
  const accepted = new AcceptedItems(of, hostId)
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    const answer = await link.request(of.method, cursor === undefined ? {} : { cursor }, { signal })
    const items = answer[of.field]
    if (!Array.isArray(items)) throw new RpcError(CODE.internal, `the answer has no array "${of.field}"`)
    const hostsOf = readHosts(answer._meta)
    // Every item of its own list came through this host, also one that there is not.
    if (hostsOf?.('').includes(hostId) === true) throw new OwnServerError(name)
    for (const item of items) accepted.add(item, hostsOf)
    const next = answer.nextCursor
    if (next === undefined || next === null || accepted.isFull) break
    const why = endReason(next, seen, page)
    if (why !== undefined) {
      accepted.skipped.push(why)
      break
    }
    cursor = next as string
    seen.add(cursor)
  }
  accepted.report(warn)
  return accepted.items
}

function endReason(next: unknown, seen: ReadonlySet<string>, page: number): string | undefined {
  if (typeof next !== 'string') return 'the remaining pages: nextCursor is not a string'
  if (seen.has(next)) return 'the remaining pages: nextCursor repeats'
  return page >= MAX_PAGES ? `the remaining pages: there are more than ${MAX_PAGES}` : undefined
}

/** The accepted items of one list, and descriptions of the skipped ones. */
class AcceptedItems {
  readonly items: JsonObject[] = []
  readonly skipped: string[] = []
  readonly #of: ListPartInfo
  readonly #hostId: string
  readonly #keys = new Set<string>()
  #characters = 0
  #ownItems = 0
  isFull = false

  constructor(of: ListPartInfo, hostId: string) {
    this.#of = of
    this.#hostId = hostId
  }

  add(item: unknown, hostsOf: ((key: string) => string[]) | undefined): void {
    if (this.isFull) return
    const length = checkItem(item, this.#of)
    if (typeof length === 'string') {
      const name = isObject(item) ? item[this.#of.key] : undefined
      this.skipped.push(`${typeof name === 'string' ? printable(name) : 'an item without a name'}: ${length}`)
      return
    }
    const key = (item as JsonObject)[this.#of.key] as string
    if (this.#keys.has(key)) {
      this.skipped.push(`${printable(key)}: listed twice; the first one is used`)
      return
    }
    const hosts = hostsOf?.(key) ?? []
    if (hosts.includes(this.#hostId)) {
      this.#ownItems++
      return
    }
    this.#characters += length
    if (this.items.length >= this.#of.max || this.#characters > MAX_PART_LENGTH) {
      this.isFull = true
      this.skipped.push(`everything after the first ${this.items.length} items: the limit is reached`)
      return
    }
    this.#keys.add(key)
    this.items.push(withHosts(item as JsonObject, hosts))
  }

  report(warn: (line: string) => void): void {
    for (const line of this.skipped.slice(0, MAX_REPORTED)) warn(`${this.#of.method}: skipped ${line}`)
    const more = this.skipped.length - MAX_REPORTED
    if (more > 0) warn(`${this.#of.method}: skipped ${more} more`)
    const own = this.#ownItems
    if (own > 0) warn(`${this.#of.method}: left out ${own} of this host itself, which has them already`)
  }
}

const tooSlow = (message: string): ToolError => ToolError.of('TimeoutError', message)

const printable = (text: string): string => escapeHidden(text.slice(0, 200))
