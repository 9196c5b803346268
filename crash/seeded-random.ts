/** Chance that can be had again: the same words give the same numbers, in the same order. */

export class SeededRandom {
  #state: number

  constructor(...words: readonly (string | number)[]) {
    this.#state = 2166136261
    for (const character of words.join(' ')) {
      this.#state = Math.imul(this.#state ^ character.charCodeAt(0), 16777619)
    }
  }

  /** From 0 up to 1, and never 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  /** True so often, out of 1. */
  often(share: number): boolean {
    return this.next() < share
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)] as T
  }

  /** Some of them, in any order. */
  some<T>(all: readonly T[], most: number): T[] {
    const left = [...all]
    const chosen: T[] = []
    while (chosen.length < most && left.length > 0) {
      chosen.push(...left.splice(Math.floor(this.next() * left.length), 1))
    }
    return chosen
  }
}
