/** Findings as lines that editors and CI understand: `file:line: rule: message`. */
import { escaped } from '../../tool/hidden.ts'
import type { LintFinding } from './finding.ts'

export const toText = (findings: readonly LintFinding[]): string =>
  findings.map(({ file, line, rule, message }) => `${escaped(file)}:${line}: ${rule}: ${message}\n`).join('')
