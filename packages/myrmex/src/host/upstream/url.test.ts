import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { closeAllUpstreams, superviseUpstream } from '@myrmex/testing/host/supervised-upstream'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(closeAllUpstreams)

const servers: HttpServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server of the legacy era, made with the official package, that can forget its sessions as a restart would. */
async function listening() {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  let opened = 0
  let isSick = false
  const http = createServer(async (request, response) => {
    if (isSick) {
      response.writeHead(500).end('sick')
      return
    }
    const id = request.headers['mcp-session-id']
    let transport = typeof id === 'string' ? sessions.get(id) : undefined
    if (transport === undefined && id !== undefined) {
      response.writeHead(404).end()
      return
    }
    if (transport === undefined) {
      const made = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => `session-${++opened}`,
        onsessioninitialized: (name) => void sessions.set(name, made),
      })
      const server = new McpServer({ name: 'far', version: '1.0.0' })
      server.registerTool('hello', {}, () => ({ content: [{ type: 'text' as const, text: 'hello' }] }))
      // The package's own types are at odds where properties may be undefined.
      await server.connect(made as Parameters<McpServer['connect']>[0])
      transport = made
    }
    await transport.handleRequest(request, response)
  })
  servers.push(http)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    opened: () => opened,
    forget: () => sessions.clear(),
    sicken: (sick: boolean) => {
      isSick = sick
    },
  }
}

const far = (url: string) =>
  superviseUpstream(
    { name: 'far', endpoint: { where: 'url', url, headers: {}, transport: 'auto' }, hungMs: 2000 },
    { backoff: { firstWaitMs: 50 } },
  )

test('a session that the server no longer knows is opened again; the call that noticed it is not repeated', async () => {
  const { url, opened, forget } = await listening()
  const { upstream } = far(url)
  await upstream.start()
  const hello = () => upstream.request('tools/call', { name: 'hello', arguments: {} })
  expect(await hello()).toMatchObject({ content: [{ text: 'hello' }] })
  forget()
  await expect(hello()).rejects.toMatchObject({ error_type: 'UnavailableError', error_details: { server: 'far' } })
  await vi.waitFor(async () => expect(await hello()).toMatchObject({ content: [{ text: 'hello' }] }))
  expect(opened()).toBe(2)
  expect(upstream.status()).toMatchObject({ where: 'url', pid: null, restarts: 1, state: 'ready' })
})

test('one that answers every request with an error of HTTP is down until it is well again', async () => {
  const { url, sicken } = await listening()
  const { upstream } = far(url)
  await upstream.start()
  sicken(true)
  await expect(upstream.request('tools/call', { name: 'hello' })).rejects.toMatchObject({
    error_type: 'UnavailableError',
  })
  await vi.waitFor(() => expect(upstream.state).toBe('waiting'))
  sicken(false)
  await vi.waitFor(() => expect(upstream.state).toBe('ready'))
})

test('if nobody listens, the error for callers says so', async () => {
  const { url } = await listening()
  const server = servers.pop()
  await new Promise((closed) => server?.close(closed))
  const { upstream } = far(url)
  await upstream.start()
  await expect(upstream.request('tools/call', { name: 'hello' })).rejects.toThrow(/^far: .*nothing listens there/)
  expect(upstream.status().last_error?.message).toMatch(/nothing listens there/)
})
