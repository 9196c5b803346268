/** What is quoted as evidence: short, on one line, and with nothing in it that a terminal or a reader would not show. */

import { listInWords } from '../../../english/words.ts'
import { wholeAt } from '../../../protocol/text.ts'
import { escapeHidden } from '../../../tool/text/hidden-characters.ts'

const LONGEST = 100

export function quoted(text: string, longest = LONGEST): string {
  const line = text.length > longest * 4 ? text.slice(0, longest * 4) : text
  const flat = line.replace(/\s+/g, ' ').trim()
  const isCut = flat.length > longest || line.length < text.length
  return `“${escapeHidden(isCut ? `${flat.slice(0, wholeAt(flat, longest))}…` : flat)}”`
}

/** `/headline: …`, or the bare sentence for an output that is one text. */
export const withPointer = (where: string, says: string): string =>
  where === '' ? says : `${escapeHidden(where.slice(0, 120))}: ${says}`

const MOST = 8

/** The first few, and how many there are besides. */
export function firstFew(evidence: readonly string[], most = MOST): string[] {
  return evidence.length <= most ? [...evidence] : [...evidence.slice(0, most), `and ${evidence.length - most} more`]
}

export const roundedScore = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000

/** The first few of a list within a sentence: `a, b and 9 more`. */
export const fewInWords = (items: readonly string[], most: number): string =>
  listInWords(items.length <= most ? items : [...items.slice(0, most), `${items.length - most} more`])
