/** Values of which parts are not known yet, against schemas: what is certain all the same, and what must stay in doubt. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { type JudgeOptions, judge, scopeOf } from './judge.ts'

const LATER = { $from: 's1', path: '' }
const isLater = (part: unknown): boolean => part === LATER
const OPTIONS: JudgeOptions = {
  judgeUnknown: (part) => (isLater(part) ? 'unknown' : undefined),
  hasUnknown: (value) => isLater(value) || Object.values(value as object).some(isLater),
}
const text: JsonObject = { type: 'string' }
const number: JsonObject = { type: 'number' }
const either: JsonObject = {
  oneOf: [
    { properties: { kind: { const: 'a' }, x: text }, required: ['kind', 'x'] },
    { properties: { kind: { const: 'b' }, y: number }, required: ['kind', 'y'] },
  ],
}

const said = (schema: JsonObject, value: unknown): string => {
  const judged = judge(schema, value, scopeOf(schema), OPTIONS)
  return typeof judged === 'object' ? judged.map(({ path, why }) => `/${path.join('/')} ${why}`).join('; ') : judged
}

test.each<[string, JsonObject, unknown, string]>([
  ['a value that fits', { properties: { a: text } }, { a: 'x' }, 'fits'],
  ['a part that is not known', { properties: { a: text } }, { a: LATER }, 'unknown'],
  ['a fault beside it', { properties: { a: text, b: text } }, { a: LATER, b: 1 }, '/b must be string'],
  ['a choice that what is known decides', either, { kind: 'a', x: LATER, y: 1 }, 'unknown'],
  ['a choice that is missing something', either, { kind: 'b', x: LATER }, '/y is required and missing'],
  ['a choice that is not known', either, { kind: LATER, x: 'x' }, 'unknown'],
  ['two choices that both fit', { oneOf: [number, { type: 'integer' }] }, 1, '/ fits 2 of 2 choices, and must fit one'],
  ['none of three', { anyOf: [text, { type: 'null' }] }, 1, '/ must be string, or must be null'],
  ['what is ruled out', { not: { required: ['a'] } }, { a: LATER }, '/ is ruled out by "not"'],
  [
    'a condition on what is not known',
    { if: { properties: { a: { const: 1 } } }, else: { required: ['b'] } },
    { a: LATER },
    'unknown',
  ],
  ['a list with something unknown in it', { items: text, uniqueItems: true }, ['a', LATER, 'a'], 'unknown'],
  ['a list with one thing twice', { uniqueItems: true }, [1, 2, 1], '/2 repeats an earlier item'],
  [
    'too few of a kind',
    { contains: text, minContains: 2 },
    [LATER, 1],
    '/ must have at least 2 items fitting "contains"',
  ],
  [
    'too many of a kind',
    { contains: text, maxContains: 1 },
    ['a', 'b', LATER],
    '/ must have at most 1 item fitting "contains", and has 2',
  ],
  ['perhaps enough of a kind', { contains: text }, [LATER], 'unknown'],
  ['listed values, one part unknown', { enum: [{ a: 1 }] }, { a: LATER }, 'unknown'],
  ['a length in characters', { maxLength: 2 }, '😀😀', 'fits'],
  ['a length too many', { maxLength: 2 }, '😀😀😀', '/ must have at most 2 characters'],
  ['a format', { format: 'date' }, '2026-02-30', '/ must be a date'],
  ['a format with a vowel', { format: 'email' }, 'nobody', '/ must be an email'],
  ['a multiple', { multipleOf: 0.5 }, 0.75, '/ must be a multiple of 0.5'],
  ['what depends on another', { dependentRequired: { a: ['b'] } }, { a: LATER }, '/b is required and missing'],
  ['names', { propertyNames: { pattern: '^x' } }, { y: 1 }, '/y is a name that "propertyNames" does not allow'],
])('%s', (_, schema, value, expected) => {
  expect(said(schema, value)).toBe(expected)
})
