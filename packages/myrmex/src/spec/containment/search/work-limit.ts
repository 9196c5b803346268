/** How much work a comparison may be. It ends a search that would take too long, whatever the schemas are. */

/** Thrown where the work is used up; the comparison then says that it could not decide. */
export class WorkExceeded extends Error {}

export class WorkLimit {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new WorkExceeded('too much to compare')
  }
}
