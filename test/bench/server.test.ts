/** The bench itself works, and no answer in it is wrong; how fast we are is for `npm run bench` to say. */
import { expect, test } from 'vitest'
import { smoke } from '../../bench/smoke.ts'

test('a small round of our server beside a bare loop, every answer checked', async () => {
  const { ours, bare } = await smoke()
  expect(bare).toBeGreaterThan(0)
  // The specification requires at least 1,000 calls a second on stdio.
  expect(ours).toBeGreaterThan(1000)
})
