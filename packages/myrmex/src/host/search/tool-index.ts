/**
 * Full-text search over tools, best match first (BM25, by minisearch). The index is built by the first search and follows the registry:
 * later searches update only the tools that changed. Of a tool that nobody has reviewed, only its name can be found. Other requests are
 * served while tools are indexed.
 */
import type MiniSearch from 'minisearch'
import { stem } from '../../english/stem.ts'
import { splitWords } from '../../english/words.ts'
import { TimeSlices } from '../../protocol/time-slices.ts'
import type { ListedTool, Registry } from '../../tool/registry.ts'
import type { Tool } from '../../tool/tool.ts'
import { nameText, searchableText, type ToolText } from './tool-text.ts'

export interface ToolMatch extends ListedTool {
  /** only comparable within one search */
  readonly score: number
}

const BOOST: Record<keyof Omit<ToolText, 'id'>, number> = { name: 4, title: 3, description: 1, parameters: 1.2 }
/** Score of a tool whose exact name was searched. */
const EXACT_NAME_SCORE = 1000

/** Says of which tools the whole text may be searched. Its answers hold as long as `revision` is the same. */
export interface TextReview {
  readonly revision: number
  isReadable(tool: Tool): boolean
}

const ALL_READABLE: TextReview = { revision: 0, isReadable: () => true }

interface IndexedTool {
  readonly tool: Tool
  readonly isReadable: boolean
}

export class ToolIndex {
  readonly #registry: Registry
  readonly #review: TextReview
  readonly #indexed = new Map<string, IndexedTool>()
  #index: Promise<MiniSearch<ToolText>> | undefined
  #updating: Promise<void> | undefined
  #revision = -1
  #reviewed = -1

  constructor(registry: Registry, review: TextReview = ALL_READABLE) {
    this.#registry = registry
    this.#review = review
  }

  /** All tools that contain one of the words or a similar one, best first. */
  async search(query: string): Promise<ToolMatch[]> {
    this.#index ??= emptyIndex()
    const index = await this.#index
    // An update that another search began may be of an earlier state. Tools that change all the time delay no search further.
    for (let round = 0; round < 2 && !this.#isCurrent; round++) {
      this.#updating ??= this.#update(index).finally(() => {
        this.#updating = undefined
      })
      await this.#updating
    }
    const listed = new Map(this.#registry.listed().map((item) => [item.tool.name, item]))
    const scores = new Map<string, number>()
    const named = this.#registry.find(query.trim())
    if (named !== undefined) scores.set(named.name, EXACT_NAME_SCORE)
    for (const { id, score } of index.search(query)) if (!scores.has(id)) scores.set(id, score)
    return [...scores].flatMap(([name, score]) => {
      const item = listed.get(name)
      return item === undefined ? [] : [{ ...item, score }]
    })
  }

  get #isCurrent(): boolean {
    return this.#revision === this.#registry.revision && this.#reviewed === this.#review.revision
  }

  async #update(index: MiniSearch<ToolText>): Promise<void> {
    const [{ revision }, { revision: reviewed }] = [this.#registry, this.#review]
    const slices = new TimeSlices()
    const gone = new Set(this.#indexed.keys())
    for (const item of this.#registry.listed()) {
      const { tool } = item
      gone.delete(tool.name)
      const before = this.#indexed.get(tool.name)
      const isReadable = this.#review.isReadable(tool)
      if (before?.tool === tool && before.isReadable === isReadable) continue
      if (slices.isOver) await slices.pause()
      const text = isReadable ? searchableText(item) : nameText(item)
      if (before === undefined) index.add(text)
      else index.replace(text)
      this.#indexed.set(tool.name, { tool, isReadable })
    }
    for (const name of gone) {
      index.discard(name)
      this.#indexed.delete(name)
    }
    this.#revision = revision
    this.#reviewed = reviewed
  }
}

async function emptyIndex(): Promise<MiniSearch<ToolText>> {
  const { default: Index } = await import('minisearch')
  return new Index<ToolText>({
    fields: Object.keys(BOOST),
    tokenize: splitWords,
    processTerm: toTerm,
    searchOptions: {
      boost: BOOST,
      // Prefixes match, and long words match despite typos.
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    },
  })
}

/** Words that every description has. */
const TOO_FREQUENT = new Set(
  (
    'a an and any are as at be by can do does find for from get has have how i if in into is it its me my need not of on or ' +
    'our some that the their them then there these this to tool tools use used using want we what when which will with you your'
  ).split(' '),
)

/** The stem of a word; undefined if the word is not indexed. */
export const toTerm = (word: string): string | undefined => (TOO_FREQUENT.has(word) ? undefined : stem(word))
