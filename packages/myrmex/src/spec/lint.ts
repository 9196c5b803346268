/**
 * Lints tool specification documents, rendered or hand-written: applies every rule to every tool and reports findings with
 * their line. Any text is accepted. Text that is not a document is a finding.
 */
import { escapeHidden } from '../tool/text/hidden-characters.ts'
import type { SpecDocument, TextLocation } from './document.ts'
import type { LintFinding, Rule } from './lint/finding.ts'
import { type FoldedFinding, fold } from './lint/fold.ts'
import { type LintedFile, type LintRun, lintedTools, newLintRun } from './lint/linted-document.ts'
import { RULES } from './lint/rules.ts'
import { readDocument } from './read.ts'

export interface LintInput {
  readonly file: string
  readonly markdown: string
}

export interface LintResult {
  readonly findings: readonly LintFinding[]
  /** of every file, also of those without findings */
  readonly documents: readonly LintedFile[]
}

export const lint = (file: string, markdown: string): LintFinding[] => lintFiles([{ file, markdown }])

export const lintFiles = (files: readonly LintInput[]): LintFinding[] => [...lintAll(files).findings]

/** Several files in one run: a tool may be specified in one of them only. */
export function lintAll(files: readonly LintInput[]): LintResult {
  const run = newLintRun()
  const findings: LintFinding[] = []
  const documents = files.map(({ file, markdown }) => {
    const document = readDocument(markdown)
    findings.push(...lintDocument(document, file, markdown.split(/\r\n|\n|\r/), run))
    return { file, document }
  })
  return { findings, documents }
}

/** Lints a document that was read before. `lines` are the lines of its file. Findings are sorted by location. */
export function lintDocument(
  document: SpecDocument,
  file = '',
  lines: readonly string[] = [],
  run: LintRun = newLintRun(),
): LintFinding[] {
  const { tools, faults, saysNoTool } = document
  const placeholders = tools.filter(({ isPlaceholder }) => isPlaceholder)
  const linted = { file, faults, saysNoTool, tools: lintedTools(document, lines, run), placeholders, run }
  const findings = RULES.flatMap((rule) => {
    const found = [...rule.check(linted)]
    return (rule.folds ? fold(found) : found).map((fault) => findingOf(fault, rule, file, lines))
  })
  return findings.sort((a, b) => a.line - b.line || a.column - b.column)
}

function findingOf(fault: FoldedFinding, rule: Rule, file: string, lines: readonly string[]): LintFinding {
  const also = fault.also?.map(({ tool, ...location }) => ({
    ...within(lines, location),
    ...(tool !== undefined && { tool: escapeHidden(tool) }),
  }))
  return {
    file,
    ...within(lines, fault.location),
    rule: rule.name,
    severity: fault.severity ?? rule.severity,
    message: escapeHidden(fault.message),
    ...(fault.tool !== undefined && { tool: escapeHidden(fault.tool) }),
    ...(also !== undefined && { also }),
  }
}

/** A finding after the end is reported on the last line. */
function within(lines: readonly string[], { line, column }: TextLocation): TextLocation {
  if (lines.length === 0 || line <= lines.length) return { line, column }
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
