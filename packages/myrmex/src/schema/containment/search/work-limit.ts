/** The number of steps that one comparison may take. It bounds the search for any pair of schemas. */

/** Thrown if no steps are left. The comparison is then undecided. */
export class WorkExceeded extends Error {}

export class WorkLimit {
  /** steps that are left; below zero, `spend` throws */
  left: number

  constructor(steps: number) {
    this.left = steps
  }

  spend(steps = 1): void {
    this.left -= steps
    if (this.left < 0) throw new WorkExceeded('too much to compare')
  }
}
