import { createRequire } from 'node:module'
import { add, behaveTool, toolDefaults } from '@myrmex/testing/sample-tools'
import type * as Api from '@opentelemetry/api'
import type { InMemorySpanExporter, ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { createServer } from '../../server/server.ts'
import { tool } from '../../tool/tool.ts'
import { connectDirect } from '../../transport/direct.ts'
import { trace } from './trace.ts'

const PARENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${PARENT.traceId}-${PARENT.spanId}-01`
const GLOBAL = Symbol.for('opentelemetry.js.api.1') as unknown as keyof typeof globalThis

let api: typeof Api
let exporter: InMemorySpanExporter

/** What a tool sees of the trace it runs in. */
const seen: { spanId?: string | undefined; baggage?: string | undefined; meta?: unknown }[] = []
const look = tool({
  ...toolDefaults,
  name: 'test.look',
  input: z.object({ wait: z.boolean().optional() }),
  output: z.object({}),
  run: async ({ wait }, ctx) => {
    if (wait) await new Promise((resolve) => setImmediate(resolve))
    seen.push({
      spanId: api.trace.getActiveSpan()?.spanContext().spanId,
      baggage: api.propagation.getActiveBaggage()?.getEntry('user id')?.value,
      meta: (ctx as unknown as { meta: unknown }).meta,
    })
    return {}
  },
})
const outer = tool({
  ...toolDefaults,
  name: 'test.outer',
  input: z.object({}),
  output: z.object({}),
  run: async (_input, ctx) => {
    await ctx.call('test.look', { wait: true })
    await ctx.call('math.add', { a: 1, b: 2 })
    return {}
  },
})

const pay = tool({
  ...toolDefaults,
  name: 'test.pay',
  destructive: true,
  input: z.object({}),
  output: z.object({}),
  run: () => ({}),
})

const next = () => ({}) as never
const unregistered = trace(add, next, {} as never)
const loadedBefore = Object.keys(createRequire(import.meta.url).cache).some((file) => /opentelemetry.api/.test(file))

beforeAll(async () => {
  api = await import('@opentelemetry/api')
  const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = await import(
    '@opentelemetry/sdk-trace-base'
  )
  exporter = new InMemorySpanExporter()
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks')
  api.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
afterAll(() => {
  api.trace.disable()
  api.context.disable()
})
beforeEach(() => {
  exporter.reset()
  seen.length = 0
})

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

async function call(name: string, args: object, meta: object = {}): Promise<ReadableSpan[]> {
  const tools = [add, behaveTool, look, outer, pay]
  const server = createServer({ name: 't', version: '1.0.0', tools, observe: () => {} })
  await server.ledger.trust.set({ tool: pay.name, version: pay.version, hash: pay.hash }, 'trusted', 'ada')
  const params = { name, arguments: args, _meta: { ...META, ...meta } }
  await connectDirect(server).send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return exporter.getFinishedSpans()
}

test('without an SDK there is no gate, and the API is not loaded', () => {
  expect(unregistered).toBe(next)
  expect(loadedBefore).toBe(false)
})

test('a call is a server span named by its method and tool, below the span in _meta', async () => {
  const [span] = await call('math.add', { a: 1, b: 2 }, { traceparent, tracestate: 'a=1,b=2' })
  expect(span).toMatchObject({
    name: 'tools/call math.add',
    kind: api.SpanKind.SERVER,
    parentSpanContext: { ...PARENT, isRemote: true },
    attributes: {
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': '2026-07-28',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'math.add',
      'myrmex.tool.version': '1.0.0',
      'myrmex.call_id': expect.stringMatching(/-\d+$/),
      'myrmex.outcome': 'success',
    },
    status: { code: api.SpanStatusCode.UNSET },
  })
  expect(span?.spanContext()).toMatchObject({ traceId: PARENT.traceId })
  expect(span?.spanContext().traceState?.serialize()).toBe('a=1,b=2')
})

test('a call without trace context starts a trace, or goes on with the one around it', async () => {
  const [alone] = await call('math.add', { a: 1, b: 2 })
  expect(alone?.parentSpanContext).toBeUndefined()
  exporter.reset()
  await api.trace.getTracer('app').startActiveSpan('request', async (around) => {
    const [within] = await call('math.add', { a: 1, b: 2 })
    expect(within?.parentSpanContext?.spanId).toBe(around.spanContext().spanId)
    exporter.reset()
    const [linked] = await call('math.add', { a: 1, b: 2 }, { traceparent })
    expect(linked?.parentSpanContext).toMatchObject(PARENT)
    expect(linked?.links).toMatchObject([{ context: { spanId: around.spanContext().spanId } }])
    around.end()
  })
})

test.each([
  ['no hexadecimal', `00-${'g'.repeat(32)}-${PARENT.spanId}-01`],
  ['all zeros', `00-${'0'.repeat(32)}-${PARENT.spanId}-01`],
  ['the forbidden version', `ff-${PARENT.traceId}-${PARENT.spanId}-01`],
  ['more than its version has', `${traceparent}-more`],
  ['capitals', traceparent.toUpperCase()],
  ['nothing', ''],
  ['a number', 7],
  ['an object', { traceparent }],
])('a traceparent with %s is passed over', async (_what, bad) => {
  const [span] = await call('math.add', { a: 1, b: 2 }, { traceparent: bad, tracestate: 7, baggage: [] })
  expect(span?.parentSpanContext).toBeUndefined()
  expect(span?.attributes['myrmex.outcome']).toBe('success')
})

test('a call that waits for approval is no error', async () => {
  const [span] = await call('test.pay', {})
  expect(span).toMatchObject({
    attributes: { 'myrmex.outcome': 'waiting' },
    status: { code: api.SpanStatusCode.UNSET },
  })
})

test('a later version of traceparent is read as far as it is known', async () => {
  const [span] = await call(
    'math.add',
    { a: 1, b: 2 },
    { traceparent: `01-${PARENT.traceId}-${PARENT.spanId}-01-more` },
  )
  expect(span?.parentSpanContext).toMatchObject(PARENT)
})

test('the tool runs within its span, with the baggage of the caller', async () => {
  const baggage = 'user%20id=al%C3%AFce;prop=1, broken, bad=%zz,x=1'
  const [span] = await call('test.look', { wait: true }, { traceparent, baggage })
  expect(seen).toMatchObject([{ spanId: span?.spanContext().spanId, baggage: 'alïce' }])
})

test('what a tool calls is below its span, and carries the trace on in _meta', async () => {
  const spans = await call('test.outer', {}, { traceparent, tracestate: 'a=1', baggage: 'user%20id=x' })
  const byName = Object.fromEntries(spans.map((span) => [span.name, span]))
  const above = byName['tools/call test.outer']?.spanContext()
  expect(Object.keys(byName).sort()).toEqual([
    'execute_tool math.add',
    'execute_tool test.look',
    'tools/call test.outer',
  ])
  for (const name of ['execute_tool test.look', 'execute_tool math.add']) {
    expect(byName[name]).toMatchObject({ kind: api.SpanKind.INTERNAL, parentSpanContext: { spanId: above?.spanId } })
  }
  const below = byName['execute_tool test.look']?.spanContext()
  expect(seen).toMatchObject([
    {
      spanId: below?.spanId,
      meta: { traceparent: `00-${PARENT.traceId}-${below?.spanId}-01`, tracestate: 'a=1', baggage: 'user%20id=x' },
    },
  ])
})

test.each([
  ['declared', 'FullError'],
  ['throw', 'ToolExecutionError'],
  ['no such', 'SchemaError'],
])('a failure (%s) is an error of the tool, with its kind and without its words', async (how, kind) => {
  const [span] = await call('test.behave', { how })
  expect(span).toMatchObject({
    status: { code: api.SpanStatusCode.ERROR, message: kind },
    attributes: { 'error.type': 'tool_error', 'myrmex.error_type': kind, 'myrmex.outcome': 'failure' },
  })
  expect(JSON.stringify([span?.attributes, span?.events, span?.status])).not.toMatch(/hunter2|It is full/)
})

test('a provider of another copy of the API that ours cannot use is reported', async () => {
  const before = globalThis[GLOBAL] as unknown
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
  Object.assign(globalThis, { [GLOBAL]: { version: '1.0.0', trace: {} } })
  try {
    expect(trace(add, next, {} as never)).toBe(next)
    expect(warned.mock.calls.flat()).toContainEqual(expect.objectContaining({ code: 'MYRMEX_TRACE' }))
  } finally {
    Object.assign(globalThis, { [GLOBAL]: before })
    warned.mockRestore()
  }
})
