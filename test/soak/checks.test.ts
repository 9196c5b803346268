/** The checks of `npm run soak` find what they look for. The soak itself runs in `npm run test:long`. */
import { expect, test } from 'vitest'
import { leaks } from '../../soak/soak.ts'
import { Tally } from '../../soak/tally.ts'

const HELD = { heapBytes: 40 * 2 ** 20, residentBytes: 200 * 2 ** 20, files: 50, handles: { PipeWrap: 20 } }
const rounds = (change: (round: number) => Partial<typeof HELD>) =>
  Array.from({ length: 6 }, (_, round) => ({ ...HELD, ...change(round) }))

test.each([
  ['the heap', (round: number) => ({ heapBytes: HELD.heapBytes * (1 + round / 4) })],
  ['resident memory', (round: number) => ({ residentBytes: HELD.residentBytes * (1 + round / 4) })],
  ['open files', (round: number) => ({ files: 50 + round * 3 })],
  ['handles', (round: number) => ({ handles: { PipeWrap: 20 + round * 3 } })],
])('%s must not grow with the rounds', (_what, change) => {
  expect(leaks(rounds(() => ({})))).toEqual([])
  expect(leaks(rounds(change))).toHaveLength(1)
})

test('two answers with the same call id are a problem', () => {
  const tally = new Tally()
  const answer = { result: { _meta: { 'myrmex/result': { call_id: 'one' } } } }
  tally.answer(answer)
  expect(tally.problems).toEqual([])
  tally.answer(answer)
  expect(tally.problems).toEqual(['two answers have the call id one'])
  expect([...tally.answered]).toEqual(['one'])
})
