/**
 * A member named `__proto__` is refused wherever it comes in, with its location. It is never dropped, because somebody may have meant
 * it, and never reaches an assignment, which would change a prototype.
 */
import { countedTool, serve } from '@myrmex/testing/gated-server'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { parsePolicy } from '../pipeline/rules/policy.ts'
import { META, MODERN_VERSION } from '../protocol/versions.ts'
import { LOCAL } from '../tool/context.ts'
import { prompt } from '../tool/prompt.ts'
import { connectDirect } from '../transport/direct.ts'
import { plainCaller } from './exchange.ts'
import { callToResult, readToolCall } from './methods/batch.ts'
import { createServer } from './server.ts'

const modern = { [META.protocolVersion]: MODERN_VERSION, [META.clientCapabilities]: {} }
const hidden = (text: string): object => JSON.parse(text.replaceAll('PROTO', '"__proto__":{"polluted":true}'))

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect({}).not.toHaveProperty('polluted')
})

async function request(server: ReturnType<typeof createServer>, method: string, params: object): Promise<object> {
  const reply = await connectDirect(server).send({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { _meta: modern, ...params },
  })
  return reply as object
}

test.each([
  ['z.object', z.object({ a: z.unknown() })],
  ['z.looseObject', z.looseObject({})],
  ['z.record', z.record(z.string(), z.unknown())],
  ['plain JSON Schema', { type: 'object' }],
])('in the arguments of a call, with %s', async (_kind, input) => {
  const open = countedTool('shop.open', { input: input as never })
  const { server } = await serve([open])
  for (const [args, path] of [
    ['{PROTO}', '/__proto__'],
    ['{"a":[{PROTO}]}', '/a/0/__proto__'],
    ['{"a":{"b":1,"\\u005f_proto__":1}}', '/a/__proto__'],
  ] as const)
    expect(await request(server, 'tools/call', { name: 'open', arguments: hidden(args) })).toMatchObject({
      result: {
        isError: true,
        structuredContent: { error_type: 'SerializationError', error_details: { path } },
      },
    })
  expect(open.ran).toEqual([])
})

test('in a ToolCall', async () => {
  const open = countedTool('shop.open', { input: z.looseObject({}) as never })
  const { server } = await serve([open])
  const call = (text: string) => callToResult(server, hidden(text), readToolCall, plainCaller('http', LOCAL))
  expect(await call('{"tool_name":"shop.open","arguments":{PROTO}}')).toMatchObject({
    status: 'failure',
    error: { error_type: 'SerializationError', error_details: { path: '/__proto__' } },
  })
  expect(await call('{"tool_name":"shop.open","arguments":{},PROTO}')).toMatchObject({
    status: 'failure',
    error: { error_message: expect.stringContaining('__proto__') },
  })
  expect(open.ran).toEqual([])
})

test('in the entries of a batch', async () => {
  const open = countedTool('shop.open', { input: z.looseObject({}) as never })
  const { server } = await serve([open])
  const calls = hidden('[{"name":"open","arguments":{PROTO}},{"name":"open","_meta":{"x":{PROTO}}},{"name":"open"}]')
  expect(await request(server, 'myrmex/batch', { calls })).toMatchObject({
    result: {
      status: 'partial_success',
      results: [
        { error: { error_type: 'SerializationError', error_details: { path: '/__proto__' } } },
        { error: { error_message: expect.stringContaining('/_meta/x/__proto__') } },
        { status: 'success' },
      ],
    },
  })
  expect(open.ran).toHaveLength(1)
})

test('in the metadata of a request', async () => {
  const open = countedTool('shop.open')
  const { server } = await serve([open])
  for (const [text, path] of [
    ['{PROTO}', '/_meta/__proto__'],
    ['{"myrmex/context":{"run":{PROTO}}}', '/_meta/myrmex~1context/run/__proto__'],
  ] as const)
    for (const era of [{}, modern])
      expect(await request(server, 'tools/call', { name: 'open', _meta: { ...era, ...hidden(text) } })).toMatchObject({
        error: { code: -32602, message: expect.stringContaining(path) },
      })
  expect(open.ran).toEqual([])
})

test('in the params of any other request that reaches code', async () => {
  const seen: unknown[] = []
  const server = createServer({
    name: 'test',
    version: '1.0.0',
    methods: { 'vendor/act': (params) => ({ seen: seen.push(params) }) },
    prompts: [prompt({ name: 'greet', get: (args) => `Hello ${seen.push(args)}` })],
  })
  for (const [method, params] of [
    ['vendor/act', hidden('{"deep":[{PROTO}]}')],
    ['prompts/get', { name: 'greet', arguments: hidden('{PROTO}') }],
  ] as const)
    expect(await request(server, method, params)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('__proto__') },
    })
  expect(seen).toEqual([])
})

test('in the answer to a question, which is then asked again', async () => {
  const form = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } }
  const asking = countedTool('shop.ask', { ask: () => ({ who: { method: 'elicitation/create', params: form } }) })
  const { server } = await serve([asking])
  const _meta = { ...modern, [META.clientCapabilities]: { elicitation: { form: {} } } }
  const params = { name: 'ask', _meta }
  const first = (await request(server, 'tools/call', params)) as { result: { requestState: string } }
  const { requestState } = first.result
  const inputResponses = hidden('{"who":{"action":"accept","content":{PROTO}}}')
  expect(await request(server, 'tools/call', { ...params, requestState, inputResponses })).toMatchObject({
    result: { resultType: 'input_required', inputRequests: { who: {} } },
  })
  expect(asking.ran).toEqual([])
})

test('in a file of the operator', () => {
  expect(() => parsePolicy(hidden('{"limits":{"tools":{PROTO}}}'))).toThrow(/\/limits\/tools\/__proto__ is a name/)
  expect(() => parsePolicy(hidden('{PROTO}'))).toThrow(/\/__proto__ is/)
})

test('in what a tool returns or sends ahead', async () => {
  const sent: unknown[] = []
  const give = countedTool('shop.give', {
    output: z.looseObject({}) as never,
    run: ((_input: unknown, ctx: { emit(part: object): void }) => {
      expect(() => ctx.emit(hidden('{PROTO}'))).toThrow(/__proto__/)
      return hidden('{"a":{PROTO}}')
    }) as never,
  })
  const { server } = await serve([give])
  const connection = connectDirect(server, (message) => sent.push(message))
  const _meta = { ...modern, progressToken: 1 }
  expect(
    await connection.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'give', _meta } }),
  ).toMatchObject({
    result: { structuredContent: { error_type: 'SerializationError', error_details: { path: '/a/__proto__' } } },
  })
  expect(sent).toEqual([])
})
