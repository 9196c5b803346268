/** What a schema says of a value as such: its type, listed values, bounds of numbers, and texts. */

import { isMultiple } from '../../../spec/containment/search/number.ts'
import { fitsFormat, isAssertedFormat } from '../../../spec/json-schema/formats.ts'
import { findReferences } from '../reference.ts'
import type { SchemaObject } from './alternatives.ts'
import { testPattern } from './follow-path.ts'
import { both, type Judgement, newFault } from './judged.ts'
import { kindOf, kindsInWords, kindsOfType, sameJson } from './kinds.ts'
import { clipped, showValue } from './problem.ts'

type Path = readonly string[]

export function judgeScalar(schema: SchemaObject, value: unknown, path: Path): Judgement {
  const kinds = kindsOfType(schema)
  const kind = kindOf(value)
  if ((kind & kinds) === 0) return newFault(path, `must be ${kindsInWords(kinds)}`, value)
  let judged: Judgement = judgeListed(schema, value, path)
  if (typeof value === 'number') judged = both(judged, judgeNumber(schema, value, path))
  else if (typeof value === 'string') judged = both(judged, judgeText(schema, value, path))
  return judged
}

const MOST_SHOWN = 8

function judgeListed(schema: SchemaObject, value: unknown, path: Path): Judgement {
  const { const: only, enum: several } = schema
  if (only === undefined && !Array.isArray(several)) return 'fits'
  // A part that is not known yet may become what is asked for.
  if (typeof value === 'object' && value !== null && !findReferences(value).next().done) return 'doubtful'
  if (only !== undefined && !sameJson(only, value)) return unlisted(path, `must be ${showValue(only)}`, value)
  if (!Array.isArray(several) || several.some((one) => sameJson(one, value))) return 'fits'
  const more = several.length > MOST_SHOWN ? ` or ${several.length - MOST_SHOWN} more` : ''
  return unlisted(path, `must be one of ${several.slice(0, MOST_SHOWN).map(showValue).join(', ')}${more}`, value)
}

const unlisted = (path: Path, why: string, seen: unknown): Judgement => [
  { code: 'bad-argument', path, why, seen, decides: true },
]

const BOUNDS: readonly [string, string, (value: number, bound: number) => boolean][] = [
  ['minimum', 'at least', (value, bound) => value >= bound],
  ['maximum', 'at most', (value, bound) => value <= bound],
  ['exclusiveMinimum', 'more than', (value, bound) => value > bound],
  ['exclusiveMaximum', 'less than', (value, bound) => value < bound],
  ['multipleOf', 'a multiple of', isMultiple],
]

function judgeNumber(schema: SchemaObject, value: number, path: Path): Judgement {
  let judged: Judgement = Number.isFinite(value) ? 'fits' : newFault(path, 'is too large for a number', undefined)
  for (const [keyword, words, holds] of BOUNDS) {
    const bound = schema[keyword]
    if (typeof bound === 'number' && !holds(value, bound))
      judged = both(judged, newFault(path, `must be ${words} ${bound}`, value))
  }
  return both(judged, judgeFormat(schema, value, path))
}

function judgeText(schema: SchemaObject, value: string, path: Path): Judgement {
  const { minLength, maxLength, pattern } = schema
  let judged: Judgement = 'fits'
  if (typeof minLength === 'number' && isShorter(value, minLength)) {
    judged = newFault(path, `must have at least ${minLength} characters`, value)
  }
  if (typeof maxLength === 'number' && !isShorter(value, maxLength + 1)) {
    judged = both(judged, newFault(path, `must have at most ${maxLength} characters`, value))
  }
  if (typeof pattern === 'string') {
    const matches = testPattern(pattern, value)
    if (matches === undefined) judged = both(judged, 'doubtful')
    else if (!matches) judged = both(judged, newFault(path, `must match ${clipped(pattern)}`, value))
  }
  return both(judged, judgeFormat(schema, value, path))
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

function judgeFormat(schema: SchemaObject, value: string | number, path: Path): Judgement {
  const { format } = schema
  if (typeof format !== 'string') return 'fits'
  if (typeof value === 'string' && value.length > LONGEST && isAssertedFormat(format)) return 'doubtful'
  if (!fitsFormat(format, value))
    return newFault(path, `must be ${/^[aei]/.test(format) ? 'an' : 'a'} ${clipped(format)}`, value)
  return BESIDE.some((keyword) => schema[keyword] !== undefined) ? 'doubtful' : 'fits'
}
