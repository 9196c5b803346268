/** What code says with `ctx.log` reaches the log of the server, in every way in which it can be called, and has no secrets. */

import { rawClient } from '@myrmex/testing/host/raw-client'
import { modernPeer } from '@myrmex/testing/mcp-peer'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { LoggedMessage } from '../pipeline/pipeline.ts'
import type { Context } from '../tool/context.ts'
import { prompt } from '../tool/prompt.ts'
import { resource } from '../tool/resource.ts'
import { tool } from '../tool/tool.ts'
import { callTool } from './call-tool.ts'
import { log } from './log.ts'
import { createServer } from './server.ts'
import type { ServerOptions } from './server-options.ts'

const logging = (say: (ctx: Context, input: { password?: string | undefined }) => void) =>
  tool({
    ...toolDefaults,
    name: 'test.says',
    input: z.object({ password: z.string().meta({ 'x-secret': true }).optional() }),
    output: z.object({}),
    run: (input, ctx) => {
      say(ctx, input)
      return {}
    },
  })

const serverWith = (say: Parameters<typeof logging>[0], options: Partial<ServerOptions> = {}) =>
  createServer({ name: 'test', version: '1.0.0', tools: [logging(say)], ...options })

/** What a server that calls the tool gives to its option `log`. */
async function logged(say: Parameters<typeof logging>[0], args: object = {}): Promise<LoggedMessage[]> {
  const messages: LoggedMessage[] = []
  const server = serverWith(say, { log: (message) => messages.push(message) })
  await callTool(server, { tool_name: 'test.says', arguments: { ...args } })
  return messages
}

test('a message has the level, the tool, the call and what was said', async () => {
  let id = ''
  const messages = await logged((ctx) => {
    id = ctx.id
    ctx.log('warning', { cups: 3 })
    ctx.log('debug', 'fine print', 'kitchen')
  })
  expect(messages).toEqual([
    { call_id: id, tool: 'test.says', level: 'warning', logger: 'test.says', data: { cups: 3 } },
    { call_id: id, tool: 'test.says', level: 'debug', logger: 'kitchen', data: 'fine print' },
  ])
})

test('the client gets it only if it asked for logs, and the log always', async () => {
  const messages: LoggedMessage[] = []
  const peer = modernPeer(serverWith((ctx) => ctx.log('error', 'spilt'), { log: (message) => messages.push(message) }))
  await peer.request('tools/call', { name: 'says', arguments: {} })
  expect(peer.received).toEqual([])
  const _meta = { 'io.modelcontextprotocol/logLevel': 'debug' }
  await peer.request('tools/call', { name: 'says', arguments: {}, _meta })
  expect(peer.received).toMatchObject([{ method: 'notifications/message', params: { data: 'spilt' } }])
  expect(messages.map(({ data }) => data)).toEqual(['spilt', 'spilt'])
})

test('secrets of the call are not in it', async () => {
  const messages = await logged(
    (ctx, { password }) => {
      ctx.log('info', `with ${password}`)
      ctx.log('info', { tried: password, deep: [{ password }] })
    },
    { password: 'hunter2-hunter2' },
  )
  expect(messages).toHaveLength(2)
  expect(JSON.stringify(messages)).not.toContain('hunter2')
  expect(JSON.stringify(messages)).toContain('[secret]')
})

test('resources and prompts log too', async () => {
  const messages: LoggedMessage[] = []
  const server = createServer({
    name: 'test',
    version: '1.0.0',
    log: (message) => messages.push(message),
    resources: [
      resource({
        uri: 'test://a',
        name: 'a',
        read: (_uri, _variables, ctx) => {
          ctx.log('info', 'read')
          return 'a'
        },
      }),
    ],
    prompts: [
      prompt({
        name: 'greet',
        get: (_args, ctx) => {
          ctx.log('notice', 'got')
          return 'Hello'
        },
      }),
    ],
  })
  const client = await rawClient(server, { era: 'modern' })
  await client.request('resources/read', { uri: 'test://a' })
  await client.request('prompts/get', { name: 'greet' })
  expect(messages.map(({ level, data }) => [level, data])).toEqual([
    ['info', 'read'],
    ['notice', 'got'],
  ])
  for (const { tool: name, call_id } of messages) expect(name + call_id).not.toBe('')
})

describe('without the option', () => {
  test.each([
    ['debug', 'debug', {}],
    ['info', 'info', {}],
    ['notice', 'info', { severity: 'notice' }],
    ['warning', 'warn', { severity: 'warning' }],
    ['error', 'error', {}],
    ['emergency', 'error', { severity: 'emergency' }],
    ['whatever', 'info', { severity: 'whatever' }],
  ] as const)('a message of the level %s is a line of the level %s', async (level, written, more) => {
    const line = vi.spyOn(log, written)
    const server = serverWith((ctx) => {
      ctx.log(level as 'info', 'as a text')
      ctx.log(level as 'info', { as: 'data' })
    })
    await callTool(server, { tool_name: 'test.says', arguments: {} })
    const common = { call_id: expect.stringMatching(/./), tool: 'test.says', ...more }
    expect(line.mock.calls).toEqual([
      [common, 'as a text'],
      [{ ...common, data: { as: 'data' } }, 'ctx.log'],
    ])
    line.mockRestore()
  })
})
