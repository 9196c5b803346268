/** Values that the operator has declared public: results may contain them, and nothing else. */
import { changingServer, hostOf } from '@myrmex/testing/host/changing-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { expect, test, vi } from 'vitest'
import { Scrubber } from './scrubber.ts'

const [TOKEN, SECRET] = ['pk.map-token-0123456789', 'sk.secret-0123456789']
const both = `${TOKEN} ${SECRET}`

test('a result keeps a public value and loses a secret', () => {
  const scrubber = new Scrubber([SECRET], [TOKEN])
  const line = (message: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
  expect(scrubber.parse(line({ result: { both } }))).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { both: `${TOKEN} [secret]` },
  })
  expect(scrubber.parse(line({ error: { code: 1, message: both } }))).toMatchObject({
    error: { message: '[secret] [secret]' },
  })
  expect(scrubber.parse(line({ method: 'notifications/message', params: { both } }))).toMatchObject({
    params: { both: '[secret] [secret]' },
  })
  expect(scrubber.text(both)).toBe('[secret] [secret]')
})

test('a secret that contains a public value is removed as a whole', () => {
  const scrubber = new Scrubber([`${TOKEN}-private`], [TOKEN])
  expect(scrubber.message({ result: { text: `${TOKEN}-private` } })).toMatchObject({ result: { text: '[secret]' } })
})

test('the app of a map gets its token, and the log does not', async () => {
  const tools = [
    { name: 'show', description: 'Shows.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  ]
  const result = { content: [], structuredContent: { mapToken: TOKEN, other: SECRET } }
  const shape = { tools, repeats: true, results: { 'tools/call': result } }
  const run = async (more: object) => {
    const log = vi.fn()
    const { server } = await hostOf([changingServer('map', shape, more)], { log })
    const client = await rawClient(server, { era: 'legacy' })
    const { structuredContent } = await client.request('tools/call', { name: 'map.show', arguments: {} })
    expect(JSON.stringify(log.mock.calls)).not.toContain(TOKEN)
    return structuredContent
  }
  expect(await run({ secrets: [TOKEN, SECRET] })).toEqual({ mapToken: '[secret]', other: '[secret]' })
  expect(await run({ secrets: [SECRET], publicValues: [TOKEN] })).toEqual({ mapToken: TOKEN, other: '[secret]' })
})
