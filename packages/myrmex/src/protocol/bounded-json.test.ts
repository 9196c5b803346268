/** Messages of peers are parsed as JSON.parse does it, unless they have too many arrays and objects or too many levels. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_CONTAINERS, MAX_LEVELS, parseFailure, parseMessage } from './bounded-json.ts'

const failure = (text: string): string => {
  try {
    parseMessage(text)
    return ''
  } catch (thrown) {
    return parseFailure(thrown)
  }
}
const EXCESSIVE =
  /^Parse error: more than 1000000 arrays and objects, 10000 levels, or 100000 members of large objects$/
const wide = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join()}}`
const padding = JSON.stringify('x'.repeat(70_000))

test.each([
  ['many levels', '['.repeat(100_000)],
  ['many levels of objects', '{"a":'.repeat(100_000)],
  ['one level too many', `[${padding},${'['.repeat(MAX_LEVELS)}${']'.repeat(MAX_LEVELS)}]`],
  ['many arrays', `[${'[],'.repeat(MAX_CONTAINERS)}0]`],
  ['many objects', `[${'{},'.repeat(MAX_CONTAINERS)}0]`],
  ['one wide object', wide(110_000)],
  ['several wide objects', `[${Array(30).fill(wide(5000)).join()}]`],
  ['a string that ends in a backslash before them', `["${'x'.repeat(70_000)}\\\\",${'['.repeat(100_000)}`],
])('%s are refused before they are parsed', (_what, text) => expect(failure(text)).toMatch(EXCESSIVE))

test.each([
  ['as many levels as allowed', `[${padding},${'['.repeat(MAX_LEVELS - 1)}${']'.repeat(MAX_LEVELS - 1)}]`],
  ['a wide object', wide(100_000)],
  ['many narrow objects', `[${Array(300).fill(wide(1000)).join()}]`],
  ['colons in a string', JSON.stringify(':'.repeat(200_000))],
  ['brackets in a string', JSON.stringify({ a: `${'['.repeat(200_000)}"\\"${'{'.repeat(20_000)}` })],
  ['a string of escaped quotes', JSON.stringify('"'.repeat(100_000))],
])('%s pass', (_what, text) => {
  expect(failure(text)).toBe('')
  expect(typeof parseMessage(text)).toBe(typeof JSON.parse(text))
})

test('what is not JSON is only called that', () => {
  for (const text of ['', '{"secret":', `"${'x'.repeat(70_000)}`, `${']'.repeat(70_000)}`, `"${'\\'.repeat(70_001)}"`])
    expect(failure(text)).toBe('Parse error: not JSON')
})

test('long texts give what JSON.parse gives', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (json) => {
      const text = `[${padding},${json}]`
      expect(parseMessage(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 50 },
  )
})
