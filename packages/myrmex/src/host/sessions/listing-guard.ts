/**
 * Keeps a session from serving definitions that nobody reviewed. What callers see, and what people decide about, is the listing of the
 * server's own connection. A request in a session is refused if the session lists its tool, prompt or resource differently.
 */
import type { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { LIST_PARTS, type Listing, type ListPart } from '../upstream/listing/listing.ts'
import { definitionChanged } from '../upstream/upstream-errors.ts'

const PART_OF: Readonly<Record<string, ListPart>> = {
  'tools/call': 'tools',
  'prompts/get': 'prompts',
  'resources/read': 'resources',
  'resources/subscribe': 'resources',
}

const KINDS = { tools: 'tool', prompts: 'prompt', resources: 'resource', templates: 'template' } as const

interface RequestedItem {
  readonly part: ListPart
  readonly key: unknown
}

function itemOf(method: string, params: JsonObject): RequestedItem | undefined {
  if (method === 'completion/complete') {
    const { type, name, uri } = params.ref as JsonObject
    return type === 'ref/prompt' ? { part: 'prompts', key: name } : { part: 'templates', key: uri }
  }
  const part = PART_OF[method]
  return part && { part, key: params[LIST_PARTS[part].key] }
}

export class ListingGuard {
  readonly #server: string
  readonly #reviewed: () => Listing | undefined
  #own: Listing | undefined
  #other: Listing | undefined
  /** by method and key, for these two listings */
  readonly #verdicts = new Map<string, boolean>()

  constructor(server: string, reviewed: () => Listing | undefined) {
    this.#server = server
    this.#reviewed = reviewed
  }

  readonly refuse = (method: string, params: JsonObject, own: Listing | undefined): ToolError | undefined => {
    const item = itemOf(method, params)
    if (item === undefined) return undefined
    const { part, key } = item
    const reviewed = this.#reviewed()
    if (own !== this.#own || reviewed !== this.#other) this.#verdicts.clear()
    this.#own = own
    this.#other = reviewed
    const name = `${part} ${String(key)}`
    let isSame = this.#verdicts.get(name)
    if (isSame === undefined) {
      isSame = this.#isSame(part, key)
      this.#verdicts.set(name, isSame)
    }
    return isSame ? undefined : definitionChanged(this.#server, key, KINDS[part])
  }

  #isSame(part: ListPart, key: unknown): boolean {
    const find = (listing: Listing | undefined): string | undefined => {
      const found = listing?.[part].find((item) => item[LIST_PARTS[part].key] === key)
      return found === undefined ? undefined : JSON.stringify(found)
    }
    const [own, reviewed] = [find(this.#own), find(this.#other)]
    // Many resources are not listed, and a session may have resources of its own; they are decided about as unlisted.
    if (part === 'resources' && (own === undefined || reviewed === undefined)) return true
    return own === reviewed
  }
}

/** Whether the two offer the same tools, prompts, resources and instructions. */
export function isSameOffer(one: Listing, other: Listing): boolean {
  const offer = ({ tools, prompts, resources, templates, instructions }: Listing): string =>
    JSON.stringify([tools, prompts, resources, templates, instructions])
  return one === other || offer(one) === offer(other)
}
