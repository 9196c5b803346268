import { withTimeLimit } from '@myrmex/testing/time-limit'
import { expect, test } from 'vitest'
import { jsonObjectIn } from './json-text.ts'

test.each<[string, string, unknown]>([
  ['an object', ' {"a": 1}\n', { a: 1 }],
  ['a fenced block', 'Here:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
  ['the last of several blocks', '```json\n{"a": "draft"}\n```\nBetter:\n```\n{"a": 2}\n```', { a: 2 }],
  ['an object in prose', 'I say {"a": {"b": "}"}} and {that} is it', { a: { b: '}' } }],
  ['the longest object in prose', 'like {"a": 1}, so {"b": [1, 2, {"c": 3}]}.', { b: [1, 2, { c: 3 }] }],
  ['quotes within quotes', 'x {"a": "say \\"}\\" now"} y', { a: 'say "}" now' }],
  ['an object after thinking aloud', '<think>{"a": "a long draft of it"}</think>{"a": 1}', { a: 1 }],
  ['a block with backticks in it', '```json\n{"a": "use ``` here"}\n```', { a: 'use ``` here' }],
])('finds %s', (_what, text, value) => {
  expect(jsonObjectIn(text)).toEqual(value)
})

test.each(['', 'no', '[1, 2]', '"text"', '{"a": ', '{a: 1}', 'null', '```json\n[1]\n```'])(
  'finds none in %j',
  (text) => {
    expect(jsonObjectIn(text)).toBeUndefined()
  },
)

test('a long text full of braces is given up on soon', () => {
  withTimeLimit(5000, () => {
    expect(jsonObjectIn('{'.repeat(200_000))).toBeUndefined()
    expect(jsonObjectIn('```\n'.repeat(100_000))).toBeUndefined()
  })
})
