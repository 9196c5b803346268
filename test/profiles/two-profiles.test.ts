/** Two clients with two profiles on one host: each sees and reaches its own, by every name and on every path. */

import { rawClient } from '@myrmex/testing/host/raw-client'
import { post, postModern } from '@myrmex/testing/http-server'
import { propertyRuns } from '@myrmex/testing/long'
import { callerIn, twoServers } from '@myrmex/testing/profiles/two-servers'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { sdk1 } from '../interop/clients/sdk1.ts'
import { sdk2 } from '../interop/clients/sdk2.ts'

const deny = () => ({ action: 'decline' }) as const
const names = (items: readonly { name: string }[]): string[] => items.map(({ name }) => name).sort()

describe.each([sdk1, ...sdk2])('$name', ({ connect }) => {
  test('sees and calls only what its profile covers', async () => {
    const { origin, file } = await twoServers()
    const at = (profile: string) => connect({ kind: 'http', url: `${origin}/mcp/p/${profile}` } as never, deny)
    const [ants, bees] = [await at('ants'), await at('bees')]
    expect(names(await ants.tools())).toEqual([
      ...['ants_read_ants', 'ants_wait_ants', 'ants_write_ants', 'myrmex_call_tool', 'myrmex_search_tools'],
    ])
    // Read-only: the tool that changes state is not there.
    expect(names(await bees.tools())).toEqual([
      ...['bees_read_bees', 'bees_wait_bees', 'myrmex_call_tool', 'myrmex_search_tools'],
    ])
    expect((await ants.resources()).map(({ uri }) => uri)).toEqual(['ants://note'])
    expect((await bees.templates()).map(({ uriTemplate }) => uriTemplate)).toEqual(['bees://item/{id}'])
    expect(names(await bees.prompts()).join()).toMatch(/^(bees_)?greet_bees$/)
    expect(await ants.read('ants://note')).toMatchObject([{ text: 'words of ants' }])
    await expect(ants.read('bees://note')).rejects.toThrow(/not found|Unknown resource/i)
    await expect(ants.read('bees://item/1')).rejects.toThrow(/not found|Unknown resource/i)
    for (const name of ['bees_read_bees', 'bees.read_bees', 'read_bees', 'bees_write_bees'])
      await expect(ants.call(name, {})).rejects.toThrow(`Unknown tool: ${name}`)
    await expect(bees.call('bees_write_bees', {})).rejects.toThrow('Unknown tool')
    for (const name of ['ants_read_ants', 'ants.read_ants', 'read_ants'])
      expect(await ants.call(name, {})).toMatchObject({ structuredContent: { name: 'read_ants' } })
    await expect(ants.call('call_tool', { name: 'bees.read_bees' })).rejects.toThrow('Unknown tool')
    const found = await ants.call('search_tools', { query: 'read the secret plan of bees' })
    expect(JSON.stringify(found)).not.toContain('bees.')
    await expect(ants.complete({ type: 'ref/resource', uri: 'bees://item/{id}' }, 'id', 'v')).rejects.toThrow()
    expect(await bees.complete({ type: 'ref/resource', uri: 'bees://item/{id}' }, 'id', 'v')).toEqual(['value of bees'])
    await ants.close()
    await bees.close()
    const records = file.lines()
    expect(records.find(({ tool }) => tool === 'ants.read_ants')).toMatchObject({ profile: 'ants' })
  })
})

/** Everything that a caller can send, with names of something. `what` is text that occurs in no answer unless it leaks. */
const REQUESTS = (name: string, uri: string): [method: string, params: Record<string, unknown>][] => [
  ['tools/call', { name, arguments: {} }],
  ['tools/call', { name, arguments: {}, _meta: { 'myrmex/version': '>=0.0.0' } }],
  ...['^7.0.0', 'not a range', '1'.repeat(300), '', 7, null].map((version): [string, Record<string, unknown>] => [
    'tools/call',
    { name, arguments: {}, _meta: { 'myrmex/version': version } },
  ]),
  ...[
    { 'myrmex/undo': 'a call' },
    { 'myrmex/dry-run': true },
    { 'myrmex/idempotencyKey': 'k' },
    { 'myrmex/idempotency-key': 7 },
    { 'myrmex/run': 'r', 'myrmex/step': 's' },
    { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
  ].map((_meta): [string, Record<string, unknown>] => ['tools/call', { name, arguments: {}, _meta }]),
  ['tools/call', { name, arguments: 'none' }],
  ['tools/call', { name, arguments: { a: 1 }, task: {} }],
  ['tools/call', { name, arguments: {}, task: { ttl: 'x' } }],
  ['tools/call', { name, arguments: {}, requestState: 'x', inputResponses: {} }],
  ['tools/call', { name: 'call_tool', arguments: { name, arguments: {} }, task: {} }],
  ['tools/call', { name: 'call_tool', arguments: { name }, _meta: { 'myrmex/version': 'not a range' } }],
  ['tools/call', { name: 'call_tool', arguments: { name } }],
  ['tools/call', { name: 'myrmex.call_tool', arguments: { name, arguments: { a: 1 } } }],
  ['tools/call', { name: 'myrmex_call_tool', arguments: { name: 'call_tool', arguments: { name } } }],
  ['tools/call', { name: 'search_tools', arguments: { query: 'plan', limit: 50 } }],
  ['tools/list', { _meta: { 'myrmex/refusals': [{ name, arguments: {} }] } }],
  ['tools/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['prompts/list', {}],
  ['resources/read', { uri }],
  ['resources/subscribe', { uri }],
  ['resources/unsubscribe', { uri }],
  ['prompts/get', { name }],
  ['completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: 'whom', value: '' } }],
  ['completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name: 'id', value: '' } }],
  [
    'myrmex/batch',
    {
      calls: [
        { name, arguments: {} },
        { tool_name: name, arguments: {} },
      ],
    },
  ],
]

test('nothing outside the profile is reachable, and no answer tells that it is there', async () => {
  const { host, origin } = await twoServers({}, { app: true })
  const [legacy, modern] = await Promise.all(
    (['legacy', 'modern'] as const).map((era) => rawClient(host.server, { era, principal: callerIn('ants') })),
  )
  const { result } = (await postModern(`${origin}/mcp/p/ants`, 'server/discover')).json
  expect(result.instructions).toContain('How to use ants')
  expect(JSON.stringify(result)).not.toContain('bees')
  const hidden = [
    'bees.read_bees',
    'bees_read_bees',
    'read_bees',
    'bees.write_bees',
    'greet_bees',
    'bees_greet_bees',
    'bees.panel_bees',
  ]
  const missing = [
    'bexx.read_bexx',
    'bexx_read_bexx',
    'read_bexx',
    'bexx.write_bexx',
    'greet_bexx',
    'bexx_greet_bexx',
    'bexx.panel_bexx',
  ]
  const uris = [
    'bees://note',
    'bees://item/7',
    'bees://unlisted',
    'BEES://note',
    'bees+bees://note',
    'bees://item/{id}',
  ]
  const pair = fc.record({
    at: fc.nat(hidden.length - 1),
    uri: fc.nat(uris.length - 1),
    request: fc.nat(REQUESTS('', '').length - 1),
    era: fc.constantFrom(legacy, modern),
  })
  const answer = async (client: typeof legacy, name: string, uri: string, index: number): Promise<string> => {
    const [method, { _meta, ...params }] = REQUESTS(name, uri)[index] as [string, { _meta?: Record<string, unknown> }]
    const asked = client?.once(method, params, _meta)
    return JSON.stringify(await asked?.catch((error) => ({ error })))
  }
  await fc.assert(
    fc.asyncProperty(pair, async ({ at, uri, request, era }) => {
      const real = await answer(era, hidden[at] as string, uris[uri] as string, request)
      const invented = await answer(
        era,
        missing[at] as string,
        (uris[uri] as string).replaceAll('bees', 'bexx').replaceAll('BEES', 'BEXX'),
        request,
      )
      // An item that exists gets the same answer as one that does not, except for ids and the name, which the caller sent.
      const plain = (text: string): string =>
        text
          .replaceAll(/bees|bexx/gi, 'x')
          .replaceAll(/"call_id":"[^"]*"/g, '')
          .replaceAll(/[0-9a-z]{6,}-\d+|[0-9a-f]{8}-[0-9a-f-]{27}/g, '')
      expect(plain(real)).toBe(plain(invented))
      expect(real).not.toMatch(/secret plan of bees|words of bees|value of bees/)
    }),
    { numRuns: propertyRuns(150, 3000) },
  )
})

test('plain calls and batches have URLs of a profile too', async () => {
  const { origin } = await twoServers()
  const call = (path: string, tool_name: string) => post(`${origin}${path}`, { tool_name, arguments: {} })
  expect((await call('/p/ants/call', 'ants.read_ants')).json).toMatchObject({ status: 'success' })
  expect((await call('/p/ants/call', 'bees.read_bees')).json).toMatchObject({
    error: {
      error_type: 'ToolNotFoundError',
      error_details: { nearest: expect.not.arrayContaining(['bees.read_bees']) },
    },
  })
  const batch = await post(`${origin}/p/ants/batch`, {
    calls: ['ants.read_ants', 'bees.read_bees'].map((tool_name) => ({ tool_name, arguments: {} })),
  })
  expect(batch.json).toMatchObject({ results: [{ status: 'success' }, { status: 'failure' }] })
  expect(await call('/p/antz/call', 'ants.read_ants')).toMatchObject({
    status: 404,
    json: { error: { error_message: expect.stringContaining('Did you mean ants?') } },
  })
})

test('a session belongs to its profile', async () => {
  const { origin } = await twoServers()
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const opened = await post(`${origin}/mcp/p/ants`, { jsonrpc: '2.0', id: 0, method: 'initialize', params })
  const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
  const list = (path: string) => post(`${origin}${path}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers)
  expect((await list('/mcp/p/ants')).status).toBe(200)
  for (const path of ['/mcp', '/mcp/p/bees']) expect((await list(path)).status).toBe(404)
})

test('a profile that changes takes effect at once, and tells only the clients whose view changed', async () => {
  const { host, origin } = await twoServers()
  const connect = async (profile: string) => {
    const client = await sdk2[0]?.connect({ kind: 'http', url: `${origin}/mcp/p/${profile}` } as never, deny)
    const heard: string[] = []
    if (client !== undefined) client.onNotification = ({ method }: { method: string }) => void heard.push(method)
    return { client, heard }
  }
  const [ants, bees] = [await connect('ants'), await connect('bees')]
  const { profiles } = host.server.pipeline
  profiles.replace([
    { name: 'ants', tools: ['ants.read_ants'], readOnly: false },
    { name: 'bees', servers: ['bees'], readOnly: true },
  ])
  await vi.waitFor(() => expect(ants.heard).toContain('notifications/tools/list_changed'))
  expect(names((await ants.client?.tools()) ?? [])).toEqual([
    ...['ants_read_ants', 'myrmex_call_tool', 'myrmex_search_tools'],
  ])
  await expect(ants.client?.call('ants_write_ants', {})).rejects.toThrow('Unknown tool')
  // A new tool of ants is no news for bees.
  host.server.registry.unregister('ants.wait_ants')
  expect(names((await bees.client?.tools()) ?? [])).toHaveLength(4)
  expect(bees.heard).toEqual([])
  // Without its profile, a client has nothing.
  profiles.replace([{ name: 'bees', readOnly: true }])
  await expect(ants.client?.tools()).rejects.toThrow()
  await ants.client?.close()
  await bees.client?.close()
})

test('a profile can list two tools to search with, while the host lists all', async () => {
  const { origin } = await twoServers(
    {},
    {
      profiles: [
        { name: 'few', servers: ['ants'], readOnly: false, list: 'search', alwaysList: ['ants.read_ants'] },
        { name: 'all', readOnly: false, list: 'all' },
      ],
    },
  )
  const list = async (path: string) =>
    names((await postModern(`${origin}${path}`, 'tools/list')).json.result.tools as { name: string }[])
  expect(await list('/mcp/p/few')).toEqual(['ants_read_ants', 'myrmex_call_tool', 'myrmex_search_tools'])
  expect(await list('/mcp/p/all')).toHaveLength(8)
  const call = { name: 'call_tool', arguments: { name: 'ants.write_ants' } }
  expect((await postModern(`${origin}/mcp/p/few`, 'tools/call', call)).json.result.isError).toBeUndefined()
})
