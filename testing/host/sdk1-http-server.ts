/** Servers of the SDK 1.x on 127.0.0.1, Streamable HTTP with sessions or SSE: what an upstream of the legacy era is behind a URL. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { onTestFinished } from 'vitest'
import * as z from 'zod'

export interface HttpServer {
  readonly url: string
  /** of each request, `METHOD path` */
  readonly requests: string[]
  readonly sessions: Map<string, unknown>
  /** everybody is cut off, nobody listens any more */
  end(): Promise<void>
}

export async function listenOnLoopback(
  handle: RequestListener,
  sessions = new Map<string, unknown>(),
): Promise<HttpServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const end = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(end)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, requests, sessions, end }
}

function made(): McpServer {
  const server = new McpServer({ name: 'sdk1', version: '1.0.0' }, { capabilities: { logging: {} } })
  server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }))
  server.registerTool('roots', { inputSchema: {} }, async () => ({
    content: [{ type: 'text', text: JSON.stringify(await server.server.listRoots()) }],
  }))
  server.registerTool('steps', { inputSchema: {} }, async (_, { sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken ?? ''
    await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
    await server.server.sendLoggingMessage({ level: 'info', data: 'at work' })
    return { content: [] }
  })
  return server
}

/** `refusal`: how it answers a session that it does not know. */
export async function streamableServer(refusal = 404): Promise<HttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id']
    const known = sessions.get(String(id))
    if (known !== undefined) return known.handleRequest(request, response)
    if (id !== undefined)
      return void response.writeHead(refusal).end('{"error":{"code":-32001,"message":"Session not found"}}')
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    })
    await made().connect(transport)
    await transport.handleRequest(request, response)
  }
  return await listenOnLoopback(handle, sessions)
}

export async function sseServer(): Promise<HttpServer> {
  const sessions = new Map<string, SSEServerTransport>()
  return await listenOnLoopback(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    if (request.method === 'GET' && pathname === '/mcp') {
      const transport = new SSEServerTransport('/message', response)
      sessions.set(transport.sessionId, transport)
      return await made().connect(transport)
    }
    const known = pathname === '/message' ? sessions.get(searchParams.get('sessionId') ?? '') : undefined
    if (known === undefined) return void response.writeHead(404).end('Cannot POST')
    await known.handlePostMessage(request, response)
  }, sessions)
}
