/** Findings as lines that editors and CI understand: `file:line: rule: message`. */
import { escapeHidden } from '../../tool/text/hidden-characters.ts'
import type { LintFinding } from './finding.ts'

export const toText = (findings: readonly LintFinding[]): string =>
  findings.map(({ file, line, rule, message }) => `${escapeHidden(file)}:${line}: ${rule}: ${message}\n`).join('')
