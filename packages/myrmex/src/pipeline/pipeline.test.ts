import { behaveTool, echo, toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { RpcError, ToolError } from '../protocol/errors.ts'
import { plainCaller } from '../server/exchange.ts'
import { LOCAL } from '../tool/context.ts'
import { Registry } from '../tool/registry.ts'
import { tool } from '../tool/tool.ts'
import { MemoryRecorder } from './audit/memory-recorder.ts'
import { compose } from './compose.ts'
import { approve } from './gates/approve.ts'
import { ask } from './gates/ask.ts'
import { limit } from './gates/limit.ts'
import { middleware } from './gates/middleware.ts'
import { quota } from './gates/quota.ts'
import { trace } from './gates/trace.ts'
import { combinedStatus, GATES, Pipeline } from './pipeline.ts'

const caller = plainCaller('direct', LOCAL)

test('the gates are in the documented order', () => {
  expect(GATES.map(({ name }) => name)).toEqual([
    'authorise',
    'switches',
    'limit',
    'headers',
    'validate',
    'trust',
    'middleware',
    'ask',
    'approve',
    'budget',
    'break',
    'deadline',
    'idempotency',
    'quota',
    'switches again',
    'undoable',
    'check',
    'run',
  ])
})

test('gates are put around a tool from the inside out', () => {
  const seen: string[] = []
  const note = (name: string) => (_tool: unknown, next: (call: never) => never) => {
    seen.push(name)
    return next
  }
  compose([note('outer'), note('inner')] as never, echo, new Pipeline(new Registry()))
  expect(seen).toEqual(['inner', 'outer'])
})

test('a gate that has nothing to do for a tool is not in its chain', () => {
  const next = () => {
    throw new Error('not called')
  }
  const pipeline = new Pipeline(new Registry())
  for (const gate of [ask, approve, limit, middleware, quota, trace]) expect(gate(echo, next, pipeline)).toBe(next)
})

test('a chain is composed once per tool, however often it is called', async () => {
  let bound = 0
  const { hash, ...rest } = echo
  const counted = {
    ...rest,
    hash,
    // The run gate reads it when it is bound, and never during a call.
    get run() {
      bound++
      return echo.run
    },
  }
  const pipeline = new Pipeline(new Registry([counted]))
  await pipeline.call(caller, 'text.echo', { text: 'x' })
  const once = bound
  for (let i = 0; i < 3; i++) await pipeline.call(caller, 'text.echo', { text: 'x' })
  expect(once).toBeGreaterThan(0)
  expect(bound).toBe(once)
})

test('a synchronous tool is answered without a promise', () => {
  const pipeline = new Pipeline(new Registry([behaveTool]))
  const ended = pipeline.run(pipeline.prepare(caller, 'test.behave', { how: 'success' }))
  expect(ended).not.toBeInstanceOf(Promise)
})

test('an unknown tool is refused with the nearest names, and recorded', async () => {
  const recorder = new MemoryRecorder()
  const pipeline = new Pipeline(new Registry([behaveTool, echo]), { recorder })
  const ended = await pipeline.call(caller, 'test.behav', {})
  expect(ended).toBeInstanceOf(RpcError)
  expect(ended).toMatchObject({ data: { nearest: expect.arrayContaining(['test.behave']) } })
  expect(recorder.records()).toMatchObject([{ tool: 'test.behav', version: null, error_type: 'ToolNotFoundError' }])
})

test('ctx.call goes through the pipeline as the same principal, and is recorded', async () => {
  const recorder = new MemoryRecorder()
  const outer = tool({
    ...toolDefaults,
    name: 'test.outer',
    input: z.object({ inner: z.string() }),
    output: z.object({ inner: z.looseObject({}) }),
    run: async ({ inner }, ctx) => ({ inner: { ...(await ctx.call(inner, { how: 'declared' })) } }),
  })
  const pipeline = new Pipeline(new Registry([outer, behaveTool]), { recorder })
  const ended = await pipeline.call(caller, 'test.outer', { inner: 'test.behave' })
  expect(ended).toMatchObject({ data: { inner: { status: 'failure', error: { error_type: 'FullError' } } } })
  expect(recorder.records().map((line) => [line.tool, line.outcome, line.principal])).toEqual([
    ['test.behave', 'failure', 'local'],
    ['test.outer', 'success', 'local'],
  ])
  const missing = await pipeline.call(caller, 'test.outer', { inner: 'no.tool' })
  expect(missing).toMatchObject({ data: { inner: { error: { error_type: 'ToolNotFoundError' } } } })
})

test('a tool that calls itself without end is stopped', async () => {
  const loop = tool({
    ...toolDefaults,
    name: 'test.loop',
    input: z.object({}),
    output: z.looseObject({}),
    run: async (_input, ctx) => {
      const result = await ctx.call('test.loop', {})
      if (result.error) throw new ToolError(result.error.error_type, result.error.error_message)
      return result.data ?? {}
    },
  })
  const ended = await new Pipeline(new Registry([loop])).call(caller, 'test.loop', {})
  expect(ended).toMatchObject({ status: 'failure', error: { error_message: expect.stringMatching(/a loop/) } })
})

test.each([
  [['success', 'success'], 'success'],
  [['success', 'failure'], 'partial_success'],
  [['failure', 'failure'], 'failure'],
  [[], 'success'],
])('%j is %s over all', (statuses, whole) => {
  expect(combinedStatus(statuses.map((status) => ({ status }) as never))).toBe(whole)
})
