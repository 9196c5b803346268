/** The fast writers say, to the letter, what JSON.stringify would say of the objects they stand for. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Outcome } from '../../pipeline/outcome.ts'
import type { ContentBlock } from '../../protocol/content.ts'
import { STATUSES } from '../../protocol/envelope.ts'
import { CallResult, modernEnvelope, type RecordedCall } from './call-result.ts'
import { encode, SharedResult, toPlainMessage } from './encode.ts'

const CALL: RecordedCall = { id: 'c-1', isPending: false, commit: (ended) => ended }

const text = fc.string({ unit: 'binary' })
const detail = fc.record({ error_type: text, error_message: text, error_details: fc.constant(null) })
const outcome = fc
  .record({
    status: fc.constantFrom(...STATUSES),
    data: fc.option(fc.dictionary(text, fc.jsonValue())),
    error: detail,
    explanation: fc.option(text),
    content: fc.option(fc.array(fc.record({ type: fc.constant('text' as const), text }))),
  })
  .map(({ status, data, error, explanation, content }) => {
    const failed = status === 'failure'
    const plain = JSON.parse(JSON.stringify(data))
    return new Outcome(
      status,
      failed ? null : plain,
      failed ? error : null,
      explanation,
      content as ContentBlock[] | null,
    )
  })

const deprecated = fc.record({
  deprecatedIn: fc.constantFrom(undefined, '1.2.0'),
  replacedBy: fc.constantFrom(undefined, 'other."tool"'),
})

test('a call result is written as it is built, in both eras, whatever is in it', () => {
  const parts = modernEnvelope({ name: 's "quoted"', version: '1' })
  fc.assert(
    fc.property(outcome, fc.oneof(fc.integer(), text), fc.boolean(), deprecated, (one, id, modern, tool) => {
      const result = new CallResult(one, { ...CALL, tool }, modern ? parts : undefined)
      const message = { jsonrpc: '2.0' as const, id, result }
      expect(encode(message)).toBe(JSON.stringify(toPlainMessage(message)))
      const { _meta } = JSON.parse(encode(message)).result
      expect(_meta['myrmex/deprecatedIn']).toBe(tool.deprecatedIn)
      expect(_meta['myrmex/replacedBy']).toBe(tool.deprecatedIn && tool.replacedBy)
    }),
  )
})

test('a shared result is written once', () => {
  const shared = new SharedResult({ tools: [1, 2] })
  expect(encode({ jsonrpc: '2.0', id: 'a"b', result: shared })).toBe(
    '{"jsonrpc":"2.0","id":"a\\"b","result":{"tools":[1,2]}}',
  )
})

test('messages in a batch are built', () => {
  const shared = new SharedResult({ a: 1 })
  expect(encode([{ jsonrpc: '2.0', id: 1, result: shared }])).toBe('[{"jsonrpc":"2.0","id":1,"result":{"a":1}}]')
})

test('what cannot be written is answered all the same', () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  const outcome = new Outcome('success', cycle, null, null, null)
  const text = encode({ jsonrpc: '2.0', id: 7, result: new CallResult(outcome, CALL, undefined) })
  expect(JSON.parse(text)).toMatchObject({ id: 7, error: { code: -32603 } })
})
