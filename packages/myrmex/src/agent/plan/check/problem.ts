/** Collects the problems of a plan, each with its location. Only the first ones get a message. */
import { pointer } from '../../../protocol/json.ts'
import type { ProblemCode } from './problem-codes.ts'

export interface Problem {
  readonly code: ProblemCode
  /** id of the step it is about */
  readonly step?: string
  /** JSON pointer into the plan */
  readonly path: string
  readonly message: string
}

export interface Report {
  readonly problems: Problems
  /** receives missing values: warnings for a plan that has questions, otherwise problems */
  readonly open: Problems
  readonly warnings: Problems
}

/** Further problems are only counted. Their messages are never built. */
export const MAX_PROBLEMS = 100

export class Problems {
  readonly #listed: Problem[] = []
  #count = 0

  /** including those without a message */
  get count(): number {
    return this.#count
  }

  get any(): boolean {
    return this.#count > 0
  }

  add(
    code: ProblemCode,
    step: string | undefined,
    path: readonly PropertyKey[],
    message: string | (() => string),
  ): void {
    if (++this.#count > MAX_PROBLEMS) return
    const text = typeof message === 'string' ? message : message()
    this.#listed.push({ code, ...(step === undefined ? {} : { step }), path: pointer(path), message: text })
  }

  list(): Problem[] {
    const more = this.#count - this.#listed.length
    return more === 0 ? this.#listed : [...this.#listed, { code: 'more', path: '', message: `and ${more} more` }]
  }
}
