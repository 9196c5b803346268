/**
 * Full-text search over tools, best match first (BM25, by minisearch). The index is built by the first search and follows the registry:
 * later searches update only the tools that changed.
 */
import type MiniSearch from 'minisearch'
import { stem } from '../../english/stem.ts'
import { splitWords } from '../../english/words.ts'
import type { ListedTool, Registry } from '../../tool/registry.ts'
import type { Tool } from '../../tool/tool.ts'
import { searchableText, type ToolText } from './tool-text.ts'

export interface ToolMatch extends ListedTool {
  /** only comparable within one search */
  readonly score: number
}

const BOOST: Record<keyof Omit<ToolText, 'id'>, number> = { name: 4, title: 3, description: 1, parameters: 1.2 }
/** Score of a tool whose exact name was searched. */
const EXACT_NAME_SCORE = 1000

export class ToolIndex {
  readonly #registry: Registry
  readonly #indexed = new Map<string, Tool>()
  #index: MiniSearch<ToolText> | undefined
  #revision = -1

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** All tools that contain one of the words or a similar one, best first. */
  async search(query: string): Promise<ToolMatch[]> {
    this.#index ??= await emptyIndex()
    this.#update(this.#index)
    const listed = new Map(this.#registry.listed().map((item) => [item.tool.name, item]))
    const scores = new Map<string, number>()
    const named = this.#registry.find(query.trim())
    if (named !== undefined) scores.set(named.name, EXACT_NAME_SCORE)
    for (const { id, score } of this.#index.search(query)) if (!scores.has(id)) scores.set(id, score)
    return [...scores].flatMap(([name, score]) => {
      const item = listed.get(name)
      return item === undefined ? [] : [{ ...item, score }]
    })
  }

  #update(index: MiniSearch<ToolText>): void {
    if (this.#revision === this.#registry.revision) return
    const gone = new Set(this.#indexed.keys())
    for (const item of this.#registry.listed()) {
      const { name } = item.tool
      gone.delete(name)
      const before = this.#indexed.get(name)
      if (before === item.tool) continue
      if (before === undefined) index.add(searchableText(item))
      else index.replace(searchableText(item))
      this.#indexed.set(name, item.tool)
    }
    for (const name of gone) {
      index.discard(name)
      this.#indexed.delete(name)
    }
    this.#revision = this.#registry.revision
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
