/**
 * Finds tools by words, best first (BM25, by minisearch). It is built at the first search and then follows the registry: only
 * tools that came, went or changed are touched, when somebody next searches.
 */
import type MiniSearch from 'minisearch'
import { splitWords } from '../../english/words.ts'
import type { ListedTool, Registry } from '../../tool/registry.ts'
import type { Tool } from '../../tool/tool.ts'
import { toTerm } from './search-terms.ts'
import { searchableText, type ToolText } from './tool-text.ts'

export interface ToolMatch extends ListedTool {
  /** how well it fits, in comparison with the others of the same search only */
  readonly score: number
}

const BOOST: Record<keyof Omit<ToolText, 'id'>, number> = { name: 4, title: 3, description: 1, parameters: 1.2 }
/** The name itself was asked for. */
const EXACT = 1000

export class ToolIndex {
  readonly #registry: Registry
  readonly #indexed = new Map<string, Tool>()
  #words: MiniSearch<ToolText> | undefined
  #revision = -1

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Every tool that has one of the words, or one like it; best first. */
  async search(query: string): Promise<ToolMatch[]> {
    this.#words ??= await emptyIndex()
    this.#follow(this.#words)
    const listed = new Map(this.#registry.listed().map((item) => [item.tool.name, item]))
    const scores = new Map<string, number>()
    const named = this.#registry.find(query.trim())
    if (named !== undefined) scores.set(named.name, EXACT)
    for (const { id, score } of this.#words.search(query)) if (!scores.has(id)) scores.set(id, score)
    return [...scores].flatMap(([name, score]) => {
      const item = listed.get(name)
      return item === undefined ? [] : [{ ...item, score }]
    })
  }

  #follow(words: MiniSearch<ToolText>): void {
    if (this.#revision === this.#registry.revision) return
    const gone = new Set(this.#indexed.keys())
    for (const item of this.#registry.listed()) {
      const { name } = item.tool
      gone.delete(name)
      const before = this.#indexed.get(name)
      if (before === item.tool) continue
      if (before === undefined) words.add(searchableText(item))
      else words.replace(searchableText(item))
      this.#indexed.set(name, item.tool)
    }
    for (const name of gone) {
      words.discard(name)
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
      // Half a word finds the whole one, and a slip of the pen does no harm in a long one.
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    },
  })
}
