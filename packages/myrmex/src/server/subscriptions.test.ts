/** Changes reach those who asked for them, and nobody else. */

import { legacyPeer, modernPeer } from '@myrmex/testing/mcp-peer'
import { add, echo } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import { prompt } from '../tool/prompt.ts'
import { resource } from '../tool/resource.ts'
import { createServer } from './server.ts'

const make = () =>
  createServer({
    name: 's',
    version: '1.0.0',
    tools: [add],
    resources: [resource({ uri: 'a://x', name: 'x', read: () => '' })],
  })
const turn = () => new Promise((resolve) => setTimeout(resolve, 5))

test('listen acknowledges first, then brings what was asked for, tagged', async () => {
  const server = make()
  const peer = modernPeer(server)
  peer.request(
    'subscriptions/listen',
    { notifications: { toolsListChanged: true, resourceSubscriptions: ['a://x', 'a://unknown'], odd: true } },
    'sub-1',
  )
  await turn()
  const tagged = { 'io.modelcontextprotocol/subscriptionId': 'sub-1' }
  expect(peer.received).toEqual([
    {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: tagged, notifications: { toolsListChanged: true, resourceSubscriptions: ['a://x'] } },
    },
  ])
  server.registry.register(echo)
  server.prompts.add(prompt({ name: 'p', get: () => '' }))
  server.resourceUpdated('a://x')
  server.resourceUpdated('a://y')
  await turn()
  expect(peer.received.slice(1)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a://x', _meta: tagged } },
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: tagged } },
  ])
})

test('of many changes before the acknowledgement, the latest of each is sent after it', async () => {
  const subscribed = Promise.withResolvers<() => void>()
  const slow = resource({ uri: 'a://slow', name: 'slow', read: () => '', subscribe: () => subscribed.promise })
  const server = make()
  server.resources.add(slow)
  const peer = modernPeer(server)
  peer.request('subscriptions/listen', { notifications: { resourceSubscriptions: ['a://x', 'a://slow'] } }, 1)
  await turn()
  for (let count = 0; count < 100; count++) for (const uri of ['a://x', 'a://slow']) server.resourceUpdated(uri)
  expect(peer.received).toEqual([])
  subscribed.resolve(() => {})
  await turn()
  expect(peer.received.map(({ method, params }) => [method, params?.uri])).toEqual([
    ['notifications/subscriptions/acknowledged', undefined],
    ['notifications/resources/updated', 'a://x'],
    ['notifications/resources/updated', 'a://slow'],
  ])
})

test('many changes in one turn are announced once', async () => {
  const server = make()
  const peer = await legacyPeer(server)
  server.registry.register(echo)
  server.registry.unregister('text.echo')
  server.registry.register(echo)
  await turn()
  expect(peer.received.map(({ method }) => method)).toEqual(['notifications/tools/list_changed'])
})

test('cancelling a subscription ends it without an answer', async () => {
  const server = make()
  const peer = modernPeer(server)
  const reply = peer.request('subscriptions/listen', { notifications: { toolsListChanged: true } }, 9)
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } })
  expect(await reply).toBeUndefined()
  expect(server.hub.size).toBe(0)
})

test('a server that closes says so to its subscribers', async () => {
  const server = make()
  const peer = modernPeer(server)
  const reply = peer.request('subscriptions/listen', { notifications: {} }, 9)
  server.close()
  expect(await reply).toMatchObject({
    result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 9 } },
  })
})

test('a legacy peer subscribes to a resource, and unsubscribes', async () => {
  const server = make()
  const peer = await legacyPeer(server)
  expect(await peer.request('resources/subscribe', { uri: 'a://nothing' })).toMatchObject({ error: { code: -32002 } })
  await peer.request('resources/subscribe', { uri: 'a://x' })
  server.resourceUpdated('a://x')
  await peer.request('resources/unsubscribe', { uri: 'a://x' })
  server.resourceUpdated('a://x')
  expect(peer.received).toEqual([
    { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a://x' } },
  ])
})

test('a closed legacy peer is forgotten', async () => {
  const server = make()
  const peer = await legacyPeer(server)
  peer.close()
  expect(server.hub.size).toBe(0)
})

test.each([[{ toolsListChanged: true, resourceSubscriptions: 'x' }], [undefined], [7]])(
  'a filter of %j is malformed',
  async (notifications) => {
    expect(await modernPeer(make()).request('subscriptions/listen', { notifications })).toMatchObject({
      error: { code: -32602 },
    })
  },
)
