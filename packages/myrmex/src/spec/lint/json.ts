/** Findings as JSON, with their number by severity. */
import { readableJson } from '../../tool/text/readable-json.ts'
import type { LintFinding } from './finding.ts'

/** `files` are all that were looked at, also those without findings. */
export function toJson(findings: readonly LintFinding[], files: readonly string[] = filesOf(findings)): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return `${readableJson({ files, findings, errors, warnings: findings.length - errors })}\n`
}

const filesOf = (findings: readonly LintFinding[]): string[] => [...new Set(findings.map(({ file }) => file))]
