/** What was found wrong: something that was answered is lost, or something that may happen once has happened twice. */

export class Problems {
  readonly #told = new Set<string>()
  lost = 0
  doubled = 0
  first: string | undefined

  losing(what: string): void {
    if (this.#note(what)) this.lost++
  }

  doubling(what: string): void {
    if (this.#note(what)) this.doubled++
  }

  /** What is wrong stays wrong, and is found again after every kill: it counts once. */
  #note(what: string): boolean {
    if (this.#told.has(what)) return false
    this.#told.add(what)
    this.first ??= what
    return true
  }

  get any(): boolean {
    return this.lost + this.doubled > 0
  }
}
