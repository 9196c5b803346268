/** Lists of resources behind templates: every page is full, nothing comes twice, nothing is left out. */

import { legacyPeer, modernPeer } from '@myrmex/testing/mcp-peer'
import { describe, expect, test } from 'vitest'
import { resource } from '../../tool/resource.ts'
import { createServer, type Server } from '../server.ts'

const many = (noun: string, count: number) =>
  resource({
    uriTemplate: `shop://${noun}/{id}`,
    name: noun,
    mimeType: 'application/json',
    list: (after, limit) =>
      Array.from({ length: count }, (_, index) => `shop://${noun}/${String(index).padStart(3, '0')}`)
        .filter((uri) => after === undefined || uri > after)
        .slice(0, limit)
        .map((uri) => ({ uri, name: uri })),
    read: (uri) => uri,
  })

const fixed = (name: string) => resource({ uri: `shop://${name}`, name, read: () => name })

const eras = { modern: async (server: Server) => modernPeer(server), legacy: (server: Server) => legacyPeer(server) }

describe.each(['modern', 'legacy'] as const)('in the %s era', (era) => {
  test.each([1, 2, 3, 4, 7, 100])('pages of %i give everything once and in order', async (pageSize) => {
    const resources = [fixed('a'), fixed('b'), many('orders', 7), many('none', 0), many('pages', 4)]
    const peer = await eras[era](createServer({ name: 's', version: '1.0.0', resources, pageSize }))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { result } = await peer.request('resources/list', cursor === undefined ? {} : { cursor })
      if (result.nextCursor !== undefined) expect(result.resources).toHaveLength(pageSize)
      seen.push(...result.resources.map(({ uri }: { uri: string }) => uri))
      cursor = result.nextCursor
    } while (cursor !== undefined)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(13)
    expect(seen.slice(0, 3)).toEqual(['shop://a', 'shop://b', 'shop://orders/000'])
  })

  test('a cursor for a list that is gone is refused', async () => {
    const cursor = Buffer.from('after:shop://gone/{id}\nshop://gone/1').toString('base64url')
    const peer = await eras[era](createServer({ name: 's', version: '1.0.0', resources: [many('orders', 2)] }))
    expect((await peer.request('resources/list', { cursor })).error?.message).toContain('Start again')
  })
})

test('a list of a single resource is refused', () => {
  expect(() => resource({ uri: 'shop://a', name: 'a', list: () => [], read: () => '' })).toThrow('uriTemplate')
})
