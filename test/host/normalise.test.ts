/** The comparison must not look away: whatever differs in what a server said still differs when it is plain. */
import { expect, test } from 'vitest'
import { normaliseError, normaliseResult, withoutFailureSchema } from './normalise.ts'

const FOLDER = '/tmp/x/direct/everything'
const SAID = {
  content: [{ type: 'text', text: `made at 10:01:02 AM in ${FOLDER}`, annotations: { priority: 0.5 } }],
  structuredContent: { sum: 3, list: [1, 2], left: null },
  _meta: { 'vendor/key': 'v' },
}

test('what the host, the era, the clock and the folder add is taken away', () => {
  const { _meta, ...rest } = SAID
  const hosted = {
    ...rest,
    content: [{ ...rest.content[0], text: 'made at 11:59:59 PM in /tmp/x/hosted/everything' }],
    resultType: 'complete',
    _meta: { ..._meta, 'myrmex/result': { status: 'success' }, 'io.modelcontextprotocol/serverInfo': { name: 'h' } },
  }
  expect(normaliseResult(hosted, '/tmp/x/hosted/everything')).toEqual(normaliseResult(SAID, FOLDER))
})

test.each([
  ['a word', { content: [{ ...SAID.content[0], text: 'Made at 10:01:02 AM' }] }],
  ['an annotation', { content: [{ ...SAID.content[0], annotations: { priority: 0.6 } }] }],
  ['a block', { content: [] }],
  ['a number within', { structuredContent: { ...SAID.structuredContent, sum: 4 } }],
  ['an order', { structuredContent: { ...SAID.structuredContent, list: [2, 1] } }],
  ['a null', { structuredContent: { sum: 3, list: [1, 2] } }],
  ['an unknown field', { vendor: 1 }],
  ['a failure', { isError: true }],
  ['a foreign key of _meta', { _meta: { 'vendor/key': 'w' } }],
])('%s that differs is seen', (_what, change) => {
  expect(normaliseResult({ ...SAID, ...change }, FOLDER)).not.toEqual(normaliseResult(SAID, FOLDER))
})

test('errors differ by code, message and data', () => {
  const error = { code: -32602, message: 'MCP error -32602: no such thing', data: { uri: 'a' } }
  expect(normaliseError(error, FOLDER)).toEqual({ code: -32602, message: 'no such thing', data: { uri: 'a' } })
})

test('only the very form of a failure of ours is taken out of an output schema', () => {
  const theirs = { type: 'object', properties: { a: {} } }
  const ours = { required: ['error_type', 'error_message'] }
  const wrapped = (...anyOf: object[]) => ({ outputSchema: { type: 'object', anyOf } })
  expect(withoutFailureSchema(wrapped(theirs, ours))).toEqual({ outputSchema: theirs })
  for (const other of [wrapped(theirs, theirs), wrapped(theirs, ours, theirs), { outputSchema: theirs }])
    expect(withoutFailureSchema(other)).toBe(other)
})
