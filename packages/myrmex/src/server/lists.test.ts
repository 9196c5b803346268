/** Lists, pages, resources, prompts and completion. */

import { legacyPeer, modernPeer } from '@myrmex/testing/mcp-peer'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { prompt } from '../tool/prompt.ts'
import { resource } from '../tool/resource.ts'
import { tool } from '../tool/tool.ts'
import { createServer } from './server.ts'

const many = Array.from({ length: 25 }, (_, i) =>
  tool({
    ...toolDefaults,
    name: `m.t${String(i).padStart(2, '0')}`,
    input: z.object({}),
    output: z.null(),
    run: () => null,
  }),
)
const server = createServer({
  name: 'lists',
  version: '1.0.0',
  tools: many,
  pageSize: 10,
  resources: [
    resource({ uri: 'test://text', name: 'text', mimeType: 'text/plain', read: () => 'hello' }),
    resource({
      uri: 'test://bytes',
      name: 'bytes',
      read: () => new Uint8Array([1, 2, 3]),
      ttlMs: 50,
      cacheScope: 'public',
    }),
    resource({
      uriTemplate: 'test://item/{id}',
      name: 'item',
      read: (_uri, { id }) => (id === '0' ? undefined : `item ${id}`),
      complete: { id: (typed) => ['10', '11', '20'].filter((id) => id.startsWith(typed)) },
    }),
  ],
  prompts: [
    prompt({
      name: 'greet',
      description: 'Greets.',
      arguments: [{ name: 'who', required: true, complete: () => Array.from({ length: 150 }, (_, i) => `n${i}`) }],
      get: ({ who }) => `Hello ${who}`,
    }),
  ],
})

test('a list comes in pages, complete and in order', async () => {
  const names: string[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const { result } = await modernPeer(server).request('tools/list', cursor === undefined ? {} : { cursor })
    names.push(...result.tools.map(({ name }: { name: string }) => name))
    cursor = result.nextCursor
    pages++
  } while (cursor !== undefined)
  expect(pages).toBe(3)
  expect(names).toEqual(many.map(({ name }) => name.slice(2)))
})

test.each(['not ours', '', 7, null])('a cursor that is not ours (%j) is refused', async (cursor) => {
  expect(await modernPeer(server).request('tools/list', { cursor })).toMatchObject({ error: { code: -32602 } })
})

test('a list is rendered once per revision and shared', async () => {
  const own = createServer({ name: 'x', version: '1.0.0', tools: many.slice(0, 2) })
  const first = await modernPeer(own).request('tools/list')
  const again = await modernPeer(own).request('tools/list')
  expect(again.result).toBe(first.result)
  own.registry.register(many[2] as (typeof many)[number])
  const { result } = await modernPeer(own).request('tools/list')
  expect(result.tools).toHaveLength(3)
})

test('a tool is listed with everything derived from its definition', async () => {
  const shown = tool({
    ...toolDefaults,
    name: 'shop.sell',
    title: 'Sell',
    destructive: true,
    idempotent: false,
    deprecatedIn: '1.0.0',
    replacedBy: 'shop.trade',
    input: z.object({ sku: z.string() }),
    output: z.object({ sold: z.boolean() }),
    run: () => ({ sold: true }),
  })
  const { result } = await modernPeer(createServer({ name: 'x', version: '1.0.0', tools: [shown] })).request(
    'tools/list',
  )
  expect(result.tools).toEqual([
    {
      name: 'sell',
      title: 'Sell',
      description: 'For tests.',
      inputSchema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
      outputSchema: {
        type: 'object',
        anyOf: [
          {
            type: 'object',
            properties: { sold: { type: 'boolean' } },
            required: ['sold'],
            additionalProperties: false,
          },
          { required: ['error_type', 'error_message'] },
        ],
      },
      annotations: { title: 'Sell', readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      _meta: {
        'myrmex/name': 'shop.sell',
        'myrmex/version': '1.0.0',
        'myrmex/deprecatedIn': '1.0.0',
        'myrmex/replacedBy': 'shop.trade',
      },
    },
  ])
})

test('a tool is listed with the promises it makes', async () => {
  const promising = {
    ...toolDefaults,
    destructive: true,
    input: { type: 'object' },
    output: { type: 'object' },
    run: () => ({}),
  } as const
  const tools = [
    tool({ ...promising, name: 'shop.keyed', keyed: true }),
    tool({ ...promising, name: 'shop.none' }),
    tool({ ...promising, name: 'shop.undone', undo: () => {} }),
  ]
  const { result } = await modernPeer(createServer({ name: 'x', version: '1.0.0', tools })).request('tools/list')
  expect(result.tools.map(({ _meta }: { _meta: object }) => _meta)).toEqual([
    { 'myrmex/name': 'shop.keyed', 'myrmex/version': '1.0.0', 'myrmex/keyed': true },
    { 'myrmex/name': 'shop.none', 'myrmex/version': '1.0.0' },
    { 'myrmex/name': 'shop.undone', 'myrmex/version': '1.0.0', 'myrmex/undo': true },
  ])
})

test('resources are listed, templated and read, with caching hints in the modern era only', async () => {
  const peer = modernPeer(server)
  expect((await peer.request('resources/list')).result).toMatchObject({
    resources: [{ uri: 'test://bytes' }, { uri: 'test://text', mimeType: 'text/plain' }],
    cacheScope: 'public',
  })
  expect((await peer.request('resources/templates/list')).result.resourceTemplates).toMatchObject([
    { uriTemplate: 'test://item/{id}' },
  ])
  expect((await peer.request('resources/read', { uri: 'test://text' })).result).toMatchObject({
    contents: [{ uri: 'test://text', mimeType: 'text/plain', text: 'hello' }],
    ttlMs: 0,
    cacheScope: 'private',
  })
  expect((await peer.request('resources/read', { uri: 'test://bytes' })).result).toMatchObject({
    contents: [{ blob: 'AQID' }],
    ttlMs: 50,
    cacheScope: 'public',
  })
  expect((await peer.request('resources/read', { uri: 'test://item/7' })).result.contents).toEqual([
    { uri: 'test://item/7', text: 'item 7' },
  ])
  const old = (await (await legacyPeer(server)).request('resources/read', { uri: 'test://text' })).result
  expect(old).toEqual({ contents: [{ uri: 'test://text', mimeType: 'text/plain', text: 'hello' }] })
})

test.each(['test://nothing', 'test://item/0', 'not a uri'])('%s is not found, by each era’s code', async (uri) => {
  expect(await modernPeer(server).request('resources/read', { uri })).toMatchObject({
    error: { code: -32602, data: { uri } },
  })
  expect(await (await legacyPeer(server)).request('resources/read', { uri })).toMatchObject({
    error: { code: -32002, data: { uri } },
  })
})

test('prompts are listed and filled, and a missing argument is named', async () => {
  const peer = modernPeer(server)
  expect((await peer.request('prompts/list')).result.prompts).toEqual([
    { name: 'greet', description: 'Greets.', arguments: [{ name: 'who', required: true }] },
  ])
  expect((await peer.request('prompts/get', { name: 'greet', arguments: { who: 'Ada' } })).result.messages).toEqual([
    { role: 'user', content: { type: 'text', text: 'Hello Ada' } },
  ])
  expect(await peer.request('prompts/get', { name: 'greet' })).toMatchObject({
    error: { code: -32602, message: expect.stringMatching(/who/) },
  })
  expect(await peer.request('prompts/get', { name: 'great' })).toMatchObject({
    error: { code: -32602, data: { nearest: ['greet'] } },
  })
})

test('completion gives at most 100 values and says how many there are', async () => {
  const peer = modernPeer(server)
  const argument = { name: 'who', value: '' }
  expect(
    (await peer.request('completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument })).result
      .completion,
  ).toMatchObject({
    total: 150,
    hasMore: true,
    values: { length: 100 },
  })
  const ref = { type: 'ref/resource', uri: 'test://item/{id}' }
  expect(
    (await peer.request('completion/complete', { ref, argument: { name: 'id', value: '1' } })).result.completion.values,
  ).toEqual(['10', '11'])
  expect(
    (await peer.request('completion/complete', { ref, argument: { name: 'constructor', value: '' } })).result.completion
      .values,
  ).toEqual([])
  expect(await peer.request('completion/complete', { ref: { type: 'ref/odd' }, argument })).toMatchObject({
    error: { code: -32602 },
  })
})
