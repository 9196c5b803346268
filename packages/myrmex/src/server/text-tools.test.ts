/** A tool with `output: 'text'`: one text block and no structured content on the wire, `{ text }` in every envelope. */
import { grant, ledgerFile } from '@myrmex/testing/gated-server'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { connect } from '../client/connect.ts'
import { openHost } from '../host/host.ts'
import { answer, partial } from '../tool/answer.ts'
import { LOCAL } from '../tool/context.ts'
import { tool } from '../tool/tool.ts'
import { toolBody, verifyTool } from '../tool/verify/verify-tool.ts'
import { listenHttp } from '../transport/listen-http.ts'
import { plainCaller } from './exchange.ts'
import { callToResult, readToolCall } from './methods/batch.ts'
import { createServer } from './server.ts'

const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' }
const undone: string[] = []
const write = tool({
  ...toolDefaults,
  name: 'letter.write',
  input: z.object({ how: z.string() }),
  output: 'text',
  errors: { FullError: 'No room.' },
  examples: [{ arguments: { how: 'plain' }, data: 'Dear Ada' }],
  undo: (_input, data) => {
    expectTypeOf(data).toEqualTypeOf<string>()
    undone.push(data)
  },
  run: ({ how }) => {
    if (how === 'partly') return partial('Dear', { explanation: 'The ink ran out.' })
    if (how === 'illustrated') return answer('Dear Ada', { content: [image] })
    if (how === 'wrong') return { letter: 'Dear Ada' } as never
    if (how === 'later') return { text: Promise.resolve('Dear Ada') } as never
    return 'Dear Ada'
  },
})
const relay = tool({
  ...toolDefaults,
  name: 'letter.relay',
  input: z.object({}),
  output: z.object({ got: z.string() }),
  run: async (_input, ctx) => ({ got: (await ctx.call(write, { how: 'plain' })).data?.text ?? '' }),
})

describe.each(['auto', 'legacy'] as const)('for a client of the era %s', (era) => {
  const open = () => connect(createServer({ name: 'test', version: '1.0.0', tools: [write, relay] }), { era })

  test('it is listed without an output schema', async () => {
    const connection = await open()
    const listed = (await connection.tools()).find(({ name }) => name === 'write')
    expect(listed).not.toHaveProperty('outputSchema')
    expect(listed?._meta).toMatchObject({ 'myrmex/name': 'letter.write', 'myrmex/text': true })
    await connection.close()
  })

  test('its result is one text block', async () => {
    const connection = await open()
    const result = await connection.callOnWire('write', { how: 'plain' })
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'Dear Ada' }] })
    expect((result as { content: unknown[] }).content).toHaveLength(1)
    expect(result).not.toHaveProperty('structuredContent')
    await connection.close()
  })

  test('the data of a ToolResult is the text, whatever else there is', async () => {
    const connection = await open()
    for (const [how, text, status] of [
      ['plain', 'Dear Ada', 'success'],
      ['partly', 'Dear', 'partial_success'],
      ['illustrated', 'Dear Ada', 'success'],
    ] as const)
      expect(await connection.call(write, { how })).toMatchObject({ status, data: { text } })
    expect(await connection.callOnWire('write', { how: 'illustrated' })).toMatchObject({
      content: expect.arrayContaining([image]),
    })
    expect(await connection.call('letter.relay')).toMatchObject({ data: { got: 'Dear Ada' } })
    await connection.close()
  })

  test('anything but a text is a failure', async () => {
    const connection = await open()
    expect(await connection.call(write, { how: 'wrong' })).toMatchObject({
      error: { error_type: 'ToolExecutionError' },
    })
    expect(await connection.call(write, { how: 'later' })).toMatchObject({
      error: { error_type: 'SerializationError', error_message: expect.stringContaining('await') },
    })
    await connection.close()
  })
})

test('a ToolCall is answered with it', async () => {
  const server = createServer({ name: 'test', version: '1.0.0', tools: [write] })
  const call = { tool_name: 'letter.write', arguments: { how: 'plain' } }
  expect(await callToResult(server, call, readToolCall, plainCaller('http', LOCAL))).toEqual({
    status: 'success',
    data: { text: 'Dear Ada' },
    error: null,
    explanation: null,
  })
})

test('its definition says so, and its examples are checked', () => {
  const json = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
  expect(toolBody(write)).toMatchObject({ text: true, outputSchema: json })
  expect(write.examples).toEqual([{ arguments: { how: 'plain' }, data: { text: 'Dear Ada' } }])
  expect(verifyTool(write).filter(({ rule }) => rule === 'wrong-example')).toEqual([])
  const same = { ...toolDefaults, name: 'letter.write', input: z.object({ how: z.string() }) }
  const structured = tool({
    ...same,
    output: { ...json, additionalProperties: false } as never,
    run: () => ({ text: '' }) as never,
  })
  const text = tool({ ...same, output: 'text', run: () => '' })
  expect(structured.output.json).toEqual(text.output.json)
  expect(structured.hash).not.toBe(text.hash)
})

test('a call of it can be undone, and repeated with its key', async () => {
  const ledger = await ledgerFile().open()
  const connection = await connect(createServer({ name: 'test', version: '1.0.0', tools: [write], ledger }))
  await grant(ledger, { tool: write, ran: [] })
  const ids: string[] = []
  const options = { idempotencyKey: 'k1', onCallId: (id: string) => ids.push(id) }
  for (const _ of [1, 2])
    expect(await connection.call(write, { how: 'plain' }, options)).toMatchObject({ data: { text: 'Dear Ada' } })
  expect(ids[1]).toBe(ids[0])
  const undo = await connection.call('letter.write', {}, { undo: ids[0] as string })
  expect(undo).toMatchObject({ status: 'success', data: { text: 'Dear Ada' } })
  expect(undone).toEqual(['Dear Ada'])
  await connection.close()
})

test('behind a host it stays a tool that returns a text', async () => {
  const listener = await listenHttp(createServer({ name: 'far', version: '1.0.0', tools: [write] }), { port: 0 })
  onTestFinished(() => listener.close())
  const endpoint = { where: 'url', url: listener.url, headers: {}, transport: 'http' } as const
  const host = await openHost({ settings: [serverSettings('far', endpoint, { trust: 'verified' })] })
  onTestFinished(() => host.close())
  const connection = await connect(host.server)
  onTestFinished(() => connection.close())
  const [listed] = await connection.tools()
  expect(listed).toMatchObject({ _meta: { 'myrmex/text': true } })
  expect(listed).not.toHaveProperty('outputSchema')
  const name = listed?.name as string
  expect(await connection.call(name, { how: 'partly' })).toMatchObject({
    status: 'partial_success',
    data: { text: 'Dear' },
  })
  expect(await connection.callOnWire(name, { how: 'plain' })).toMatchObject({ content: [{ text: 'Dear Ada' }] })
})
