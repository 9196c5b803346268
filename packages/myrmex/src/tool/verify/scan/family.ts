/** The form of a family of rules: patterns with weights, and what a match means. */

/** From this weight on a text needs a person's look, and from this weight on it is blocked. Weights of several families add up. */
export const WARN_WEIGHT = 5
export const BLOCK_WEIGHT = 10

export interface Family {
  /** the id of its findings */
  readonly rule: string
  /** what the text does that a description has no need to */
  readonly what: string
  /** why it matters */
  readonly why: string
  readonly patterns: readonly (readonly [weight: number, source: string])[]
}
