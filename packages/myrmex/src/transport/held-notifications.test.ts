import { expect, test } from 'vitest'
import { HeldNotifications } from './held-notifications.ts'

const progress = (value: number, part?: object) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/progress',
  params: { progressToken: 'p', progress: value, ...(part && { _meta: { 'myrmex/partial': part } }) },
})

test('of the reports and of the parts of a request the latest is kept, in order', () => {
  const held = new HeldNotifications()
  for (let n = 1; n <= 3; n++) {
    held.hold(progress(n))
    held.hold(progress(n + 0.1, { n }))
  }
  expect(held.take()).toEqual([progress(3), progress(3.1, { n: 3 })])
  expect(held.dropped).toBe(4)
})
