/** Findings for people: the rule and its location, and below it the problem. */

import { plural } from '../../protocol/text.ts'
import { oneLine, paint, wrap } from '../../serve/terminal.ts'
import type { VerifyFinding } from '../../tool/verify/finding.ts'

/** Errors first, each line indented. */
export function findingLines(findings: readonly VerifyFinding[], indent: number): string[] {
  const sorted = [...findings].sort((a, b) => rank(a) - rank(b))
  const width = Math.max(0, ...sorted.map(({ rule }) => rule.length))
  return sorted.flatMap(({ severity, rule, where, message }) => {
    const mark = paint(severity === 'error' ? 'red' : 'yellow', severity.padEnd(7))
    const head = `${' '.repeat(indent)}${mark}  ${rule.padEnd(width)}  ${paint('dim', oneLine(where, 100) || '/')}`
    return [head, wrap(oneLine(message), indent + 9)]
  })
}

const rank = ({ severity }: VerifyFinding): number => (severity === 'error' ? 0 : 1)

export function findingCount(findings: readonly VerifyFinding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  const parts = [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : '']
  return parts.filter((part) => part !== '').join(', ') || 'nothing found'
}
