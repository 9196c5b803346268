/**
 * Remembers the result for each goal. A goal inside itself counts as empty. Results that depend on this assumption are dropped
 * if the outer goal turns out not to be empty.
 */
import { NO_VALUE, type SearchResult, unknownResult } from './search-result.ts'

const MAX_DEPTH = 60
const FREE = Number.POSITIVE_INFINITY

export class GoalMemory {
  readonly #answers = new Map<string, SearchResult>()
  /** results that depend on a goal that is still open, by the depth of that goal */
  readonly #leaning = new Map<string, number>()
  readonly #open = new Map<string, number>()
  /** the outermost open goal that the current one depends on so far */
  #outermost = FREE

  recall(key: string): SearchResult | undefined {
    const open = this.#open.get(key)
    if (open !== undefined) {
      this.#outermost = Math.min(this.#outermost, open)
      return NO_VALUE
    }
    const leans = this.#leaning.get(key)
    if (leans !== undefined) this.#outermost = Math.min(this.#outermost, leans)
    return this.#answers.get(key)
  }

  keep(key: string, search: () => SearchResult): SearchResult {
    const depth = this.#open.size
    if (depth >= MAX_DEPTH) return unknownResult(`the schemas are nested more than ${MAX_DEPTH} levels deep`)
    const before = this.#outermost
    this.#outermost = FREE
    this.#open.set(key, depth)
    const answer = search()
    this.#open.delete(key)
    const own = this.#outermost < depth ? this.#outermost : FREE
    this.#settle(depth, answer.kind === 'empty', own)
    this.#answers.set(key, answer)
    // A found value is valid regardless of assumptions.
    if (answer.kind !== 'some' && own !== FREE) this.#leaning.set(key, own)
    this.#outermost = answer.kind === 'some' ? before : Math.min(before, own)
    return answer
  }

  #settle(depth: number, isEmpty: boolean, own: number): void {
    for (const [key, leans] of this.#leaning) {
      if (leans < depth) continue
      if (isEmpty && own !== FREE) this.#leaning.set(key, own)
      else this.#leaning.delete(key)
      if (!isEmpty) this.#answers.delete(key)
    }
  }
}
