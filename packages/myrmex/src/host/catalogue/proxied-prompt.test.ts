import { rawClient } from '@myrmex/testing/host/raw-client'
import { statefulHost } from '@myrmex/testing/host/stateful-server'
import { expect, onTestFinished, test } from 'vitest'

test('a server that requires arguments, even if there are none, gets them', async () => {
  const { host } = await statefulHost('child', { sessions: undefined })
  const client = await rawClient(host.server, { era: 'legacy' })
  onTestFinished(() => client.close())
  for (const given of [{ arguments: {} }, {}]) {
    const { messages } = await client.request('prompts/get', { name: 'remember', ...given })
    expect(messages).toMatchObject([{ content: { text: 'In /: {}' } }])
  }
})
