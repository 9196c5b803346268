/** Shows two values side by side: on one line, nothing hidden, and of long values only the part that changed. */

import { canonical } from '../../protocol/canonical.ts'
import { wholeAt } from '../../protocol/text.ts'
import { codePointName, escapeHidden, withoutHidden } from '../text/hidden-characters.ts'
import { latinLookalikes } from '../verify/lookalikes.ts'

export const isSameValue = (a: unknown, b: unknown): boolean =>
  a === undefined || b === undefined ? a === b : canonical(a) === canonical(b)

/** The items of a list that another list does not have. */
export const itemsNotIn = (list: readonly unknown[], other: readonly unknown[]): unknown[] =>
  list.filter((item) => !other.some((one) => isSameValue(item, one)))

/** Up to here both sides are shown whole. */
const SHORT = 60
/** How much of what stayed is shown around what changed. */
const AROUND = 20
const MAX_LENGTH = 160

/** A backslash is doubled, so that no text can imitate an escaped character. */
const visible = (text: string): string => escapeHidden(text.replaceAll('\\', '\\\\'))

export const quoteText = (text: string): string => `“${clipped(visible(text))}”`

/** Texts are quoted, everything else is JSON. */
export const formatValue = (value: unknown): string =>
  value === undefined ? 'nothing' : typeof value === 'string' ? quoteText(value) : clipped(visible(canonical(value)))

/** The name of a property, quoted if needed. */
export const formatName = (name: string): string => (/^[\w$-]{1,80}$/.test(name) ? name : quoteText(name))

export function formatChange(before: unknown, after: unknown): string {
  if (typeof before === 'string' && typeof after === 'string') return changeOfText(before, after)
  if (before === undefined || after === undefined) return `${formatValue(before)} → ${formatValue(after)}`
  const [a, b] = changedPart(visible(canonical(before)), visible(canonical(after)))
  return `${clipped(a)} → ${clipped(b)}`
}

function changeOfText(before: string, after: string): string {
  const [a, b] = changedPart(visible(before), visible(after))
  const line = `“${clipped(a)}” → “${clipped(b)}”`
  return looksAlike(before, after) ? `${line} (they look alike: ${firstOther(before, after)})` : line
}

const looks = (text: string): string => latinLookalikes(withoutHidden(text).normalize('NFKC'))
const looksAlike = (a: string, b: string): boolean => looks(a) === looks(b) && withoutHidden(a) !== withoutHidden(b)

function firstOther(before: string, after: string): string {
  const [a, b] = [[...before], [...after]]
  const at = a.findIndex((letter, index) => letter !== b[index])
  return [a[at], b[at]].map((letter) => (letter === undefined ? 'nothing' : codePointName(letter))).join(' → ')
}

/** Both sides without what they have in common at either end, but for a few words. */
function changedPart(a: string, b: string): [string, string] {
  if (a.length <= SHORT && b.length <= SHORT) return [a, b]
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const from = wordStart(a, start - AROUND)
  const left = wordEnd(a, a.length - end + AROUND)
  const kept = a.length - left
  const part = (text: string): string =>
    `${from > 0 ? '… ' : ''}${text.slice(from, text.length - kept)}${kept > 0 ? ' …' : ''}`
  return [part(a), part(b)]
}

/** Before `at`, where a word begins; a word without end is cut. */
function wordStart(text: string, at: number): number {
  if (at <= 0) return 0
  const start = text.lastIndexOf(' ', at) + 1
  return at - start > AROUND ? wholeAt(text, at) : start
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.indexOf(' ', at)
  const end = space === -1 ? text.length : space
  return end - at > AROUND ? wholeAt(text, at) : end
}

function clipped(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const cut = wholeAt(text, MAX_LENGTH)
  return `${text.slice(0, cut)}… (${text.length - cut} more characters)`
}
