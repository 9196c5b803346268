/** What a machine found when it looked at a definition: which rule, how bad, where, and what to do about it. */

/**
 * `block`: the tool is not verified and not trusted by the configuration file; a person needs `--despite-findings` to trust it.
 * `warn`: a person must look at it; only a decision that names the tool makes it callable. `note`: shown to the reader, and nothing else.
 */
export const GRADES = ['block', 'warn', 'note'] as const
export type FindingGrade = (typeof GRADES)[number]

export interface VerifyFinding {
  /** the id of the rule */
  readonly rule: string
  readonly grade: FindingGrade
  /** JSON pointer into what a caller sees of the tool */
  readonly where: string
  /** what was found, and why it matters */
  readonly message: string
  /** the words that gave it away, on one line */
  readonly quote?: string
}

export const isBlocking = (findings: readonly VerifyFinding[]): boolean =>
  findings.some(({ grade }) => grade === 'block')

/** Whether a person must look before the tool is used. */
export const needsReview = (findings: readonly VerifyFinding[]): boolean =>
  findings.some(({ grade }) => grade !== 'note')
