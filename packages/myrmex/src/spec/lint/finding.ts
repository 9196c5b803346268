/** What the linter finds, and the form of a rule: a name, how bad it is, what it is about, and the check itself. */
import type { TextLocation } from '../document.ts'
import type { LintedDocument } from './linted-document.ts'
import type { LintedTool } from './linted-tool.ts'

export type Severity = 'error' | 'warning'

export interface LintFinding {
  readonly file: string
  /** counted from 1, as is the column */
  readonly line: number
  readonly column: number
  readonly rule: string
  readonly severity: Severity
  /** what is wrong, with which value, what to do; on one line, with nothing hidden in it */
  readonly message: string
  /** name of the tool it is about */
  readonly tool?: string
}

/** A finding as a rule tells it; the rest is known by who asked. */
export interface RuleFinding {
  readonly location: TextLocation
  readonly message: string
  /** where it is less bad than the rule is as a rule */
  readonly severity?: Severity
  readonly tool?: string | undefined
}

export interface Rule {
  /** in kebab-case; its page is docs/rules/NAME.md */
  readonly name: string
  readonly severity: Severity
  /** one sentence */
  readonly summary: string
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
