/** What a tool sends besides its data may also hold what JSON cannot: the call ends as its tool wanted all the same. */
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { ToolError } from '../protocol/errors.ts'
import { META, MODERN_VERSION } from '../protocol/versions.ts'
import type { Context } from '../tool/context.ts'
import { tool } from '../tool/tool.ts'
import { connectDirect } from '../transport/direct.ts'
import { encode } from './results/encode.ts'
import { createServer } from './server.ts'

/** The answer to a call and the messages before it, as they would be on a wire. */
async function callOf(run: (ctx: Context) => Record<string, never>): Promise<{ answer: unknown; before: unknown[] }> {
  const made = tool({
    ...toolDefaults,
    name: 'test.run',
    input: z.object({}),
    output: z.object({}),
    errors: { FullError: 'It is full.' },
    run: (_input, ctx) => run(ctx),
  })
  const before: unknown[] = []
  const server = createServer({ name: 'test', version: '1.0.0', tools: [made] })
  const connection = connectDirect(server, (message) => before.push(JSON.parse(encode(message))))
  const _meta = {
    [META.protocolVersion]: MODERN_VERSION,
    [META.clientCapabilities]: {},
    [META.logLevel]: 'debug',
    progressToken: 1,
  }
  const reply = await connection.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'run', _meta } })
  return { answer: JSON.parse(encode(reply as never)), before }
}

test.each<[string, unknown, unknown]>([
  ['an Error', new RangeError('too far'), 'RangeError: too far'],
  ['a Map', new Map(), expect.stringMatching(/not shown: JSON cannot hold a Map/)],
  ['nothing', undefined, null],
  ['a Date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
])('a tool may log %s', async (_what, data, shown) => {
  const { answer, before } = await callOf((ctx) => {
    ctx.log('info', data)
    return {}
  })
  expect(before).toMatchObject([{ method: 'notifications/message', params: { data: shown } }])
  expect(answer).toMatchObject({ result: { structuredContent: {} } })
})

test('a part of the result that JSON cannot hold is an error where the tool sends it', async () => {
  const { answer, before } = await callOf((ctx) => {
    ctx.emit({ rows: [1n] } as never)
    return {}
  })
  expect(before).toEqual([])
  expect(answer).toMatchObject({
    result: { structuredContent: { error_type: 'SerializationError', error_details: { path: '/rows/0' } } },
  })
})

test('an error keeps its type and message if JSON cannot hold its details', async () => {
  const { answer } = await callOf(() => {
    throw new ToolError('FullError', 'No room.', { left: 0n } as never)
  })
  expect(answer).toMatchObject({
    result: {
      isError: true,
      structuredContent: {
        error_type: 'FullError',
        error_message: 'No room.',
        error_details: { not_sent: expect.stringMatching(/a bigint .*\/error_details\/left/) },
      },
    },
  })
})
