import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Answers, type RawClient, rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { fixturePath } from '@myrmex/testing/paths'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Server } from '../server/server.ts'
import type { Tool } from '../tool/tool.ts'
import { type Host, openHost } from './host.ts'
import type { ServerSettings } from './settings.ts'

const fixture = (name: string): string => fixturePath(`host/${name}`)

const settings = (name: string, file: string, more: Partial<ServerSettings> = {}): ServerSettings =>
  serverSettings(
    name,
    { where: 'child', command: process.execPath, args: [fixture(file)], env: {}, cwd: tmpdir() },
    { openMs: 20_000, ...more },
  )

const ANSWERS: Answers = {
  'elicitation/create': () => ({ action: 'accept', content: { name: 'Ann' } }),
  'sampling/createMessage': () => ({ role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' }),
  'roots/list': () => ({ roots: [{ uri: 'file:///a' }] }),
}

const textsOf = (result: Record<string, unknown>): string[] =>
  (result.content as { text: string }[]).map(({ text }) => text)
const call = (client: RawClient, name: string, args: object = {}, meta = {}): Promise<Record<string, unknown>> =>
  client.request('tools/call', { name, arguments: args }, meta)

let host: Host
let server: Server
const told: string[] = []

beforeAll(async () => {
  host = await openHost({
    settings: [settings('asker', 'asking-upstream.ts'), settings('modern', 'modern-upstream.ts')],
    log: (_level, line) => told.push(line),
  })
  server = host.server
})
afterAll(() => host?.close())

describe.each(['modern', 'legacy'] as const)('for a client of the %s era', (era) => {
  const open = (answers: Answers = ANSWERS): Promise<RawClient> => rawClient(server, { era, answers })
  // It may still be at work on what the client of the other era gave up, and asks nobody else meanwhile.
  beforeAll(() => host.restart('asker'))

  test('what a legacy server answers comes as it said it, with our word beside its own', async () => {
    const client = await open()
    const { _meta, resultType, ...result } = await call(client, 'asker.say')
    expect(result).toEqual({ content: [{ type: 'text', text: 'said' }], strange: { kept: 1 } })
    expect(_meta).toMatchObject({ 'vendor/x': 2, 'myrmex/result': { status: 'success' } })
    expect(resultType).toBe(era === 'modern' ? 'complete' : undefined)
  })

  test('a legacy server asks during a call, one question after the other', async () => {
    const client = await open()
    const methods = ['elicitation/create', 'sampling/createMessage', 'roots/list', 'elicitation/create']
    const texts = textsOf(await call(client, 'asker.ask', { methods })).map((text) => JSON.parse(text))
    expect(texts[0]).toEqual({ action: 'accept', content: { name: 'Ann' } })
    expect(texts[1]).toMatchObject({ role: 'assistant', model: 'm' })
    expect(texts[2]).toEqual({ roots: [{ uri: 'file:///a' }] })
    expect(client.asked).toEqual(methods)
  })

  test('a legacy server asks several things at once', async () => {
    const client = await open()
    const methods = ['elicitation/create', 'sampling/createMessage', 'elicitation/create']
    expect(textsOf(await call(client, 'asker.ask_at_once', { methods }))).toHaveLength(3)
    expect(client.asked.toSorted()).toEqual(methods.toSorted())
  })

  test('what a client cannot be asked is refused to the server, and the call goes on', async () => {
    const client = await rawClient(server, { era, answers: ANSWERS, capabilities: {} })
    const [text = ''] = textsOf(await call(client, 'asker.ask', { methods: ['elicitation/create'] }))
    expect(JSON.parse(text)).toMatchObject({ refused: { code: -32601 } })
    expect(client.asked).toEqual([])
  })

  test('a server that drops its question gives its answer all the same', async () => {
    const client = await open()
    expect(textsOf(await call(client, 'asker.forget_question'))).toEqual(['never mind'])
  })

  test('a modern server asks in rounds', async () => {
    let count = 0
    const client = await open({
      'elicitation/create': () => ({ action: 'accept', content: { name: `answer ${++count}` } }),
    })
    expect((await call(client, 'modern.ask_in_turn')).structuredContent).toEqual({
      first: 'answer 1',
      second: 'answer 2',
    })
    expect((await call(client, 'modern.ask_twice')).structuredContent).toEqual({ who: 'answer 3' })
  })

  test('progress and logs reach the client whose call it is, as far as it wants to hear them', async () => {
    const client = await open()
    const level = era === 'modern' ? { 'io.modelcontextprotocol/logLevel': 'info' } : {}
    await call(client, 'asker.say', {}, { progressToken: 'p', ...level })
    expect(client.heard).toEqual([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 2, message: 'one' } },
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 2, total: 2, message: 'two' } },
      { method: 'notifications/message', params: { level: 'warning', logger: 'asker', data: 'careful' } },
    ])
  })

  test('a call that its client cancels is cancelled at the server', async () => {
    let last = 0
    const client = await rawClient(server, { era, onId: (id) => (last = id) })
    const waits = call(client, 'asker.wait').catch(() => undefined)
    await expect.poll(() => host.upstream('asker')?.status().in_flight).toBeGreaterThan(0)
    const noticed = async (): Promise<string[]> => textsOf(await call(client, 'asker.noticed'))
    const id = last
    await expect.poll(noticed).toContainEqual(expect.stringMatching(/^wait /))
    const [, started = ''] = (await noticed()).findLast((line) => line.startsWith('wait'))?.split(' ') ?? []
    client.notify('notifications/cancelled', { requestId: id })
    await waits
    await expect.poll(noticed).toContain(`cancelled ${started}`)
  })

  test('errors of the protocol, failures of tools and lies pass as they are', async () => {
    const client = await open()
    await expect(call(client, 'asker.refuse')).rejects.toEqual({
      code: -32042,
      message: 'not like this',
      data: { hint: 1 },
    })
    for (let times = 0; times < 7; times++) {
      const failed = await call(client, 'asker.fail')
      expect(failed).toMatchObject({ isError: true, content: [{ type: 'text', text: 'it did not work' }] })
      expect(failed).not.toHaveProperty('structuredContent')
    }
    expect(await call(client, 'asker.lie')).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'ToolExecutionError' },
    })
    expect((await call(client, 'asker.count')).structuredContent).toEqual([1, 2])
  })

  test('resources are listed, read and completed there, also those that nobody listed', async () => {
    const client = await open()
    const { resources } = await client.request('resources/list')
    expect(resources).toEqual([{ uri: 'asker://here/one', name: 'one', 'x-vendor': true }])
    for (const uri of ['asker://here/one', 'asker://many/7?q=1', 'asker://here/else']) {
      expect((await client.request('resources/read', { uri })).contents).toEqual([{ uri, text: `at ${uri}` }])
    }
    await expect(client.request('resources/read', { uri: 'asker://here/none' })).rejects.toMatchObject({
      message: 'nothing there',
    })
    const ref = { type: 'ref/resource', uri: 'asker://many/{id}{?q}' }
    const argument = { name: 'q', value: 'x' }
    const { completion } = await client.request('completion/complete', { ref, argument })
    expect(completion).toEqual({ values: [JSON.stringify([ref, argument])], total: 7, hasMore: true })
  })

  test('prompts are listed as they are, filled and completed there', async () => {
    const client = await open()
    expect((await client.request('prompts/list')).prompts).toEqual([
      { name: 'greet', arguments: [{ name: 'who', required: true }], 'x-vendor': 1 },
    ])
    for (const name of ['greet', 'asker.greet', 'asker_greet']) {
      const got = await client.request('prompts/get', { name, arguments: { who: 'x' } })
      expect(got).toMatchObject({ vendor: 'kept', messages: [{ content: { text: '{"who":"x"}' } }] })
    }
    const argument = { name: 'who', value: 'x' }
    const { completion } = await client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument,
    })
    expect(completion).toMatchObject({ values: [JSON.stringify([{ type: 'ref/prompt', name: 'greet' }, argument])] })
  })

  test('arguments go on as they were sent; of what the client says beside them, only the trace context', async () => {
    const client = await open()
    expect(textsOf(await call(client, 'asker.say_arguments', {}))).toEqual(['{}'])
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const trace = { traceparent, tracestate: 'a=1' }
    const beside = { ...trace, 'vendor/y': 1, 'myrmex/context': { goal: 'secret' } }
    const [meta = ''] = textsOf(await call(client, 'asker.say_meta', {}, beside))
    expect(JSON.parse(meta)).toEqual({ ...trace, progressToken: expect.anything() })
    expect(textsOf(await call(client, 'asker.say_plainly'))).toEqual(['the plain one'])
  })

  test('a modern server sees the client itself', async () => {
    const client = await open()
    const meta = { 'io.modelcontextprotocol/logLevel': 'error', 'myrmex/context': { goal: 'g' } }
    const { structuredContent } = await call(client, 'modern.client', {}, meta)
    expect(structuredContent).toMatchObject({
      client: { info: { name: 'raw' }, capabilities: { sampling: {}, roots: {} } },
      level: era === 'modern' ? 'error' : 'info',
      context: { goal: 'g' },
    })
    expect((await call(client, 'modern.nothing')).content).toEqual([])
  })
})

test('a client that waits hears of a change of what it subscribed to', async () => {
  const client = await rawClient(server, { era: 'legacy' })
  const uri = 'asker://here/one'
  await client.request('resources/subscribe', { uri })
  await expect.poll(() => client.heard).toContainEqual({ method: 'notifications/resources/updated', params: { uri } })
  client.close()
  const other = await rawClient(server, { era: 'legacy' })
  await expect.poll(async () => textsOf(await call(other, 'asker.noticed'))).toContain(`unsubscribe ${uri}`)
})

test('of two clients with a call in flight neither is asked what only one of them is meant by', async () => {
  const [one, two] = [
    await rawClient(server, { era: 'legacy' }),
    await rawClient(server, { era: 'legacy', answers: ANSWERS }),
  ]
  const waits = call(one, 'asker.wait').catch(() => undefined)
  const [text = ''] = textsOf(await call(two, 'asker.ask', { methods: ['elicitation/create'] }))
  expect(JSON.parse(text).refused.message).toMatch(/several clients/)
  expect([...one.asked, ...two.asked]).toEqual([])
  one.close()
  await waits
})

test('nobody takes up what waits for another principal, and nobody twice', async () => {
  // It may still be at work on what somebody else gave up above.
  await host.restart('asker')
  const mine = await rawClient(server, { era: 'modern', principal: { id: 'me', kind: 'bearer', scopes: ['*'] } })
  const yours = await rawClient(server, { era: 'modern', principal: { id: 'you', kind: 'bearer', scopes: ['*'] } })
  const params = { name: 'asker.ask', arguments: { methods: ['elicitation/create'] } }
  const { inputRequests, requestState } = await mine.once('tools/call', params)
  const [key = ''] = Object.keys(inputRequests as object)
  const inputResponses = { [key]: { action: 'decline' } }
  const next = { ...params, requestState, inputResponses }
  await expect(yours.once('tools/call', next)).rejects.toMatchObject({ code: -32602 })
  // Without the answers everything stays as it is.
  expect(await mine.once('tools/call', { ...params, requestState })).toMatchObject({ resultType: 'input_required' })
  expect(textsOf(await mine.once('tools/call', next))).toEqual(['{"action":"decline"}'])
  const again = await mine.once('tools/call', next)
  expect(again).toMatchObject({ isError: true, structuredContent: { error_type: 'UnavailableError' } })
})

describe('tasks of a modern server', () => {
  const TASKS = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const ended = async (client: RawClient, taskId: unknown): Promise<Record<string, unknown>> => {
    for (;;) {
      const task = await client.once('tasks/get', { taskId })
      if (task.status === 'input_required') {
        const inputResponses = Object.fromEntries(
          Object.keys(task.inputRequests as object).map((key) => [key, { action: 'accept', content: { name: 'Ann' } }]),
        )
        await client.once('tasks/update', { taskId, inputResponses })
      } else if (task.status !== 'working') return task
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  test('are tasks here for a client that speaks tasks, questions included', async () => {
    const client = await rawClient(server, { era: 'modern', capabilities: TASKS })
    const head = await call(client, 'modern.task')
    expect(head).toMatchObject({ resultType: 'task', status: 'working' })
    expect(await ended(client, head.taskId)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { who: 'Ann' } },
    })
  })

  test('end as they end there, and are cancelled there when they are cancelled here', async () => {
    const client = await rawClient(server, { era: 'modern', capabilities: TASKS })
    const broken = await call(client, 'modern.broken_task')
    expect(await ended(client, broken.taskId)).toMatchObject({ status: 'failed', error: { code: -32055 } })
    const endless = await call(client, 'modern.endless')
    await client.once('tasks/cancel', { taskId: endless.taskId })
    expect(await ended(client, endless.taskId)).toMatchObject({ status: 'cancelled' })
  })

  test('are waited for in the place of a client of the legacy era', async () => {
    const client = await rawClient(server, { era: 'legacy', answers: ANSWERS })
    expect((await call(client, 'modern.task')).structuredContent).toEqual({ who: 'Ann' })
  })
})

test('a tool with orders to the model in it is quarantined and told, whatever the file says', async () => {
  const client = await rawClient(server, { era: 'legacy' })
  expect((await call(client, 'asker.hidden')).structuredContent).toMatchObject({ error_type: 'PermissionError' })
  expect(host.problems).toMatchObject([{ server: 'asker', item: 'asker.hidden' }])
  expect(told.join('\n')).toMatch(/asker\.hidden must be reviewed first: /)
})

test('what was undone here was undone there', async () => {
  const client = await rawClient(server, { era: 'legacy' })
  await server.ledger.trustTool(server.registry.find('modern.done') as Tool, 'test')
  const done = await call(client, 'modern.done')
  const { call_id } = (done._meta as { 'myrmex/result': { call_id: string } })['myrmex/result']
  for (let n = 0; n < 2; n++) {
    const undone = await call(client, 'modern.done', {}, { 'myrmex/undo': call_id })
    expect(undone).toMatchObject({ structuredContent: { undone: 0 } })
  }
  expect((await call(client, 'modern.done')).structuredContent).toEqual({ undone: 1 })
  // The id under which the upstream recorded the call is nothing that a caller can name here.
  const there = await call(client, 'modern.done', {}, { 'myrmex/undo': 'invented-1' })
  expect(there).toMatchObject({ isError: true, structuredContent: { error_type: 'ValidationError' } })
})

test('new settings touch only changed servers, and clients are notified', async () => {
  const small = await openHost({
    settings: [settings('one', 'asking-upstream.ts'), settings('two', 'asking-upstream.ts')],
  })
  try {
    const client = await rawClient(small.server, { era: 'legacy', answers: ANSWERS })
    const pid = small.upstream('one')?.status().pid
    const names = async (): Promise<string[]> =>
      ((await client.request('tools/list')).tools as { name: string }[]).map(({ name }) => name)
    expect(await names()).toContain('two_say')
    expect((await client.request('prompts/list')).prompts).toMatchObject([{ name: 'one_greet' }, { name: 'two_greet' }])
    const uris = (await client.request('resources/list')).resources as { uri: string }[]
    // Neither server can claim the URIs of the other.
    expect(uris.map(({ uri }) => uri)).toEqual(['one+asker://here/one', 'two+asker://here/one'])
    await expect(client.request('resources/read', { uri: 'asker://here/one' })).rejects.toMatchObject({ code: -32002 })
    const read = await client.request('resources/read', { uri: 'two+asker://here/one' })
    expect(read.contents).toEqual([{ uri: 'two+asker://here/one', text: 'at asker://here/one' }])
    const dead = settings('three', 'no-such-file.ts')
    await small.replace([settings('one', 'asking-upstream.ts'), dead])
    // A server that is configured keeps its part of the names, also while it is dead.
    expect(await names()).toContain('one_say')
    expect((await client.request('prompts/list')).prompts).toMatchObject([{ name: 'one_greet' }])
    expect(client.heard.map(({ method }) => method)).toContain('notifications/tools/list_changed')
    expect(small.upstream('one')?.status().pid).toBe(pid)
    expect(small.problems).toContainEqual(expect.objectContaining({ server: 'three' }))
    expect(small.servers().map(({ name, state }) => [name, state === 'ready'])).toEqual([
      ['one', true],
      ['three', false],
    ])
    expect(textsOf(await call(client, 'one_say'))).toEqual(['said'])
    await expect(call(client, 'say')).rejects.toMatchObject({ code: -32602 })
  } finally {
    await small.close()
  }
})

test('what the file says of a tool is no change of its server: the file decides about it again', async () => {
  const { openLedger } = await import('../ledger/open.ts')
  const ledger = await openLedger(join(mkdtempSync(join(tmpdir(), 'host-')), 'ledger.db'))
  const run = async (more: Partial<ServerSettings>): Promise<[Record<string, unknown>, string[]]> => {
    const lines: string[] = []
    const one = await openHost({
      settings: [settings('asker', 'asking-upstream.ts', more)],
      ledger,
      log: (_, line) => lines.push(line),
    })
    try {
      return [await call(await rawClient(one.server, { era: 'legacy' }), 'asker.say'), lines]
    } finally {
      await one.close()
    }
  }
  try {
    const refused = { structuredContent: { error_type: 'PermissionError' } }
    expect((await run({ trust: 'none' }))[0]).toMatchObject(refused)
    expect(textsOf((await run({ trust: 'verified' }))[0])).toEqual(['said'])
    const changesState = { tools: [['s*', { destructive: true }]] } as const
    const [result, lines] = await run({ trust: 'verified', ...changesState })
    expect(result).toMatchObject(refused)
    expect(lines.join('\n')).not.toContain('changed since it was pinned')
    expect(textsOf((await run({ trust: 'trusted', ...changesState }))[0])).toEqual(['said'])
    expect(textsOf((await run({ trust: 'verified' }))[0])).toEqual(['said'])
    expect((await run({ trust: 'none' }))[0]).toMatchObject(refused)
  } finally {
    await ledger.close()
  }
})

test('a server behind a URL is reached as any other, its headers included, and by tools of this process too', async () => {
  const { createServer } = await import('../server/server.ts')
  const { listenHttp } = await import('../transport/listen-http.ts')
  const { tool } = await import('../tool/tool.ts')
  const base = {
    version: '1.0.0',
    output: { type: 'object' },
    errors: {},
    idempotent: true,
    destructive: false,
    security: 'None.',
    examples: [],
  } as const
  const marked = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } as const
  const far = createServer({
    name: 'far',
    version: '1.0.0',
    tools: [tool({ ...base, name: 'far.where', description: 'Says where.', input: marked, run: (input) => input })],
  })
  const listening = await listenHttp(far, { port: 0 })
  const near = await openHost({
    settings: [
      settings('far', '', { endpoint: { where: 'url', url: listening.url, headers: {}, transport: 'auto' } }),
      settings('asker', 'asking-upstream.ts'),
    ],
  })
  const own = { ...base, input: { type: 'object' } as const, description: 'Calls two others.' }
  near.server.registry.register(
    tool({
      ...own,
      name: 'own.both',
      async run(_input, ctx) {
        const methods = ['elicitation/create']
        const one = await ctx.call('asker.ask', { methods })
        const two = await ctx.call('asker.ask', { methods: [...methods, 'roots/list'] })
        return { one, two }
      },
    }),
  )
  try {
    const client = await rawClient(near.server, { era: 'modern', answers: ANSWERS })
    expect((await call(client, 'far.where', { region: 'zürich' })).structuredContent).toEqual({ region: 'zürich' })
    expect(near.servers()).toMatchObject([
      { name: 'far', where: 'url', era: 'modern' },
      { name: 'asker', era: 'legacy' },
    ])
    // The second one does not take up the state of the first, although both ask the same.
    const legacy = await rawClient(near.server, { era: 'legacy', answers: ANSWERS })
    const both = (await call(legacy, 'own.both')).structuredContent as Record<string, { data: { content: unknown[] } }>
    expect([both.one?.data.content.length, both.two?.data.content.length]).toEqual([1, 2])
    const first = await client.once('tools/call', { name: 'own.both', arguments: {} })
    expect(first.resultType).toBe('input_required')
    const [key = ''] = Object.keys(first.inputRequests as object)
    const second = await client.once('tools/call', {
      name: 'own.both',
      arguments: {},
      requestState: first.requestState,
      inputResponses: { [key]: { action: 'decline' } },
    })
    expect(second.resultType).toBe('input_required')
  } finally {
    await near.close()
    await listening.close()
  }
})

test('if a server dies while a client is asked, the answer returns an error, and the server comes back', async () => {
  const one = await openHost({ settings: [settings('asker', 'asking-upstream.ts')] })
  try {
    const client = await rawClient(one.server, { era: 'modern', answers: ANSWERS })
    const params = { name: 'ask', arguments: { methods: ['elicitation/create'] } }
    const { inputRequests, requestState } = await client.once('tools/call', params)
    const [key = ''] = Object.keys(inputRequests as object)
    process.kill(one.upstream('asker')?.status().pid as number, 'SIGKILL')
    await expect.poll(() => one.upstream('asker')?.status().restarts).toBe(1)
    const inputResponses = { [key]: { action: 'decline' } }
    const next = await client.once('tools/call', { ...params, requestState, inputResponses })
    expect(next).toMatchObject({ isError: true, structuredContent: { error_type: 'UnavailableError' } })
    expect(textsOf(await call(client, 'ask', { methods: [] }))).toEqual([])
    expect(one.upstream('asker')?.status().in_flight).toBe(0)
  } finally {
    await one.close()
  }
})

test('a file of this process is a server like the others, and one that is broken takes nothing from them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'host-'))
  const file = (name: string, text: string): ServerSettings => {
    writeFileSync(join(folder, `${name}.ts`), text)
    return settings(name, '', { endpoint: { where: 'in-process', file: join(folder, `${name}.ts`) } })
  }
  const entry = fileURLToPath(new URL('../tool/prompt.ts', import.meta.url))
  const good = `import { prompt } from ${JSON.stringify(entry)}\nexport const hi = prompt({ name: 'greet', get: () => 'hi' })\n`
  const one = await openHost({
    settings: [file('good', good), file('bad', 'throw new Error("no")'), settings('asker', 'asking-upstream.ts')],
  })
  try {
    expect(one.servers().map(({ name, state, where }) => [name, state, where])).toEqual([
      ['good', 'ready', 'in-process'],
      ['bad', 'failed', 'in-process'],
      ['asker', 'ready', 'child'],
    ])
    const message = `${join(folder, 'bad.ts')}:1:7: Error: no`
    expect(one.problems).toContainEqual(expect.objectContaining({ server: 'bad', message }))
    const client = await rawClient(one.server, { era: 'legacy' })
    await expect(call(client, 'bad_greet')).rejects.toThrow(
      /Unknown tool: bad_greet. Its server bad has not been reached yet/,
    )
    const { prompts } = await client.request('prompts/list')
    expect((prompts as { name: string }[]).map(({ name }) => name)).toEqual(['asker_greet', 'greet'])
    expect(one.server.instructions).toBe('# asker\n\nAsk away.')
    await one.stop('good')
    expect(((await client.request('prompts/list')).prompts as unknown[]).length).toBe(1)
    await one.start('good')
    await one.restart('asker')
    expect(textsOf(await call(client, 'asker.say_plainly'))).toEqual(['the plain one'])
    expect(() => one.stop('nobody')).toThrow(/Unknown server nobody. Servers of this host: good, bad, asker/)
  } finally {
    await one.close()
  }
})
