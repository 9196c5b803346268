/** A keyed set of resources or prompts, sorted by key, that reports changes. */
import { ToolError } from '../protocol/errors.ts'
import { assertMade, madeList } from '../tool/assert-made.ts'

export class Catalogue<T extends object> {
  readonly #what: 'resource' | 'prompt'
  readonly #keyOf: (item: T) => string
  readonly #items = new Map<string, T>()
  readonly #listeners = new Set<() => void>()
  #sorted: readonly T[] | undefined

  constructor(what: 'resource' | 'prompt', keyOf: (item: T) => string, items: Iterable<T> = []) {
    this.#what = what
    this.#keyOf = keyOf
    for (const item of madeList(items, what)) this.add(item)
  }

  get size(): number {
    return this.#items.size
  }

  get(key: string): T | undefined {
    return this.#items.get(key)
  }

  add(item: T): void {
    assertMade(item, this.#what, 'What add() gets')
    const key = this.#keyOf(item)
    if (this.#items.get(key) === item) return
    if (this.#items.has(key)) throw ToolError.of('RegistrationError', `${this.#what} ${key} is registered already`)
    this.#items.set(key, item)
    this.#changed()
  }

  remove(key: string): boolean {
    const removed = this.#items.delete(key)
    if (removed) this.#changed()
    return removed
  }

  all(): readonly T[] {
    this.#sorted ??= [...this.#items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
    return this.#sorted
  }

  keyOf(item: T): string {
    return this.#keyOf(item)
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  #changed(): void {
    this.#sorted = undefined
    for (const listener of this.#listeners) listener()
  }
}
