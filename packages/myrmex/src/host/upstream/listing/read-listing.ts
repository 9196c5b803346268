/**
 * Asks an upstream for all that it offers, page by page, within bounds. What is malformed is left out and told; a list that the
 * upstream refuses stays as it was. Throws where the upstream itself is not well: it is gone, or does not come to an end.
 */
import { CODE, RpcError, ToolError } from '../../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../../protocol/json.ts'
import { escapeHidden } from '../../../tool/text/hidden-characters.ts'
import type { Link } from '../../link/link.ts'
import { checkItem, itemKey, LIST_PARTS, type ListPart } from './listed-item.ts'
import type { Listing } from './listing.ts'

const MOST_PAGES = 1000
const LONGEST_MS = 30_000
/** characters of JSON in one part of a listing: definitions are kept, compared and written to a file */
const LONGEST_PART = 32 * 1024 * 1024
/** each by name; of more than these only the number is told */
const MOST_TOLD = 5

export interface ReadListingOptions {
  readonly name: string
  /** what is wrong with what it lists */
  readonly warn: (line: string) => void
  readonly before?: Listing
  /** only these are asked for, and the rest is as it was; all unless told */
  readonly parts?: ReadonlySet<ListPart>
  readonly timeoutMs?: number
}

type PartOf = (typeof LIST_PARTS)[number]

export async function readListing(link: Link, options: ReadListingOptions): Promise<Listing> {
  const { before, parts, timeoutMs = LONGEST_MS } = options
  const signal = AbortSignal.timeout(timeoutMs)
  const read = async (of: PartOf): Promise<readonly JsonObject[]> => {
    const known = before?.[of.part] ?? []
    if (!isObject(link.capabilities[of.capability])) return []
    if (parts !== undefined && !parts.has(of.part)) return known
    try {
      return await readPart(link, of, signal, options.warn)
    } catch (thrown) {
      if (signal.aborted) throw tooSlow(options.name, of, timeoutMs)
      if (!(thrown instanceof RpcError)) throw thrown
      // Many servers with resources have no templates, and say so in this way.
      const isMissing = thrown.code === CODE.methodNotFound
      if (!isMissing) options.warn(`${of.method} was refused: ${shown(thrown.message)} (${thrown.code})`)
      return isMissing ? [] : known
    }
  }
  const { era, server, capabilities, instructions } = link
  const [tools, resources, templates, prompts] = (await Promise.all(LIST_PARTS.map(read))) as [
    Items,
    Items,
    Items,
    Items,
  ]
  return { era, server, capabilities, instructions, tools, resources, templates, prompts }
}

type Items = readonly JsonObject[]

async function readPart(link: Link, of: PartOf, signal: AbortSignal, tell: (line: string) => void): Promise<Items> {
  const taken = new Taken(of)
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    const answer = await link.request(of.method, cursor === undefined ? {} : { cursor }, { signal })
    const items = answer[of.field]
    if (!Array.isArray(items)) throw new RpcError(CODE.internal, `the answer has no array "${of.field}"`)
    for (const item of items) taken.add(item)
    const next = answer.nextCursor
    if (next === undefined || next === null || taken.isFull) break
    const why = endless(next, seen, page)
    if (why !== undefined) {
      taken.left.push(why)
      break
    }
    cursor = next as string
    seen.add(cursor)
  }
  taken.tell(tell)
  return taken.items
}

function endless(next: unknown, seen: ReadonlySet<string>, page: number): string | undefined {
  if (typeof next !== 'string') return 'a nextCursor that is no text, so what follows was not read'
  if (seen.has(next)) return 'the same page again and again, so what follows was not read'
  return page >= MOST_PAGES ? `more than ${MOST_PAGES} pages, so what follows was not read` : undefined
}

/** What was taken of one list, and what was left out of it. */
class Taken {
  readonly items: JsonObject[] = []
  readonly left: string[] = []
  readonly #of: PartOf
  readonly #keys = new Set<string>()
  #characters = 0
  isFull = false

  constructor(of: PartOf) {
    this.#of = of
  }

  add(item: unknown): void {
    if (this.isFull) return
    const length = checkItem(item, this.#of)
    if (typeof length === 'string') {
      const name = isObject(item) && typeof item[this.#of.key] === 'string' ? item[this.#of.key] : 'one without a name'
      this.left.push(`${shown(name as string)}: ${length}`)
      return
    }
    const key = itemKey(item as JsonObject, this.#of)
    if (this.#keys.has(key)) {
      this.left.push(`${shown(key)}: it is listed twice, and the first one holds`)
      return
    }
    this.#characters += length
    if (this.items.length >= this.#of.most || this.#characters > LONGEST_PART) {
      this.isFull = true
      this.left.push(`all that follows the first ${this.items.length}: more are not taken from one server`)
      return
    }
    this.#keys.add(key)
    this.items.push(item as JsonObject)
  }

  tell(tell: (line: string) => void): void {
    for (const line of this.left.slice(0, MOST_TOLD)) tell(`${this.#of.method}: left out ${line}`)
    const more = this.left.length - MOST_TOLD
    if (more > 0) tell(`${this.#of.method}: left out ${more} more`)
  }
}

const shown = (text: string): string => escapeHidden(text.slice(0, 200))

const tooSlow = (name: string, of: PartOf, timeoutMs: number): ToolError =>
  ToolError.of('TimeoutError', `${name}: ${of.method} did not come to an end within ${timeoutMs} ms`)
