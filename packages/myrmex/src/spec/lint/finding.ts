/** The findings of the linter, and the form of a rule: name, severity, summary and check. */
import type { TextLocation } from '../document.ts'
import type { LintedDocument } from './linted-document.ts'
import type { LintedTool } from './linted-tool.ts'

export type Severity = 'error' | 'warning'

export interface LintFinding {
  readonly file: string
  /** from 1, like the column */
  readonly line: number
  readonly column: number
  readonly rule: string
  readonly severity: Severity
  /** what is wrong, with which value, and what to do; one line without invisible characters */
  readonly message: string
  readonly tool?: string
  /** where other tools of the document have the same finding, if there are several */
  readonly also?: readonly AlsoFound[]
}

export interface AlsoFound {
  readonly line: number
  readonly column: number
  readonly tool?: string
}

/** A finding as a rule reports it. The linter adds file and rule. */
export interface RuleFinding {
  readonly location: TextLocation
  readonly message: string
  /** if it differs from that of the rule */
  readonly severity?: Severity
  readonly tool?: string | undefined
  /** Findings of several tools that say the same are reported once. Default: those with the same message. */
  readonly same?: string
}

export interface Rule {
  /** in kebab-case; its page is docs/rules/NAME.md */
  readonly name: string
  readonly severity: Severity
  /** one sentence */
  readonly summary: string
  /** findings that several tools have alike are one */
  readonly folds?: boolean
  check(document: LintedDocument): Iterable<RuleFinding>
}

/** A rule that looks at one tool at a time. */
export const toolRule = (
  name: string,
  severity: Severity,
  summary: string,
  check: (tool: LintedTool) => Iterable<RuleFinding>,
): Rule => ({
  name,
  severity,
  summary,
  *check({ tools }) {
    for (const tool of tools) for (const fault of check(tool)) yield { ...fault, tool: tool.name }
  },
})

/** A rule about the form of a document, which mostly finds the same in all of its tools. */
export const formRule = (...rule: Parameters<typeof toolRule>): Rule => ({ ...toolRule(...rule), folds: true })
