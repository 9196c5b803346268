import { tmpdir } from 'node:os'
import { isAlive } from '@myrmex/testing/host/open-link'
import { type RawClient, type RawOptions, rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { enter, type StatefulHost, statefulHost, textOf, whereabouts } from '@myrmex/testing/host/stateful-server'
import { type HttpAnswer, post, postModern } from '@myrmex/testing/http-server'
import { LONG, longTest } from '@myrmex/testing/long'
import { fixturePath } from '@myrmex/testing/paths'
import { listenHttp } from 'myrmex'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openHost, type ServerStatus } from '../host.ts'

const open = async ({ host }: StatefulHost, options: Partial<RawOptions> = {}): Promise<RawClient> => {
  const client = await rawClient(host.server, { era: 'legacy', ...options })
  onTestFinished(() => client.close())
  return client
}
const resultOf = ({ json, events }: HttpAnswer): Record<string, unknown> => {
  const answer = (json ?? events.at(-1)?.data) as { result: Record<string, unknown> }
  return answer.result
}
const sessionsOf = ({ host }: StatefulHost) => host.servers()[0]?.sessions ?? []
const count = (server: StatefulHost, wanted: number) =>
  vi.waitFor(() => expect(sessionsOf(server)).toHaveLength(wanted))

describe.each(LONG ? (['child', 'url'] as const) : (['child'] as const))('a server as a %s', (where) => {
  test('two clients, of either era, do not see each other’s working directory', async () => {
    const server = await statefulHost(where)
    const ann = await open(server)
    const bob = await open(server, { era: 'modern' })
    await enter(ann, '/ann')
    await enter(bob, '/bob')
    const [first, second] = [await whereabouts(ann), await whereabouts(bob)]
    expect([first.folder, second.folder]).toEqual(['/ann', '/bob'])
    if (where === 'child') expect(first.pid).not.toBe(second.pid)
    else expect(first.number).not.toBe(second.number)
    expect(await whereabouts(ann)).toEqual(first)
    const shown = sessionsOf(server)
    expect(shown).toMatchObject([
      { principal: 'local', state: 'ready', in_flight: 0 },
      { principal: 'local', state: 'ready', in_flight: 0 },
    ])
    if (where === 'child') expect(shown.map(({ pid }) => pid)).toEqual([first.pid, second.pid])
    expect(server.host.servers()[0]).toMatchObject({ calls: 5, in_flight: 0 })
  })

  test('a session ends with its client, and nothing of it is left', async () => {
    const server = await statefulHost(where)
    const [ann, bob] = [await open(server), await open(server)]
    const { pid } = await whereabouts(ann)
    await enter(bob, '/bob')
    ann.close()
    await count(server, 1)
    if (where === 'child') await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
    // The server's own, and that of Bob.
    else await vi.waitFor(async () => expect(await server.sessionsAtUrl()).toBe(2))
    expect(await whereabouts(bob)).toMatchObject({ folder: '/bob' })
  })

  test('an idle session ends, and the next call of its client opens another', async () => {
    const server = await statefulHost(where, { idleMs: 200 })
    const ann = await open(server)
    await enter(ann, '/ann')
    await count(server, 0)
    expect(await whereabouts(ann)).toMatchObject({ folder: '/' })
  })
})

test('all callers share one connection unless the settings say otherwise', async () => {
  const { sessions: _, ...shared } = { sessions: 'caller' }
  const server = await statefulHost('child', { ...shared, sessions: undefined } as object)
  const [ann, bob] = [await open(server), await open(server)]
  await enter(ann, '/ann')
  expect(await whereabouts(bob)).toMatchObject({ folder: '/ann' })
  expect(server.host.servers()[0]?.sessions).toBeNull()
})

test('a question and what is logged reach exactly the client of the session, while others have calls in flight', async () => {
  const server = await statefulHost('child')
  const answer = (name: string) => ({ 'elicitation/create': () => ({ action: 'accept', content: { name } }) })
  const ann = await open(server, { answers: answer('Ann') })
  const bob = await open(server, { era: 'modern', answers: answer('Bob') })
  const eve = await open(server, { answers: answer('Eve') })
  void eve.request('tools/call', { name: 'git.wait', arguments: {} }).catch(() => undefined)
  await vi.waitFor(() => expect(server.host.servers()[0]?.in_flight).toBe(1))
  await enter(ann, '/ann')
  const ask = async (client: RawClient) =>
    textOf(await client.request('tools/call', { name: 'git.ask', arguments: {} }))
  expect(await Promise.all([ask(ann), ask(bob)])).toEqual([
    JSON.stringify({ action: 'accept', content: { name: 'Ann' } }),
    JSON.stringify({ action: 'accept', content: { name: 'Bob' } }),
  ])
  expect(eve.asked).toEqual([])
  const messages = ann.heard.filter(({ method }) => method === 'notifications/message')
  expect(messages).toMatchObject([{ params: { data: 'asks in /ann' } }])
  expect(JSON.stringify([bob.heard, eve.heard])).not.toContain('/ann')
})

test('what completes an argument is asked in the session of the client, and the answer is as the server gave it', async () => {
  const server = await statefulHost('child')
  const ann = await open(server)
  const bob = await open(server, { era: 'modern' })
  await enter(ann, '/ann')
  await enter(bob, '/bob')
  const ref = { type: 'ref/resource', uri: 'state://files/{path}' }
  const complete = (client: RawClient) =>
    client.request('completion/complete', { ref, argument: { name: 'path', value: '' } })
  expect(await complete(ann)).toEqual({ completion: { values: ['/ann'], vendor: 1 }, vendor: 2 })
  expect(await complete(bob)).toMatchObject({ completion: { values: ['/bob'], vendor: 1 }, vendor: 2 })
})

longTest('a subscription is of one session: nobody else hears of its changes', async () => {
  const server = await statefulHost('child')
  const [ann, bob] = [await open(server), await open(server)]
  await ann.request('resources/subscribe', { uri: 'state://folder' })
  await bob.request('resources/subscribe', { uri: 'state://folder' })
  await enter(ann, '/ann')
  const updates = (client: RawClient) => client.heard.filter(({ method }) => method.endsWith('resources/updated'))
  await vi.waitFor(() => expect(updates(ann)).toHaveLength(1))
  expect((await ann.request('resources/read', { uri: 'state://folder' })).contents).toMatchObject([{ text: '/ann' }])
  expect(updates(bob)).toEqual([])
  await ann.request('resources/unsubscribe', { uri: 'state://folder' })
  await vi.waitFor(() => expect(server.host.servers()[0]?.subscriptions).toBe(1))
  await server.host.close()
  expect(server.log.filter((line) => line.startsWith('warn'))).toEqual([])
})

test('clients that went away without ending their session keep nobody of their principal out', async () => {
  const server = await statefulHost('child', { maxSessions: 1 })
  const listener = await listenHttp(server.host.server)
  onTestFinished(() => listener.close())
  const client = async () => {
    const version = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } }
    const init = await post(listener.url, { jsonrpc: '2.0', id: 1, method: 'initialize', params: version })
    const headers = { 'mcp-session-id': String(init.headers['mcp-session-id']) }
    const controller = new AbortController()
    const accept = { accept: 'text/event-stream' }
    // Resolves with the headers: the stream is open. It would be closed if nobody referred to it any more.
    const stream = await fetch(listener.url, { headers: { ...headers, ...accept }, signal: controller.signal })
    const body = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'git.where', arguments: {} } }
    return {
      stream,
      leave: () => controller.abort(),
      where: async () => textOf(resultOf(await post(listener.url, body, headers))),
    }
  }
  const ann = await client()
  const bob = await client()
  expect(await ann.where()).toContain('"folder":"/"')
  expect(await bob.where()).toMatch(/all of its 1 session is in use/)
  ann.leave()
  await vi.waitFor(async () => expect(await bob.where()).toContain('"folder":"/"'))
  expect(sessionsOf(server)).toHaveLength(1)
  bob.leave()
})

test.runIf(LONG)('a session whose task is followed is in use between two looks at the task', async () => {
  const endpoint = {
    where: 'child',
    command: process.execPath,
    args: [fixturePath('host/modern-upstream.ts')],
  } as const
  const child = { ...endpoint, env: {}, cwd: tmpdir() }
  const settings = [serverSettings('modern', child, { sessions: 'caller', maxSessions: 2 })]
  const host = await openHost({ settings, log: () => {} })
  onTestFinished(() => host.close())
  const call = async (id: string, name: string) => {
    const client = await open({ host } as StatefulHost, { principal: { id, kind: 'bearer', scopes: ['*'] } })
    return client.request('tools/call', { name, arguments: {} })
  }
  const ends: unknown[] = []
  const note = (end: unknown) => void ends.push(end)
  for (let count = 0; count < 2; count++) call('eve', 'modern.endless').then(note, note)
  await vi.waitFor(() => {
    const { calls, sessions, in_flight } = host.servers()[0] as ServerStatus
    expect([sessions?.map(({ state }) => state), calls >= 2, in_flight]).toEqual([['ready', 'ready'], true, 0])
  })
  expect(textOf(await call('ann', 'modern.broken_task'))).toMatch(/all of its 2 sessions are in use/)
  expect(ends).toEqual([])
})

test.runIf(LONG)('a crash is of one session; restart, refresh and stop are of all', async () => {
  const server = await statefulHost('child')
  const [ann, bob] = [await open(server), await open(server)]
  await enter(bob, '/bob')
  await expect(whereabouts(ann)).resolves.toMatchObject({ folder: '/' })
  const crashed = await ann.request('tools/call', { name: 'git.crash', arguments: {} })
  expect(crashed).toMatchObject({ isError: true })
  expect(await whereabouts(bob)).toMatchObject({ folder: '/bob' })
  await vi.waitFor(async () => expect(await whereabouts(ann)).toMatchObject({ folder: '/' }))
  const before = await whereabouts(bob)
  await server.host.refresh('git')
  expect(await whereabouts(bob)).toEqual(before)
  await server.host.restart('git')
  expect(isAlive(before.pid)).toBe(false)
  expect(await whereabouts(bob)).toMatchObject({ folder: '/' })
  const pids = sessionsOf(server).map(({ pid }) => pid as number)
  await server.host.stop('git')
  expect(pids.map(isAlive)).toEqual(pids.map(() => false))
  const refused = await ann.request('tools/call', { name: 'git.where', arguments: {} })
  expect(textOf(refused)).toMatch(/stopped/)
  await server.host.start('git')
  expect(await whereabouts(bob)).toMatchObject({ folder: '/' })
})

test.runIf(LONG)('over HTTP: a legacy session, a principal of the modern era, and each of its handles', async () => {
  const server = await statefulHost('child')
  const listener = await listenHttp(server.host.server)
  onTestFinished(() => listener.close())
  const { url } = listener
  const call = async (name: string, args: object, session?: string) => {
    const meta = session === undefined ? {} : { 'myrmex/session': session }
    return resultOf(await postModern(url, 'tools/call', { name, arguments: args }, {}, meta))
  }
  const where = async (session?: string) =>
    JSON.parse(textOf(await call('git.where', {}, session))) as { folder: string }
  const [one, other] = ['1'.repeat(22), crypto.randomUUID()]
  await call('git.enter', { folder: '/one' }, one)
  await call('git.enter', { folder: '/principal' })
  expect([await where(one), await where(other), await where()]).toMatchObject([
    { folder: '/one' },
    { folder: '/' },
    { folder: '/principal' },
  ])
  const short = await call('git.where', {}, 'abc')
  expect(textOf(short)).toMatch(/22 to 128/)
  const init = await post(url, {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
  })
  const headers = { 'mcp-session-id': String(init.headers['mcp-session-id']) }
  const body = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'git.where', arguments: {} } }
  expect(JSON.parse(textOf(resultOf(await post(url, body, headers))))).toMatchObject({ folder: '/' })
  expect(sessionsOf(server)).toHaveLength(4)
  expect(JSON.stringify(sessionsOf(server))).not.toContain(headers['mcp-session-id'])
})
