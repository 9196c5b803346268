/** Quotes for evidence: short, on one line, with hidden characters escaped. */

import { listInWords } from '../../../english/words.ts'
import { wholeAt } from '../../../protocol/text.ts'
import { escapeHidden } from '../../../tool/text/hidden-characters.ts'

const MAX_LENGTH = 100

export function quoted(text: string, maxLength = MAX_LENGTH): string {
  const line = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text
  const flat = line.replace(/\s+/g, ' ').trim()
  const isCut = flat.length > maxLength || line.length < text.length
  return `“${escapeHidden(isCut ? `${flat.slice(0, wholeAt(flat, maxLength))}…` : flat)}”`
}

/** `/headline: …`, or the bare sentence for an output that is one text. */
export const withPointer = (where: string, says: string): string =>
  where === '' ? says : `${escapeHidden(where.slice(0, 120))}: ${says}`

/** The first few, and how many more there are. */
export const firstFew = (evidence: readonly string[], most = 8): string[] =>
  evidence.length <= most ? [...evidence] : [...evidence.slice(0, most), `and ${evidence.length - most} more`]

export const roundedScore = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000

/** The first few of a list, quoted, within a sentence: `“a”, “b” and 9 more`. */
export function quotedList(items: readonly string[], most: number, maxLength = MAX_LENGTH): string {
  const first = items.slice(0, most).map((item) => quoted(item, maxLength))
  return listInWords(items.length <= most ? first : [...first, `${items.length - most} more`])
}
