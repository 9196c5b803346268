/** The tasks extension: what becomes a task, and the life of one. */

import { latch } from '@myrmex/testing/gated-server'
import { legacyPeer, modernPeer, type Peer, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { toolDefaults, waitTool } from '@myrmex/testing/sample-tools'
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { LOCAL } from '../../tool/context.ts'
import { tool } from '../../tool/tool.ts'
import { createServer } from '../server.ts'

const jobOf = (
  name: string,
  run: (ctx: Parameters<ReturnType<typeof tool>['run']>[1]) => Promise<{ done: string }>,
  task: true | 'required' = true,
) =>
  tool({
    ...toolDefaults,
    name: `job.${name}`,
    task,
    input: z.object({ n: z.number().optional() }),
    output: z.object({ done: z.string() }),
    run: (_input, ctx) => run(ctx),
  })

const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value))
const question = (key: string) => ({
  method: 'elicitation/create' as const,
  params: { message: key, requestedSchema: { type: 'object', properties: {} } },
})
let tidied = 0
const waiting = waitTool(30_000, 'job.wait')
const server = createServer({
  name: 'jobs',
  version: '1.0.0',
  tools: [
    jobOf('good', () => later({ done: 'yes' })),
    jobOf('required', () => later({ done: 'yes' }), 'required'),
    jobOf('fails', async () => {
      throw await later(new ToolError('PermissionError', 'no'))
    }),
    jobOf('breaks', async () => {
      throw await later(new RpcError(-32603, 'broken', { why: 'test' }))
    }),
    jobOf('odd_error', async () => {
      throw await later(new ToolError('PermissionError', 'no', { n: 1n as never }))
    }),
    jobOf('odd_break', async () => {
      throw await later(new RpcError(-32602, 'broken', { n: 1n as never }))
    }),
    jobOf('asks', async (ctx) => {
      const { a, b } = await ctx.ask({ a: question('a'), b: question('b') })
      const { a: again } = await ctx.ask({ a: question('a') })
      return { done: [a, b, again].map((one) => one.action).join() }
    }),
    jobOf('tidy', async (ctx) => {
      try {
        await ctx.ask({ a: question('a') })
      } finally {
        tidied++
      }
      return { done: 'yes' }
    }),
    tool({
      ...toolDefaults,
      name: 'job.quick',
      task: true,
      input: z.object({}),
      output: z.object({}),
      run: () => ({}),
    }),
    tool({
      ...toolDefaults,
      name: 'job.wait_task',
      task: true,
      input: z.object({}),
      output: z.object({}),
      run: waiting.tool.run as never,
    }),
  ],
})
const speaker = () => modernPeer(server, { ...TASKS_CAPABILITY, elicitation: {} })

const until = async (peer: Peer, taskId: string, status: string) => {
  let task: { status: string } & Record<string, unknown> = { status: '' }
  await vi.waitFor(async () => {
    task = (await peer.request('tasks/get', { taskId })).result
    expect(task.status).toBe(status)
  })
  return task
}

test('a call becomes a task for a client that speaks tasks, and its result waits there', async () => {
  const peer = speaker()
  const { result } = await peer.request('tools/call', { name: 'good', arguments: {} })
  expect(result).toMatchObject({
    resultType: 'task',
    status: 'working',
    taskId: expect.any(String),
    ttlMs: 3_600_000,
    pollIntervalMs: 500,
  })
  expect(new Date(result.createdAt).toISOString()).toBe(result.createdAt)
  const done = await until(peer, result.taskId, 'completed')
  expect(done).toMatchObject({ resultType: 'complete', result: { structuredContent: { done: 'yes' } } })
  expect(done).not.toHaveProperty('error')
})

test('a client that does not speak tasks is answered at once, or refused where only a task will do', async () => {
  const needsCapability = { code: -32021, data: { requiredCapabilities: TASKS_CAPABILITY } }
  const needsTask = { code: -32601, message: expect.stringContaining('"task": {}') }
  const peers = [
    [modernPeer(server), needsCapability],
    [await legacyPeer(server, '2025-06-18'), needsCapability],
    [await legacyPeer(server), needsTask],
  ] as const
  for (const [peer, error] of peers) {
    expect((await peer.request('tools/call', { name: 'good', arguments: {} })).result.structuredContent).toEqual({
      done: 'yes',
    })
    expect(await peer.request('tools/call', { name: 'required', arguments: {} })).toMatchObject({ error })
  }
})

test('what is refused or answers at once is no task', async () => {
  expect((await speaker().request('tools/call', { name: 'good', arguments: { n: 'x' } })).result).toMatchObject({
    isError: true,
    resultType: 'complete',
  })
  expect((await speaker().request('tools/call', { name: 'quick', arguments: {} })).result).toMatchObject({
    resultType: 'complete',
  })
})

test('a tool that fails completes its task; a protocol error fails it', async () => {
  const peer = speaker()
  const failed = (await peer.request('tools/call', { name: 'fails', arguments: {} })).result
  expect(await until(peer, failed.taskId, 'completed')).toMatchObject({ result: { isError: true } })
  const broken = (await peer.request('tools/call', { name: 'breaks', arguments: {} })).result
  const task = await until(peer, broken.taskId, 'failed')
  expect(task).toMatchObject({
    statusMessage: 'broken',
    error: { code: -32603, message: 'broken', data: { why: 'test' } },
  })
  expect(task).not.toHaveProperty('result')
})

test('a task whose error JSON cannot hold ends all the same, and says so', async () => {
  const peer = speaker()
  const failed = (await peer.request('tools/call', { name: 'odd_error', arguments: {} })).result
  expect(await until(peer, failed.taskId, 'completed')).toMatchObject({
    result: {
      isError: true,
      structuredContent: {
        error_type: 'PermissionError',
        error_details: { not_sent: expect.stringMatching(/bigint/) },
      },
    },
  })
  const broken = (await peer.request('tools/call', { name: 'odd_break', arguments: {} })).result
  expect(await until(peer, broken.taskId, 'failed')).toMatchObject({
    error: { code: -32602, message: expect.stringMatching(/JSON/) },
  })
})

test('a task parks for input, takes answers one by one, and never uses a key twice', async () => {
  const peer = speaker()
  const { taskId } = (await peer.request('tools/call', { name: 'asks', arguments: {} })).result
  expect((await until(peer, taskId, 'input_required')).inputRequests).toMatchObject({ a: {}, b: {} })
  const answer = (inputResponses: object) => peer.request('tasks/update', { taskId, inputResponses })
  expect((await answer({ a: { action: 'accept', content: {} }, nobody: { action: 'accept' } })).result).toEqual({
    resultType: 'complete',
    _meta: expect.anything(),
  })
  expect(Object.keys((await until(peer, taskId, 'input_required')).inputRequests as object)).toEqual(['b'])
  await answer({ a: { action: 'cancel' }, b: { action: 'decline' } })
  await vi.waitFor(async () => {
    const open = (await peer.request('tasks/get', { taskId })).result.inputRequests
    expect(Object.keys(open ?? {})).toEqual(['a-2'])
  })
  await answer({ 'a-2': { action: 'cancel' } })
  expect((await until(peer, taskId, 'completed')).result).toMatchObject({
    structuredContent: { done: 'accept,decline,cancel' },
  })
})

test('tasks/cancel stops the tool, and doing it again changes nothing', async () => {
  const peer = speaker()
  const { taskId } = (await peer.request('tools/call', { name: 'wait_task', arguments: {} })).result
  expect(await peer.request('tasks/cancel', { taskId })).toHaveProperty('result')
  await until(peer, taskId, 'cancelled')
  expect(waiting.seen.aborted).toHaveLength(1)
  expect(await peer.request('tasks/cancel', { taskId })).toHaveProperty('result')
})

test('cancelling a task that waits for input wakes its tool', async () => {
  const peer = speaker()
  const { taskId } = (await peer.request('tools/call', { name: 'tidy', arguments: {} })).result
  await until(peer, taskId, 'input_required')
  await peer.request('tasks/cancel', { taskId })
  await vi.waitFor(() => expect(tidied).toBe(1))
  await until(peer, taskId, 'cancelled')
})

test('an answer nobody asked for changes nothing, not even the time', async () => {
  const peer = speaker()
  const { taskId } = (await peer.request('tools/call', { name: 'asks', arguments: {} })).result
  const before = await until(peer, taskId, 'input_required')
  await new Promise((resolve) => setTimeout(resolve, 2))
  await peer.request('tasks/update', { taskId, inputResponses: { a: 7, nobody: {} } })
  expect(await until(peer, taskId, 'input_required')).toEqual(before)
})

test('a task outlives the connection that made it', async () => {
  const first = speaker()
  const { taskId } = (await first.request('tools/call', { name: 'good', arguments: {} })).result
  first.close()
  await until(speaker(), taskId, 'completed')
})

test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
  '%s wants the extension and a task it knows',
  async (method) => {
    const params = { taskId: 'nobody', inputResponses: {} }
    expect(await modernPeer(server).request(method, params)).toMatchObject({ error: { code: -32021 } })
    expect(await speaker().request(method, params)).toMatchObject({ error: { code: -32602 } })
    expect(await speaker().request(method, { inputResponses: {} })).toMatchObject({ error: { code: -32602 } })
  },
)

test('a task is unknown to every principal but its own', async () => {
  const { taskId } = (await speaker().request('tools/call', { name: 'good', arguments: {} })).result
  await expect(server.tasks.find(taskId, { id: 'eve', kind: 'bearer' })).rejects.toThrow(/Unknown task/)
})

test('status changes are pushed to those who listen for the task', async () => {
  const peer = speaker()
  const { taskId } = (await peer.request('tools/call', { name: 'asks', arguments: {} })).result
  peer.request('subscriptions/listen', { notifications: { taskIds: [taskId, 'unknown'] } }, 'sub')
  expect(peer.received[0]).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { taskIds: [taskId] } },
  })
  await peer.request('tasks/cancel', { taskId })
  await vi.waitFor(() =>
    expect(peer.received.at(-1)).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'cancelled' },
    }),
  )
  expect(await modernPeer(server).request('subscriptions/listen', { notifications: { taskIds: [] } })).toMatchObject({
    error: { code: -32021 },
  })
})

test('a principal has at most 1,000 that have not ended, and of those that have ended the newest 100 stay in memory', async () => {
  const { open, opened } = latch()
  const slow = jobOf('slow', () => opened.then(() => ({ done: 'yes' })))
  const many = createServer({ name: 'jobs', version: '1.0.0', tools: [slow] })
  const peer = modernPeer(many, TASKS_CAPABILITY)
  const start = () => peer.request('tools/call', { name: 'slow', arguments: {} })
  const started = await Promise.all(Array.from({ length: 1000 }, start))
  expect(started.every(({ result }) => result.resultType === 'task')).toBe(true)
  expect((await start()).result).toMatchObject({
    isError: true,
    structuredContent: { error_type: 'ApiLimitExceeded', error_message: expect.stringContaining('1000 tasks') },
  })
  open()
  const taskId = started[0]?.result.taskId
  await until(peer, taskId, 'completed')
  const inMemory = (): number => started.filter(({ result }) => many.tasks.has(result.taskId, LOCAL)).length
  await vi.waitFor(() => expect(inMemory()).toBe(100))
  expect((await start()).result).toMatchObject({ resultType: 'task' })
})
