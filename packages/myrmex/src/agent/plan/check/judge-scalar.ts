/** What a schema says of a value as such: its type, listed values, bounds of numbers, and texts. */
import { fitsFormat, isAsserted } from '../../../spec/containment/formats.ts'
import { isMultiple } from '../../../spec/containment/number.ts'
import { referring } from '../reference.ts'
import type { Node } from './alternatives.ts'
import { tried } from './follow.ts'
import { all, type Judged, no } from './judged.ts'
import { kindOf, kindsInWords, same, typedKinds } from './kinds.ts'
import { clipped, shown } from './problem.ts'

type Path = readonly string[]

export function judgeScalar(schema: Node, value: unknown, path: Path): Judged {
  const kinds = typedKinds(schema)
  const kind = kindOf(value)
  if ((kind & kinds) === 0) return no(path, `must be ${kindsInWords(kinds)}`, value)
  let judged: Judged = judgeListed(schema, value, path)
  if (typeof value === 'number') judged = all(judged, judgeNumber(schema, value, path))
  else if (typeof value === 'string') judged = all(judged, judgeText(schema, value, path))
  return judged
}

const MOST_SHOWN = 8

function judgeListed(schema: Node, value: unknown, path: Path): Judged {
  const { const: only, enum: several } = schema
  if (only === undefined && !Array.isArray(several)) return 'fits'
  // A part that is not known yet may become what is asked for.
  if (typeof value === 'object' && value !== null && !referring(value).next().done) return 'doubtful'
  if (only !== undefined && !same(only, value)) return unlisted(path, `must be ${shown(only)}`, value)
  if (!Array.isArray(several) || several.some((one) => same(one, value))) return 'fits'
  const more = several.length > MOST_SHOWN ? ` or ${several.length - MOST_SHOWN} more` : ''
  return unlisted(path, `must be one of ${several.slice(0, MOST_SHOWN).map(shown).join(', ')}${more}`, value)
}

const unlisted = (path: Path, why: string, seen: unknown): Judged => [
  { code: 'bad-argument', path, why, seen, decides: true },
]

const BOUNDS: readonly [string, string, (value: number, bound: number) => boolean][] = [
  ['minimum', 'at least', (value, bound) => value >= bound],
  ['maximum', 'at most', (value, bound) => value <= bound],
  ['exclusiveMinimum', 'more than', (value, bound) => value > bound],
  ['exclusiveMaximum', 'less than', (value, bound) => value < bound],
  ['multipleOf', 'a multiple of', isMultiple],
]

function judgeNumber(schema: Node, value: number, path: Path): Judged {
  let judged: Judged = Number.isFinite(value) ? 'fits' : no(path, 'is too large for a number', undefined)
  for (const [keyword, words, holds] of BOUNDS) {
    const bound = schema[keyword]
    if (typeof bound === 'number' && !holds(value, bound))
      judged = all(judged, no(path, `must be ${words} ${bound}`, value))
  }
  return all(judged, judgeFormat(schema, value, path))
}

function judgeText(schema: Node, value: string, path: Path): Judged {
  const { minLength, maxLength, pattern } = schema
  let judged: Judged = 'fits'
  if (typeof minLength === 'number' && isShorter(value, minLength)) {
    judged = no(path, `must have at least ${minLength} characters`, value)
  }
  if (typeof maxLength === 'number' && !isShorter(value, maxLength + 1)) {
    judged = all(judged, no(path, `must have at most ${maxLength} characters`, value))
  }
  if (typeof pattern === 'string') {
    const matches = tried(pattern, value)
    if (matches === undefined) judged = all(judged, 'doubtful')
    else if (!matches) judged = all(judged, no(path, `must match ${clipped(pattern)}`, value))
  }
  return all(judged, judgeFormat(schema, value, path))
}

/** In characters, not in UTF-16 units; a long text is not counted to its end. */
function isShorter(text: string, length: number): boolean {
  if (text.length < length) return true
  if (text.length >= length * 2) return false
  return [...text].length < length
}

/** The tests of formats are the validator's own, and some of them are slow on long texts. */
const LONGEST = 2_000
const BESIDE = ['formatMinimum', 'formatMaximum', 'formatExclusiveMinimum', 'formatExclusiveMaximum'] as const

function judgeFormat(schema: Node, value: string | number, path: Path): Judged {
  const { format } = schema
  if (typeof format !== 'string') return 'fits'
  if (typeof value === 'string' && value.length > LONGEST && isAsserted(format)) return 'doubtful'
  if (!fitsFormat(format, value))
    return no(path, `must be ${/^[aei]/.test(format) ? 'an' : 'a'} ${clipped(format)}`, value)
  return BESIDE.some((keyword) => schema[keyword] !== undefined) ? 'doubtful' : 'fits'
}
