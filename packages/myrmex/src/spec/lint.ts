/**
 * Lints tool specification documents, rendered or hand-written: applies every rule to every tool and reports findings with
 * their line. Any text is accepted. Text that is not a document is a finding.
 */
import { escapeHidden } from '../tool/text/hidden-characters.ts'
import type { SpecDocument, TextLocation } from './document.ts'
import type { LintFinding } from './lint/finding.ts'
import { type LintRun, lintedTools, newLintRun } from './lint/linted-document.ts'
import { RULES } from './lint/rules.ts'
import { readDocument } from './read.ts'

export interface LintInput {
  readonly file: string
  readonly markdown: string
}

export const lint = (file: string, markdown: string): LintFinding[] => lintFiles([{ file, markdown }])

/** Several files in one run: a tool may be specified in one of them only. */
export function lintFiles(files: readonly LintInput[]): LintFinding[] {
  const run = newLintRun()
  return files.flatMap(({ file, markdown }) =>
    lintDocument(readDocument(markdown), file, markdown.split(/\r\n|\n|\r/), run),
  )
}

/** Lints a document that was read before. `lines` are the lines of its file. Findings are sorted by location. */
export function lintDocument(
  document: SpecDocument,
  file = '',
  lines: readonly string[] = [],
  run: LintRun = newLintRun(),
): LintFinding[] {
  const linted = { file, faults: document.faults, tools: lintedTools(document, lines, run), run }
  const findings = RULES.flatMap(({ name, severity, check }) =>
    [...check(linted)].map(
      (fault): LintFinding => ({
        file,
        ...within(lines, fault.location),
        rule: name,
        severity: fault.severity ?? severity,
        message: escapeHidden(fault.message),
        ...(fault.tool !== undefined && { tool: escapeHidden(fault.tool) }),
      }),
    ),
  )
  return findings.sort((a, b) => a.line - b.line || a.column - b.column)
}

/** A finding after the end is reported on the last line. */
function within(lines: readonly string[], { line, column }: TextLocation): TextLocation {
  if (lines.length === 0 || line <= lines.length) return { line, column }
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
