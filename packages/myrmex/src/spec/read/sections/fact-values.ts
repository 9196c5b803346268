/** Parses the values of facts: yes and no, durations, rates. Undefined if the words mean nothing of the kind. */
import type { DocumentTool } from '../../document.ts'

export function yesOrNo(words: string): boolean | undefined {
  if (/^(?:yes|true|y|on|✓|✔|✅)(?![A-Za-z])/i.test(words)) return true
  if (/^(?:no|none|false|n|off|never|✗|✘|❌)(?![A-Za-z])/i.test(words)) return false
  return undefined
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(ms|msecs?|milliseconds?)$/i, 1],
  [/^(s|secs?|seconds?)$/i, 1000],
  [/^(m|mins?|minutes?)$/i, 60_000],
  [/^(h|hrs?|hours?)$/i, 3_600_000],
  [/^(d|days?)$/i, 86_400_000],
]

const msOf = (amount: string, unit: string): number | undefined => {
  const factor = UNITS.find(([pattern]) => pattern.test(unit))?.[1]
  return factor === undefined ? undefined : Number(amount.replace(/[,_ ]/g, '')) * factor
}

const AMOUNT = String.raw`(\d{1,15}(?:[,_]\d{3}){0,5}(?:\.\d{1,9})?)`
const DURATION = new RegExp(`^${AMOUNT}\\s*([a-z]*)`, 'i')
const RATE = new RegExp(
  `^${AMOUNT}\\s*(?:calls?|requests?|times)?\\s*(?:per|/|an?|every|in)\\s*${AMOUNT}?\\s*([a-z]+)`,
  'i',
)

/** In milliseconds; a number without a unit is one of `unit`. */
export function duration(words: string, unit: 'ms' | 's'): number | undefined {
  const [, amount, said] = DURATION.exec(words) ?? []
  return amount === undefined ? undefined : msOf(amount, said || unit)
}

export function rate(words: string): { calls: number; per_ms: number } | undefined {
  const [, calls, amount = '1', unit = ''] = RATE.exec(words) ?? []
  const per = msOf(amount, unit)
  return calls === undefined || per === undefined
    ? undefined
    : { calls: Number(calls.replace(/[,_]/g, '')), per_ms: per }
}

export function task(words: string): NonNullable<DocumentTool['task']>['value'] | undefined {
  if (/^(allowed|optional|supported|possible)\b/i.test(words)) return 'allowed'
  if (/^(required|always|only)\b/i.test(words)) return 'required'
  const said = yesOrNo(words)
  return said === undefined ? undefined : said ? 'allowed' : false
}

/** Without the v that some write before it, and without what some write after it. */
export function version(words: string): string {
  const [first = ''] = words.split(/[\s(]/)
  return /^v?\d+\.\d+/i.test(first) ? first.replace(/^v/i, '').replace(/[,;]$/, '') : words
}

/** An answer that stands alone, not the first word of `No side effects, so it is idempotent`. */
const ANSWER = /^\p{L}+(?=\s*(?:$|[^\s\p{L}\d/]))|^[^\p{L}]/u
const AGAIN =
  /\b(?:(not |never |isn['’]t |un)?safe(?:ly)? (?:to )?(?:be )?(?:retr|repeat|call\w* (?:again|repeatedly|twice|multiple))|(?:no|without) (?:additional|further) (?:side )?effects?\b)/i

const IDEMPOTENT =
  /(\b(?:not|never|isn['’]t|non|no)\b[\s*_-]*(?:\w+[\s*_-]+){0,2}?)?(non)?idempotent\b[*_`]*(?:\s*[:=?]\s*[*_`]*(yes|no|true|false)\b)?/i

/** What a text about idempotency says first. */
export function idempotency(words: string): boolean | undefined {
  const text = words.trim().slice(0, 10_000)
  if (/^n\/a\b/i.test(text)) return undefined
  const short = yesOrNo(text)
  if (short !== undefined && ANSWER.test(text)) return short
  const found = IDEMPOTENT.exec(text)
  if (found !== null) {
    const [, not, non, said] = found
    return said === undefined ? not === undefined && non === undefined : yesOrNo(said)
  }
  const again = AGAIN.exec(text)
  return again === null ? short : again[1] === undefined
}
