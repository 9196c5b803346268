/**
 * The short form of `npm run test:fuzz`: a thousand hostile messages to every target, the same ones each time. The rest checks the
 * fuzz itself: that it finds what it looks for.
 */
import { LONG } from '@myrmex/testing/long'
import { describe, expect, test } from 'vitest'
import { SeededRandom } from '../../crash/seeded-random.ts'
import { CaseFailure, checkReply, checkResponse, dueAnswer } from '../../fuzz/check-reply.ts'
import { fuzz } from '../../fuzz/fuzz.ts'
import { hostileLine, hostileText } from '../../fuzz/generate/hostile-message.ts'
import { memoryGrowth } from '../../fuzz/memory-growth.ts'
import { fuzzTable } from '../../fuzz/report.ts'

test('hostile messages crash nothing, hang nothing and are all answered', {
  timeout: 300_000,
}, async () => {
  const results = await fuzz({ seed: 17, messages: LONG ? 20_000 : 1500, parallel: 2, processes: 2 })
  expect(
    results.flatMap(({ failures }) => failures),
    fuzzTable(results),
  ).toEqual([])
  for (const { target, stats } of results) expect(stats?.messages, target).toBeGreaterThan(50)
})

test('a case is the same whenever it is generated', () => {
  for (let number = 0; number < 200; number++) {
    const line = (): Buffer => hostileLine('modern', new SeededRandom(1, number), number, 0)
    const first = line()
    hostileText('legacy', new SeededRandom('other', number), number)
    expect(line().equals(first), `case ${number}`).toBe(true)
  }
})

describe('the check of replies finds', () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'ping' }
  test.each([
    ['no answer to a request', request, undefined],
    ['an answer with another id', request, { jsonrpc: '2.0', id: 2, result: {} }],
    ['a result that is no object', request, { jsonrpc: '2.0', id: 1, result: 7 }],
    ['a result and an error', request, { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } }],
    ['an error without a code', request, { jsonrpc: '2.0', id: 1, error: { message: 'no' } }],
    ['a fault of ours', request, { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'no' } }],
    ['a stack', request, { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'at x (session.ts:12)' } }],
    ['an answer to a notification', { jsonrpc: '2.0', method: 'x' }, { jsonrpc: '2.0', id: 1, result: {} }],
    ['an answer to a response', { jsonrpc: '2.0', id: 1, result: {} }, { jsonrpc: '2.0', id: 1, result: {} }],
    ['silence about what is no message', 7, undefined],
  ])('%s', (_what, sent, reply) => {
    expect(() => checkReply(dueAnswer(sent), reply)).toThrow(CaseFailure)
  })

  test('nothing wrong with valid ones', () => {
    checkReply(dueAnswer(request), { jsonrpc: '2.0', id: 1, result: {} })
    checkReply(dueAnswer({ jsonrpc: '1.0', id: 'a' }), {
      jsonrpc: '2.0',
      id: 'a',
      error: { code: -32_600, message: 'x' },
    })
    checkReply(dueAnswer([request], true), [{ jsonrpc: '2.0', id: 1, result: {} }])
    checkReply(dueAnswer([request]), { jsonrpc: '2.0', error: { code: -32_600, message: 'x' } })
    checkResponse({ jsonrpc: '2.0', error: { code: -32_700, message: 'x' } })
  })
})

test('memory that grows is distinguished from memory that fills up and stays', () => {
  const mebibytes = (...samples: number[]): number[] => samples.map((one) => one * 2 ** 20)
  expect(memoryGrowth(mebibytes(10, 30, 38, 40, 40, 41, 40, 40, 41, 40, 40)).isLeak).toBe(false)
  expect(memoryGrowth(mebibytes(10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110)).isLeak).toBe(true)
})
