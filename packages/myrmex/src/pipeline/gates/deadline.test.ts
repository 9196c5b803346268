import { toolDefaults, waitTool } from '@myrmex/testing/sample-tools'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { tool } from '../../tool/tool.ts'
import { cancellation } from '../outcome.ts'
import { Pipeline } from '../pipeline.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const caller = plainCaller('direct', LOCAL)

test('a tool that takes too long is asked to stop, and the caller gets a TimeoutError', async () => {
  const { tool: slow, seen } = waitTool(1000)
  const ended = new Pipeline(new Registry([slow])).call(caller, 'test.wait', {})
  await vi.advanceTimersByTimeAsync(999)
  expect(seen.aborted).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(await ended).toMatchObject({ error: { error_type: 'TimeoutError', error_details: { timeout_ms: 1000 } } })
  expect(seen.aborted).toMatchObject([{ error_type: 'TimeoutError' }])
})

test('a tool that does not listen is answered for all the same', async () => {
  const deaf = tool({
    ...toolDefaults,
    name: 'test.deaf',
    timeout: 100,
    input: z.object({}),
    output: z.object({}),
    run: () => new Promise<Record<string, never>>(() => {}),
  })
  const ended = new Pipeline(new Registry([deaf])).call(caller, 'test.deaf', {})
  await vi.advanceTimersByTimeAsync(100)
  expect(await ended).toMatchObject({ error: { error_type: 'TimeoutError' } })
})

const ticking = (every: number, times: number) =>
  tool({
    ...toolDefaults,
    name: 'test.tick',
    timeout: 1000,
    input: z.object({}),
    output: z.object({ ticks: z.number() }),
    run: async (_input, ctx) => {
      for (let i = 1; i <= times; i++) {
        await new Promise((resolve) => setTimeout(resolve, every))
        ctx.progress(i)
      }
      return { ticks: times }
    },
  })

test('progress pushes the deadline out', async () => {
  const ended = new Pipeline(new Registry([ticking(800, 5)])).call(caller, 'test.tick', {})
  await vi.advanceTimersByTimeAsync(4000)
  expect(await ended).toMatchObject({ data: { ticks: 5 } })
})

test('but not beyond ten times itself', async () => {
  const ended = new Pipeline(new Registry([ticking(800, 50)])).call(caller, 'test.tick', {})
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await ended).toMatchObject({ error: { error_type: 'TimeoutError' } })
})

test('a call stopped from outside ends at once', async () => {
  const { tool: slow, seen } = waitTool()
  const pipeline = new Pipeline(new Registry([slow]))
  const call = pipeline.prepare(caller, 'test.wait', {})
  const ended = pipeline.run(call)
  call.interrupt(cancellation('enough'))
  expect(await ended).toMatchObject({
    error: { error_type: 'CancelledError', error_message: expect.stringMatching(/enough/) },
  })
  await vi.advanceTimersByTimeAsync(10 * slow.timeout)
  expect(seen.aborted).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})
