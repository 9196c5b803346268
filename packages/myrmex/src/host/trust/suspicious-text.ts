/**
 * Finds text that must not reach a model: hidden characters, and instructions to the model. Models read everything a server says
 * about itself and its items, so all of it is scanned.
 */

import { pointerInWords } from '../../tool/difference/place-in-words.ts'
import type { FindingGrade, VerifyFinding } from '../../tool/verify/finding.ts'

/** Describes the first finding of these grades; undefined if there is none. */
export function firstSuspicion(
  findings: readonly VerifyFinding[],
  grades: readonly FindingGrade[] = ['block', 'warn'],
): string | undefined {
  const [first, ...more] = findings.filter(({ grade }) => grades.includes(grade))
  return (
    first &&
    `${first.where === '' ? '' : `${pointerInWords(first.where)}: `}${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`
  )
}
