import { hostFixture, isAlive, misbehavingUpstream, nodeUpstream, openTestLink } from '@myrmex/testing/host/open-link'
import { expect, test, vi } from 'vitest'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { META } from '../../protocol/versions.ts'
import { openLink } from './open-link.ts'

const nobody = {
  name: 'upstream',
  openMs: 5000,
  secrets: [],
  onRequest: async () => ({}),
  onNotification: () => {},
  onClose: () => {},
}
const failure = async (work: Promise<unknown>): Promise<ToolError> =>
  work.then(
    () => expect.fail('it did not fail'),
    (thrown) => {
      expect(thrown).toBeInstanceOf(ToolError)
      return thrown
    },
  )
const modern = nodeUpstream(hostFixture('plain-upstream.ts'))

test('opens a server of the legacy era, keeps its description, and returns results unchanged', async () => {
  const { link } = await openTestLink(misbehavingUpstream())
  expect(link).toMatchObject({ era: 'legacy', version: '2025-11-25', server: { name: 'raw', version: '1.0.0' } })
  expect(link.instructions).toBe('Ask me anything.')
  const params = { unknown: { nested: [1, null, 'é'] }, _meta: { 'x/y': 1, progressToken: 'mine' } }
  // A token of somebody else's could be that of another request here.
  expect(await link.request('echo', params)).toEqual({ ...params, _meta: { 'x/y': 1 } })
  expect(await link.request('echo', { plain: true })).toEqual({ plain: true })
})

test('opens a server of the modern era, and every request carries what it must', async () => {
  const { link } = await openTestLink(modern)
  expect(link).toMatchObject({ era: 'modern', version: '2026-07-28', server: { name: 'modern', version: '1.2.3' } })
  const params = { name: 'add', arguments: { a: 1, b: 2 } }
  expect(await link.request('tools/call', params)).toMatchObject({
    structuredContent: { sum: 3 },
    resultType: 'complete',
  })
  const own = { [META.clientCapabilities]: { elicitation: {} }, [META.clientInfo]: { name: 'other', version: '9' } }
  expect(await link.request('tools/call', { ...params, _meta: own })).toMatchObject({ structuredContent: { sum: 3 } })
})

test('opens a server that nobody here wrote', async () => {
  const everything = new URL(import.meta.resolve('@modelcontextprotocol/server-everything/package.json'))
  const { link, stderr } = await openTestLink(nodeUpstream(new URL('dist/index.js', everything).pathname, 'stdio'))
  expect(link.era).toBe('legacy')
  const { tools } = await link.request('tools/list', {})
  expect(tools).toContainEqual(expect.objectContaining({ name: 'echo' }))
  const called = await link.request('tools/call', { name: 'echo', arguments: { message: 'you there' } })
  expect(called).toMatchObject({ content: [{ type: 'text', text: 'Echo: you there' }] })
  expect(stderr).toContain('Starting default (STDIO) server...')
})

test('opens a legacy server that does not answer what it does not know, and one that ends on it', async () => {
  const [silent, ends] = await Promise.all([
    openTestLink(misbehavingUpstream('silent'), { openMs: 3000 }),
    openTestLink(misbehavingUpstream('ends')),
  ])
  expect(await silent.link.request('echo', { a: 1 })).toEqual({ a: 1 })
  expect(await ends.link.request('echo', { a: 2 })).toEqual({ a: 2 })
})

test('opens a modern server that comes up so slowly that it was taken for a legacy one', async () => {
  const { link } = await openTestLink(misbehavingUpstream('late'), { openMs: 3000 })
  expect(link).toMatchObject({ era: 'modern', version: '2026-07-28' })
  expect(await link.request('echo', {})).toHaveProperty(['_meta', META.protocolVersion], '2026-07-28')
})

test('says which command does not exist, may not be run, or has no folder to run in, and what is no URL', async () => {
  const place = misbehavingUpstream()
  const missing = await failure(openLink({ ...place, command: 'no-such-program' }, nobody))
  expect(missing).toMatchObject({ error_type: 'TransportError', error_details: { codes: ['ENOENT'] } })
  expect(missing.message).toContain('upstream: the command no-such-program does not exist')
  expect(
    (await failure(openLink({ where: 'url', url: 'nowhere', headers: {}, transport: 'auto' }, nobody))).message,
  ).toBe('upstream: nowhere is not a URL')
  expect((await failure(openLink({ ...place, command: '/etc/passwd' }, nobody))).message).toContain('is not executable')
  expect((await failure(openLink({ ...place, cwd: '/no/such/folder' }, nobody))).message).toContain('/no/such/folder')
})

test('says how a child ended that did not come up, with its last words, and leaves nothing of one that says nothing', async () => {
  const script = "console.error('no key for \\u001b[31mservice'); process.exit(2)"
  const ended = await failure(openLink({ ...misbehavingUpstream(), args: ['-e', script] }, nobody))
  expect(ended.message).toBe('upstream: exited with code 2')
  expect(ended.error_details).toMatchObject({ code: 2, stderr: expect.arrayContaining(['no key for service']) })

  const pids: number[] = []
  const started = { ...misbehavingUpstream(), command: 'sh', args: ['-c', 'echo $$ >&2; exec sleep 60'] }
  const mute = await failure(
    openLink(started, { ...nobody, openMs: 1500, onStderr: (line) => pids.push(Number(line)) }),
  )
  expect(mute.message).toBe('upstream: no connection within 1500 ms')
  expect(pids).toHaveLength(1)
  expect(pids.filter(isAlive)).toEqual([])
})

test('can be stopped while it opens', async () => {
  const stop = new AbortController()
  const opening = openLink(misbehavingUpstream('mute'), { ...nobody, openMs: 60_000, signal: stop.signal })
  stop.abort()
  expect(await failure(opening)).toMatchObject({ error_type: 'CancelledError' })
})

test('an error of the upstream is an RpcError with its code, words and data', async () => {
  const { link } = await openTestLink(misbehavingUpstream())
  const thrown = await link.request('fail', {}).catch((error) => error)
  expect(thrown).toBeInstanceOf(RpcError)
  expect(thrown).toMatchObject({ code: -32099, message: 'It does not work.', data: { why: ['so'] } })
  expect(await failure(link.request('empty', {}))).toMatchObject({ error_details: { codes: ['INVALID_RESULT'] } })
})

test('progress reaches who asked for it, before the answer, under a token of our own, and pushes the deadline', async () => {
  const { link } = await openTestLink(misbehavingUpstream())
  const seen: unknown[] = []
  const onProgress = (params: object): void => void seen.push(params)
  const result = await link.request('progress', { everyMs: 500 }, { onProgress, timeoutMs: 1300 })
  expect(seen).toMatchObject([{ progress: 1, message: 'step 1' }, { progress: 2 }, { progress: 3 }])
  expect(seen[0]).toHaveProperty('progressToken', result.token)
  expect(await link.request('progress', {})).toEqual({ token: null })
})

test.each([
  ['legacy', misbehavingUpstream(), 'hang', {}],
  ['modern', modern, 'tools/call', { name: 'sleep', arguments: { ms: 60_000 } }],
])(
  'a %s request that takes too long or is cancelled ends here and is cancelled there',
  async (_, place, method, params) => {
    const { link, notifications, stderr } = await openTestLink(place)
    const late = await failure(link.request(method, params, { timeoutMs: 30 }))
    expect(late).toMatchObject({ error_type: 'TimeoutError', message: `upstream: no answer to ${method} within 30 ms` })
    const stop = new AbortController()
    const cancelled = failure(link.request(method, params, { signal: stop.signal }))
    stop.abort()
    expect(await cancelled).toMatchObject({ error_type: 'CancelledError' })
    expect(await failure(link.request(method, params, { signal: stop.signal }))).toMatchObject({
      error_type: 'CancelledError',
    })
    const heardThere = (): number => notifications.length + stderr.filter((line) => line === 'sleep aborted').length
    await vi.waitFor(() => expect(heardThere()).toBe(2))
  },
)

test('what an upstream asks is answered, also with an error; ping by the link itself', async () => {
  const { link } = await openTestLink(misbehavingUpstream(), {
    onRequest: async (method, params) => {
      if (method === 'roots/list') return { roots: [params] }
      throw method === 'sampling/createMessage' ? new RpcError(-1, 'no', { user: true }) : new Error('password=hunter2')
    },
  })
  expect(await link.request('ask', { method: 'roots/list' })).toEqual({ answer: { roots: [{ from: 'raw' }] } })
  expect(await link.request('ask', { method: 'ping' })).toEqual({ answer: {} })
  const refused = { answer: { code: -1, message: 'no', data: { user: true } } }
  expect(await link.request('ask', { method: 'sampling/createMessage' })).toEqual(refused)
  expect(await link.request('ask', { method: 'elicitation/create' })).toEqual({
    answer: { code: -32603, message: 'Internal error' },
  })
})

test('a question that is taken back, or whose link breaks, aborts its signal', async () => {
  const signals: AbortSignal[] = []
  const { link } = await openTestLink(misbehavingUpstream(), {
    onRequest: (_method, _params, signal) => {
      signals.push(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  expect(await link.request('askAndWithdraw', {})).toEqual({ answered: false })
  expect(signals[0]?.aborted).toBe(true)
  const asking = failure(link.request('ask', { method: 'sampling/createMessage' }))
  await vi.waitFor(() => expect(signals).toHaveLength(2))
  await link.cut()
  await asking
  expect(signals[1]?.aborted).toBe(true)
})
