/** The caching hints of the modern era: how long a client may cache an answer, and whether others may get the same one. */

import { rawClient } from '@myrmex/testing/host/raw-client'
import { legacyPeer, modernPeer } from '@myrmex/testing/mcp-peer'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { type Tool, tool } from '../tool/tool.ts'
import { createServer } from './server.ts'
import type { ServerOptions } from './server-options.ts'

const cached = (name: string, cacheTtl?: number): Tool =>
  tool({
    ...toolDefaults,
    name: `hints.${name}`,
    input: z.object({}),
    output: z.null(),
    run: () => null,
    ...(cacheTtl !== undefined && { cacheTtl }),
  })
const serverOf = (tools: readonly Tool[], options: Partial<ServerOptions> = {}) =>
  createServer({ name: 'hints', version: '1.0.0', tools, ...options })
const hints = async (server: ReturnType<typeof serverOf>, params: object = {}, method = 'tools/list') => {
  const { result } = await modernPeer(server).request(method, params)
  return { ttlMs: result.ttlMs, cacheScope: result.cacheScope, nextCursor: result.nextCursor }
}

test.each([
  ['the default without tools', [], 300_000],
  ['the default of 300 seconds', [undefined], 300_000],
  ['what its tool allows, also if that is longer', [3600], 3_600_000],
  ['what the tool allows that allows least', [3600, 7, 60], 7000],
  ['nothing, if a tool may not be cached', [60, 0], 0],
  ['whole milliseconds', [0.0125], 12],
  ['the largest number that JSON readers take', [Number.MAX_SAFE_INTEGER], Number.MAX_SAFE_INTEGER],
] as const)('the time for a list of tools is %s', async (_what, ttls, ttlMs) => {
  const tools = ttls.map((ttl, index) => cached(`t${index}`, ttl))
  expect(await hints(serverOf(tools))).toMatchObject({ ttlMs, cacheScope: 'public' })
})

test('each page has the time of its own tools', async () => {
  const server = serverOf([cached('a', 60), cached('b', 5), cached('c', 900)], { pageSize: 1 })
  const times: number[] = []
  let cursor: string | undefined
  do {
    const { ttlMs, nextCursor } = await hints(server, cursor === undefined ? {} : { cursor })
    times.push(ttlMs)
    cursor = nextCursor
  } while (cursor !== undefined)
  expect(times).toEqual([60_000, 5000, 900_000])
})

test('a list that was sent before gets the time of the tools that are registered now', async () => {
  const server = serverOf([cached('a', 60)])
  expect(await hints(server)).toMatchObject({ ttlMs: 60_000 })
  server.registry.register(cached('b', 2))
  expect(await hints(server)).toMatchObject({ ttlMs: 2000 })
  server.registry.unregister('hints.b')
  expect(await hints(server)).toMatchObject({ ttlMs: 60_000 })
})

test('the time of the server is the longest', async () => {
  const server = serverOf([cached('a', 60)], { listTtlMs: 1000 })
  expect(await hints(server)).toMatchObject({ ttlMs: 1000 })
  expect(await hints(server, {}, 'prompts/list')).toMatchObject({ ttlMs: 1000 })
  expect(await hints(serverOf([cached('a', 60)], { listTtlMs: 3_600_000 }))).toMatchObject({ ttlMs: 60_000 })
})

test('a list that depends on its caller is for that caller only', async () => {
  const server = serverOf([cached('a', 60), cached('b', 5)])
  const principal = { id: 'ci', kind: 'bearer', scopes: ['hints.a'] } as const
  const client = await rawClient(server, { era: 'modern', principal })
  const listed = await client.request('tools/list')
  expect(listed).toMatchObject({ tools: [{ name: 'a' }], ttlMs: 60_000, cacheScope: 'private' })
})

test('clients of the legacy era get no hints', async () => {
  const { result } = await (await legacyPeer(serverOf([cached('a', 5)]))).request('tools/list')
  expect(Object.keys(result)).toEqual(['tools'])
})
