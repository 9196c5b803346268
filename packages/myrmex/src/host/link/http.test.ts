import { openTestLink } from '@myrmex/testing/host/open-link'
import { listenOnLoopback, sseServer, streamableServer } from '@myrmex/testing/host/sdk1-http-server'
import { serveHttp } from '@myrmex/testing/http-server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ToolError } from '../../protocol/errors.ts'
import type { UrlEndpoint } from '../settings.ts'

const at = (url: string, more: Partial<UrlEndpoint> = {}): UrlEndpoint => ({
  where: 'url',
  url,
  headers: {},
  transport: 'auto',
  ...more,
})
const add = { name: 'add', arguments: { a: 2, b: 3 } }

test('a modern server over HTTP: calls, errors by status, and cancelling closes the stream of that call alone', async () => {
  const served = await serveHttp()
  const { link, closed } = await openTestLink(at(served.url))
  expect(link).toMatchObject({ era: 'modern', version: '2026-07-28', pid: undefined })
  expect(await link.request('tools/call', add)).toMatchObject({ structuredContent: { sum: 5 } })
  await expect(link.request('no/such', {})).rejects.toMatchObject({ name: 'RpcError', code: -32601 })
  const progress: unknown[] = []
  const onProgress = (params: object): void => void progress.push(params)
  await link.request('tools/call', { name: 'chatty', arguments: { times: 2 } }, { onProgress })
  expect(progress).toMatchObject([{ progress: 1 }, { progress: 2 }])

  const aborted = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => aborted.mockRestore())
  const other = link.request('tools/call', { name: 'sleep', arguments: { ms: 500 } })
  await vi.waitFor(async () => {
    const late = link.request('tools/call', { name: 'sleep', arguments: { ms: 60_000 } }, { timeoutMs: 100 })
    await expect(late).rejects.toMatchObject({ error_type: 'TimeoutError' })
    expect(aborted).toHaveBeenCalledWith('sleep aborted\n')
  }, 5000)
  expect(await other).toMatchObject({ structuredContent: { slept: 500 } })

  await served.close()
  await expect(link.request('tools/call', add)).rejects.toMatchObject({ error_type: 'TransportError' })
  await vi.waitFor(() => expect(closed.map(({ message }) => message)).toEqual(['upstream: nothing listens there']))
})

test('a legacy server over HTTP: its session is opened, used and ended', async () => {
  const server = await streamableServer()
  const { link, notifications } = await openTestLink(at(server.url), {
    onRequest: async (method) => ({ roots: [{ uri: `file:///${method}` }] }),
  })
  expect(link).toMatchObject({ era: 'legacy', server: { name: 'sdk1' } })
  expect(server.sessions.size).toBe(1)
  expect(await link.request('tools/call', add)).toMatchObject({ content: [{ text: '5' }] })
  const asked = await link.request('tools/call', { name: 'roots', arguments: {} })
  expect(asked).toMatchObject({ content: [{ text: '{"roots":[{"uri":"file:///roots/list"}]}' }] })
  const progress: unknown[] = []
  await link.request('tools/call', { name: 'steps', arguments: {} }, { onProgress: (params) => progress.push(params) })
  expect(progress).toMatchObject([{ progress: 1 }])
  await vi.waitFor(() => expect(notifications).toMatchObject([{ method: 'notifications/message' }]))
  await link.close()
  expect(server.sessions.size).toBe(0)
})

test('a legacy server that lost its sessions is given up, and one that went away is noticed without a call', async () => {
  for (const refusal of [404, 400]) {
    const forgetful = await streamableServer(refusal)
    const { link, closed } = await openTestLink(at(forgetful.url))
    forgetful.sessions.clear()
    await expect(link.request('tools/call', add)).rejects.toThrow('Session not found')
    expect(closed).toHaveLength(1)
  }
  const gone = await streamableServer()
  const two = await openTestLink(at(gone.url))
  await vi.waitFor(() => expect(gone.requests).toContain('GET /mcp'))
  await gone.end()
  await vi.waitFor(
    () => expect(two.closed.map(({ message }) => message)).toEqual(['upstream: nothing listens there']),
    8000,
  )
})

test('a server that knows only SSE is found, used, and its end is noticed', async () => {
  const server = await sseServer()
  const { link, closed } = await openTestLink(at(server.url), { onRequest: async () => ({ roots: [] }) })
  expect(link).toMatchObject({ era: 'legacy', server: { name: 'sdk1' } })
  expect(await link.request('tools/call', add)).toMatchObject({ content: [{ text: '5' }] })
  expect(await link.request('tools/call', { name: 'roots', arguments: {} })).toMatchObject({
    content: [{ text: '{"roots":[]}' }],
  })
  const { link: direct } = await openTestLink(at(server.url, { transport: 'sse' }))
  expect(await direct.request('tools/call', add)).toMatchObject({ content: [{ text: '5' }] })
  await server.end()
  await vi.waitFor(() => expect(closed).toHaveLength(1))
})

const refusal = async (place: UrlEndpoint, secrets: string[] = []): Promise<ToolError> => {
  const thrown = await openTestLink(place, { secrets, openMs: 20_000 }).then(
    () => expect.fail('it opened'),
    (error) => error,
  )
  expect(thrown).toBeInstanceOf(ToolError)
  return thrown
}

test('what cannot be opened says why, without secrets', async () => {
  const server = await listenOnLoopback((request, response) => {
    const [, status] = request.url?.split('=') ?? []
    response.writeHead(Number(status)).end(`You said ${request.headers.authorization}. ${'x'.repeat(10_000)}`)
  })
  const headers = { authorization: 'Bearer t0ps3cr3t' }
  const statuses = [401, 403, 404, 418, 500]
  const errors = await Promise.all(
    statuses.map((status) => refusal(at(`${server.url}?status=${status}`, { headers }), ['t0ps3cr3t'])),
  )
  expect(errors.map(({ error_details }) => error_details)).toMatchObject(statuses.map((status) => ({ status })))
  expect(errors[0]?.message).toContain('authentication required (HTTP 401)')
  for (const { message, error_details } of errors) {
    expect(JSON.stringify([message, error_details])).not.toContain('t0ps3cr3t')
    expect(message.length).toBeLessThan(700)
  }
  const nobody = await listenOnLoopback(() => {})
  await nobody.end()
  expect((await refusal(at(nobody.url))).message).toBe('upstream: nothing listens there')
})

test('an answer without end is given up', async () => {
  const server = await listenOnLoopback((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = 'x'.repeat(1024 * 1024)
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', more)
    }
    request.resume().on('end', more)
  })
  expect((await refusal(at(server.url, { transport: 'http' }))).message).toContain(
    'the peer sent a message that is too large',
  )
})
