/** What the keywords about any value, numbers and strings say: type, listed values, bounds, length, pattern and format. */
import { plural } from '../../protocol/text.ts'
import { fitsFormat } from './formats.ts'
import type { JudgedPart, SchemaObject } from './judge.ts'
import { both, type Judgement, newFault } from './judgement.ts'
import { kindOf, kindsInWords, kindsOfType, sameJson } from './kinds.ts'
import { matchesPattern } from './pattern.ts'
import { clipText, showValue } from './show-value.ts'

type Path = readonly string[]

export function judgeScalar(part: JudgedPart): Judgement {
  const { schema, value, path } = part
  const kinds = kindsOfType(schema)
  if ((kindOf(value) & kinds) === 0) return newFault(path, `must be ${kindsInWords(kinds)}`, value)
  const listed = judgeListed(part)
  if (typeof value === 'number') return both(listed, judgeNumber(schema, value, path))
  return typeof value === 'string' ? both(listed, judgeString(schema, value, path)) : listed
}

const MAX_SHOWN = 8

function judgeListed({ schema, value, path, judging }: JudgedPart): Judgement {
  const { const: only, enum: several } = schema
  if (only === undefined && !Array.isArray(several)) return 'fits'
  // A part that is not known yet may become what is asked for.
  if (typeof value === 'object' && value !== null && judging.options.hasUnknown?.(value) === true) return 'unknown'
  if (only !== undefined && !sameJson(only, value)) return unlisted(path, `must be ${showValue(only)}`, value)
  if (!Array.isArray(several) || several.some((one) => sameJson(one, value))) return 'fits'
  const more = several.length > MAX_SHOWN ? ` or ${several.length - MAX_SHOWN} more` : ''
  return unlisted(path, `must be one of ${several.slice(0, MAX_SHOWN).map(showValue).join(', ')}${more}`, value)
}

const unlisted = (path: Path, why: string, seen: unknown): Judgement => [
  { code: 'invalid', path, why, seen, decides: true },
]

const BOUNDS: readonly [string, string, (value: number, bound: number) => boolean][] = [
  ['minimum', 'at least', (value, bound) => value >= bound],
  ['maximum', 'at most', (value, bound) => value <= bound],
  ['exclusiveMinimum', 'more than', (value, bound) => value > bound],
  ['exclusiveMaximum', 'less than', (value, bound) => value < bound],
  ['multipleOf', 'a multiple of', isMultiple],
]

/** As the validator divides, with its rounding. */
export function isMultiple(value: number, of: number): boolean {
  const quotient = value / of
  return quotient === Number.parseInt(String(quotient), 10)
}

function judgeNumber(schema: SchemaObject, value: number, path: Path): Judgement {
  let judged: Judgement = Number.isFinite(value) ? 'fits' : newFault(path, 'is too large for a number')
  for (const [keyword, words, holds] of BOUNDS) {
    const bound = schema[keyword]
    if (typeof bound === 'number' && !holds(value, bound))
      judged = both(judged, newFault(path, `must be ${words} ${bound}`, value))
  }
  return both(judged, judgeFormat(schema, value, path))
}

function judgeString(schema: SchemaObject, value: string, path: Path): Judgement {
  const { minLength, maxLength, pattern } = schema
  let judged: Judgement = 'fits'
  if (typeof minLength === 'number' && isShorter(value, minLength))
    judged = newFault(path, `must have at least ${counted(minLength)}`, value)
  if (typeof maxLength === 'number' && !isShorter(value, maxLength + 1))
    judged = both(judged, newFault(path, `must have at most ${counted(maxLength)}`, value))
  if (typeof pattern === 'string') {
    const matches = matchesPattern(pattern, value)
    if (matches === undefined) judged = both(judged, 'unknown')
    else if (!matches) judged = both(judged, newFault(path, `must match ${clipText(pattern)}`, value))
  }
  return both(judged, judgeFormat(schema, value, path))
}

const counted = (count: number): string => plural(count, 'character')

/** Counts characters, not UTF-16 units, and does not count a long text to its end. */
function isShorter(text: string, length: number): boolean {
  if (text.length < length) return true
  if (text.length >= length * 2) return false
  return [...text].length < length
}

const FORMAT_BOUNDS = ['formatMinimum', 'formatMaximum', 'formatExclusiveMinimum', 'formatExclusiveMaximum'] as const

function judgeFormat(schema: SchemaObject, value: string | number, path: Path): Judgement {
  const { format } = schema
  if (typeof format !== 'string') return 'fits'
  const fits = fitsFormat(format, value)
  if (fits === undefined) return 'unknown'
  if (!fits) return newFault(path, `must be ${/^[aei]/.test(format) ? 'an' : 'a'} ${clipText(format)}`, value)
  return FORMAT_BOUNDS.some((keyword) => schema[keyword] !== undefined) ? 'unknown' : 'fits'
}
