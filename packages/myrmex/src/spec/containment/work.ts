/** How much work a comparison may be. It ends a search that would take too long, whatever the schemas are. */

/** Thrown where the work is used up; the comparison then says that it could not decide. */
export class TooMuch extends Error {}

export class Work {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooMuch('too much to compare')
  }
}
