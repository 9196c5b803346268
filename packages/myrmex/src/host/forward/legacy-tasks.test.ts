/** Tasks of 2025-11-25 across a host: a real server of the SDK 1.x behind it, and clients of every kind in front of it. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawClient, rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { LONG } from '@myrmex/testing/long'
import { legacyPeer, modernPeer, type Peer, TASKS_CAPABILITY } from '@myrmex/testing/mcp-peer'
import { fixturePath } from '@myrmex/testing/paths'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Server } from '../../server/server.ts'
import { type Host, openHost } from '../host.ts'

const folder = mkdtempSync(join(tmpdir(), 'legacy-tasks-'))
const notes = join(folder, 'notes')
const endpoint = (fixture: string) =>
  ({
    where: 'child',
    command: process.execPath,
    args: [fixturePath(`host/${fixture}`)],
    env: { NOTES: notes },
    cwd: folder,
  }) as const
let host: Host
let server: Server
const noted = (): string[] => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [])

beforeAll(async () => {
  const settings = [
    serverSettings('old', endpoint('legacy-tasks-upstream.ts'), { timeoutMs: 20_000 }),
    serverSettings('modern', endpoint('modern-upstream.ts'), { timeoutMs: 20_000 }),
  ]
  host = await openHost({ settings })
  server = host.server
  expect(host.problems).toEqual([])
}, 60_000)
afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => rmSync(notes, { force: true }))

const ELICITATION = { elicitation: { form: {} } }
const oldClient = (principal?: { id: string; kind: 'bearer' }): Promise<RawClient> =>
  rawClient(server, {
    era: 'legacy',
    version: '2025-11-25',
    ...(principal && { principal: { ...principal, scopes: ['*'] } }),
  })
type Task = { taskId: string; status: string }
const start = async (client: RawClient, name: string, args = {}): Promise<Task> => {
  const { task } = await client.request('tools/call', { name, arguments: args, task: { ttl: 60_000 } })
  return task as Task
}
const ended = async (client: RawClient, { taskId }: Task): Promise<Task> =>
  await vi.waitFor(async () => {
    const now = (await client.request('tasks/get', { taskId })) as unknown as Task
    expect(['completed', 'failed', 'cancelled']).toContain(now.status)
    return now
  })
const answering = (peer: Peer, id: unknown, name: string) =>
  peer.send({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name } } })

describe('a client of 2025-11-25', () => {
  test('learns that the host has tasks, and which tools', async () => {
    const peer = await legacyPeer(server)
    const { tools } = (await peer.request('tools/list')).result
    const support = Object.fromEntries(
      (tools as { name: string; execution?: { taskSupport: string } }[]).map((one) => [
        one.name,
        one.execution?.taskSupport,
      ]),
    )
    expect(support).toMatchObject({ old_needed: 'required', old_allowed: 'optional', modern_task: 'optional' })
    expect(support.modern_ask_twice).toBe('optional')
    const older = await rawClient(server, { era: 'legacy', version: '2025-06-18' })
    await expect(older.request('tasks/list')).rejects.toMatchObject({ code: -32601 })
  })

  test.each([
    ['a legacy server', 'old.needed', 'done'],
    ['a legacy server that leaves the choice', 'old.allowed', 'done'],
  ])('gets a task of %s', async (_which, name, said) => {
    const client = await oldClient()
    const task = await start(client, name)
    expect(task).toMatchObject({
      status: 'working',
      taskId: expect.any(String),
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttl: expect.any(Number),
      pollInterval: expect.any(Number),
    })
    expect(await ended(client, task)).toMatchObject({ status: 'completed' })
    const result = await client.request('tasks/result', { taskId: task.taskId })
    expect(result).toMatchObject({
      content: [{ type: 'text', text: said }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } },
    })
    expect(result).not.toHaveProperty('resultType')
    expect(noted()).toEqual([expect.stringMatching(/^created /)])
  })

  test('gets a task of a modern server, whose questions come while it fetches the result', async () => {
    const peer = await legacyPeer(server, '2025-11-25', ELICITATION)
    const { task } = (await peer.request('tools/call', { name: 'modern.task', arguments: {}, task: {} })).result
    const fetched = peer.request('tasks/result', { taskId: task.taskId })
    const question = await vi.waitFor(() => {
      const found = peer.received.find(({ method }) => method === 'elicitation/create')
      expect(found).toBeDefined()
      return found as (typeof peer.received)[number]
    })
    expect(question.params?._meta).toEqual({ 'io.modelcontextprotocol/related-task': { taskId: task.taskId } })
    expect((await peer.request('tasks/get', { taskId: task.taskId })).result.status).toBe('input_required')
    answering(peer, question.id, 'Ann')
    expect((await fetched).result).toMatchObject({ structuredContent: { who: 'Ann' } })
  })

  test('is asked what the task of a legacy server asks', async () => {
    const peer = await legacyPeer(server, '2025-11-25', ELICITATION)
    const { task } = (await peer.request('tools/call', { name: 'old.asks', arguments: { who: 'she' }, task: {} }))
      .result
    // Nobody fetches the result, so nobody is asked.
    await vi.waitFor(async () =>
      expect((await peer.request('tasks/get', { taskId: task.taskId })).result.status).toBe('input_required'),
    )
    expect(peer.received.some(({ method }) => method === 'elicitation/create')).toBe(false)
    const fetched = peer.request('tasks/result', { taskId: task.taskId })
    const question = await vi.waitFor(() => {
      const found = peer.received.find(({ method }) => method === 'elicitation/create')
      expect(found?.params?.message).toContain('Who?')
      return found
    })
    answering(peer, question?.id, 'Ann')
    expect((await fetched).result.content).toEqual([{ type: 'text', text: 'she is Ann' }])
  })

  test('is asked again when it fetches the result again, and the first question is withdrawn', async () => {
    const peer = await legacyPeer(server, '2025-11-25', ELICITATION)
    const { task } = (await peer.request('tools/call', { name: 'old.asks', arguments: { who: 'she' }, task: {} }))
      .result
    const questions = () => peer.received.filter(({ method }) => method === 'elicitation/create')
    const first = peer.request('tasks/result', { taskId: task.taskId })
    await vi.waitFor(() => expect(questions()).toHaveLength(1))
    const second = peer.request('tasks/result', { taskId: task.taskId })
    await vi.waitFor(() => expect(questions()).toHaveLength(2))
    expect(peer.received).toContainEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: questions()[0]?.id },
    })
    answering(peer, questions()[1]?.id, 'Ann')
    expect((await first).result.content).toEqual((await second).result.content)
  })

  test('that does not answer a question ends the task with the error of its tool', async () => {
    const client = await rawClient(server, { era: 'legacy', version: '2025-11-25', capabilities: ELICITATION })
    const task = await start(client, 'modern.task')
    expect(await client.request('tasks/result', { taskId: task.taskId })).toMatchObject({ isError: true })
    expect(await ended(client, task)).toMatchObject({ status: 'failed' })
  })

  test('gets a failed task for a result that is an error, and the result itself', async () => {
    const client = await oldClient()
    const task = await start(client, 'old.fails')
    expect(await ended(client, task)).toMatchObject({ status: 'failed' })
    expect(await client.request('tasks/result', { taskId: task.taskId })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'It broke.' }],
    })
  })

  test('cancels a task, also at its server', async () => {
    const client = await oldClient()
    const task = await start(client, 'old.endless')
    await vi.waitFor(() => expect(noted()).toEqual(['created endless']))
    expect(await client.request('tasks/cancel', { taskId: task.taskId })).toMatchObject({ status: 'cancelled' })
    await vi.waitFor(() => expect(noted()).toEqual(['created endless', 'cancelled']))
    await expect(client.request('tasks/cancel', { taskId: task.taskId })).rejects.toMatchObject({ code: -32602 })
    await expect(client.request('tasks/result', { taskId: task.taskId })).rejects.toMatchObject({
      message: expect.stringContaining('cancelled'),
    })
  })

  test('hears progress for as long as the task runs', async () => {
    const client = await oldClient()
    const { task } = await client.request(
      'tools/call',
      { name: 'old.reports', arguments: {}, task: {} },
      { progressToken: 'mine' },
    )
    const { taskId } = task as Task
    await ended(client, task as Task)
    await vi.waitFor(() =>
      expect(client.heard).toContainEqual({
        method: 'notifications/progress',
        params: {
          progressToken: 'mine',
          progress: 1,
          _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
        },
      }),
    )
  })

  test('who asks for a task of a tool without one gets an error, and one that asks for none waits', async () => {
    const client = await oldClient()
    await expect(start(client, 'modern.none_such')).rejects.toMatchObject({ code: -32602 })
    expect(await client.request('tools/call', { name: 'old.needed', arguments: {} })).toMatchObject({
      content: [{ type: 'text', text: 'done' }],
    })
    await expect(client.request('tasks/get', { taskId: 'nothing' })).rejects.toMatchObject({ code: -32602 })
    await expect(client.request('tasks/list', { cursor: 'nothing' })).rejects.toMatchObject({ code: -32602 })
  })

  test('sees its own tasks only, the newest first', async () => {
    const [ann, bob] = await Promise.all(['ann', 'bob'].map((id) => oldClient({ id, kind: 'bearer' })))
    if (ann === undefined || bob === undefined) throw new Error('no clients')
    const first = await start(ann, 'old.needed')
    const second = await start(ann, 'old.needed')
    await Promise.all([ended(ann, first), ended(ann, second)])
    const { tasks } = (await ann.request('tasks/list')) as { tasks: Task[] }
    expect(tasks.map(({ taskId }) => taskId).sort()).toEqual([first.taskId, second.taskId].sort())
    expect(await bob.request('tasks/list')).toEqual({ tasks: [] })
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      await expect(bob.request(method, { taskId: first.taskId })).rejects.toMatchObject({ code: -32602 })
  })
})

describe('a tool of a legacy server that only runs as a task', () => {
  test('is a task for a modern client that speaks tasks, questions included', async () => {
    const peer = modernPeer(server, { ...TASKS_CAPABILITY, ...ELICITATION })
    const head = (await peer.request('tools/call', { name: 'old.asks', arguments: { who: 'he' } })).result
    expect(head).toMatchObject({ resultType: 'task', status: 'working' })
    const { taskId } = head
    const asking = await vi.waitFor(async () => {
      const { result } = await peer.request('tasks/get', { taskId })
      expect(result.status).toBe('input_required')
      return result
    })
    const inputResponses = Object.fromEntries(
      Object.keys(asking.inputRequests).map((key) => [key, { action: 'accept', content: { name: 'Bob' } }]),
    )
    await peer.request('tasks/update', { taskId, inputResponses })
    await vi.waitFor(async () =>
      expect((await peer.request('tasks/get', { taskId })).result).toMatchObject({
        status: 'completed',
        result: { content: [{ type: 'text', text: 'he is Bob' }] },
      }),
    )
  })

  test('is cancelled at its server when a modern client cancels', async () => {
    const peer = modernPeer(server, TASKS_CAPABILITY)
    const { taskId } = (await peer.request('tools/call', { name: 'old.endless', arguments: {} })).result
    await vi.waitFor(() => expect(noted()).toEqual(['created endless']))
    await peer.request('tasks/cancel', { taskId })
    await vi.waitFor(() => expect(noted()).toEqual(['created endless', 'cancelled']))
  })

  test('answers a modern client without tasks when it has ended, and asks it in rounds', async () => {
    const answers = { 'elicitation/create': () => ({ action: 'accept', content: { name: 'Eve' } }) }
    const client = await rawClient(server, { era: 'modern', answers, capabilities: ELICITATION })
    const result = await client.request('tools/call', { name: 'old.asks', arguments: { who: 'it' } })
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'it is Eve' }] })
    expect(result._meta).not.toHaveProperty(['io.modelcontextprotocol/related-task'])
    expect(client.asked).toEqual(['elicitation/create'])
  })

  test('two clients with tasks at once are each asked what their own task asks', async () => {
    const ask = async (who: string, name: string) => {
      const answers = { 'elicitation/create': () => ({ action: 'accept', content: { name } }) }
      const client = await rawClient(server, { era: 'legacy', answers })
      return (await client.request('tools/call', { name: 'old.asks', arguments: { who } })).content
    }
    const said = await Promise.all([ask('one', 'Ann'), ask('two', 'Bob')])
    expect(said).toEqual([[{ type: 'text', text: 'one is Ann' }], [{ type: 'text', text: 'two is Bob' }]])
  })
})

describe.runIf(LONG)('the first call of a session of its own', () => {
  const opened = async (fixture: string) => {
    const own = await openHost({ settings: [serverSettings('own', endpoint(fixture), { sessions: 'caller' })] })
    onTestFinished(() => own.close())
    return rawClient(own.server, { era: 'legacy', version: '2025-11-25', capabilities: ELICITATION })
  }

  test('is a task too', async () => {
    const client = await opened('legacy-tasks-upstream.ts')
    expect(await client.request('tools/call', { name: 'needed', arguments: {} })).toMatchObject({
      content: [{ text: 'done' }],
    })
  })

  test('tells a modern server what its client can do', async () => {
    const client = await opened('modern-upstream.ts')
    const { structuredContent } = await client.request('tools/call', { name: 'client', arguments: {} })
    expect(structuredContent).toMatchObject({ client: { info: { name: 'raw' }, capabilities: ELICITATION } })
  })
})
