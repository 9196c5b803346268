/** What a caller learns about a tool that the host does not have yet. */
import { changingServer, hostOf } from '@myrmex/testing/host/changing-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { expect, test, vi } from 'vitest'

test('until the tools of a server have been reviewed, a call of one of them says to try again', async () => {
  const description = 'Looks up one of many things, and says what it found about each of them. '.repeat(20)
  const tools = Array.from({ length: 100 }, (_, index) => ({
    name: `look_${index}`,
    description: `${description}${index}`,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  }))
  const host = await hostOf([])
  const client = await rawClient(host.server, { era: 'modern' })
  const started = host.replace([changingServer('big', { tools }, { trust: 'verified' }).settings])
  let isStarted = false
  void started.then(() => {
    isStarted = true
  })
  await vi.waitFor(() => expect(host.servers()).toHaveLength(1))
  const unknown: string[] = []
  while (!isStarted) {
    const thrown = await client.once('tools/call', { name: 'big_look_99', arguments: {} }).catch((error) => error)
    if (typeof thrown.message === 'string' && !isStarted) unknown.push(thrown.message)
    await new Promise(setImmediate)
  }
  expect(unknown.length).toBeGreaterThan(0)
  expect(unknown.filter((message) => !message.includes('Try again later.'))).toEqual([])
})
