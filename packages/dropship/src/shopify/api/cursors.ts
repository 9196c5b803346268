/** Where in a list a record stood when it was last seen, so that the page after it begins there. What is not known is walked to. */

const MOST = 5000

export class Cursors {
  readonly #known = new Map<string, string>()

  remember(id: string, cursor: string): void {
    if (this.#known.size >= MOST) this.#known.clear()
    this.#known.set(id, cursor)
  }

  find(id: string): string | undefined {
    return this.#known.get(id)
  }
}
