/** Resources with a version: only subscribers are notified of a change. */

import { legacyPeer, modernPeer, type Peer } from '@myrmex/testing/mcp-peer'
import { describe, expect, test, vi } from 'vitest'
import { resource } from '../tool/resource.ts'
import { createServer } from './server.ts'

function shelf() {
  const stock = new Map([
    ['a', 1],
    ['b', 1],
  ])
  let asked = 0
  const item = resource({
    uriTemplate: 'shop://stock/{sku}',
    name: 'stock',
    version: (_uri, { sku = '' }) => {
      asked++
      return stock.get(sku)
    },
    read: (_uri, { sku = '' }) => String(stock.get(sku)),
  })
  return { stock, asked: () => asked, server: createServer({ name: 's', version: '1.0.0', resources: [item] }) }
}

const updates = ({ received }: Peer): unknown[] =>
  received.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params?.uri)

describe.each(['modern', 'legacy'] as const)('in the %s era', (era) => {
  test('subscribers are notified once of a change, and removing a record is a change too', async () => {
    const { stock, server } = shelf()
    const peer = era === 'modern' ? modernPeer(server) : await legacyPeer(server)
    if (era === 'legacy') await peer.request('resources/subscribe', { uri: 'shop://stock/a' })
    else void peer.request('subscriptions/listen', { notifications: { resourceSubscriptions: ['shop://stock/a'] } })
    if (era === 'modern') await vi.waitFor(() => expect(peer.received).not.toHaveLength(0))
    stock.set('b', 2)
    stock.set('a', 2)
    await vi.waitFor(() => expect(updates(peer)).toEqual(['shop://stock/a']))
    stock.delete('a')
    await vi.waitFor(() => expect(updates(peer)).toEqual(['shop://stock/a', 'shop://stock/a']))
    server.close()
  })
})

test('nothing is asked for while nobody has subscribed, nor once nobody has any more', async () => {
  const { asked, server } = shelf()
  const peer = await legacyPeer(server)
  expect(asked()).toBe(0)
  await peer.request('resources/subscribe', { uri: 'shop://stock/a' })
  await vi.waitFor(() => expect(asked()).toBeGreaterThan(2))
  await peer.request('resources/unsubscribe', { uri: 'shop://stock/a' })
  let before = -1
  await vi.waitFor(
    () => {
      const now = asked()
      const still = now === before
      before = now
      expect(still).toBe(true)
    },
    { timeout: 3000, interval: 500 },
  )
  server.close()
})
