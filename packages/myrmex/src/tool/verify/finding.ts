/** What a machine found when it looked at a definition: which rule, how bad, where, and what to do about it. */

export interface VerifyFinding {
  readonly rule: string
  /** an error keeps a tool from being verified; a warning is for the reader */
  readonly severity: 'error' | 'warning'
  /** JSON pointer into what a caller sees of the tool */
  readonly where: string
  readonly message: string
}

export const hasErrors = (findings: readonly VerifyFinding[]): boolean =>
  findings.some(({ severity }) => severity === 'error')
