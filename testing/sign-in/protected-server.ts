/** MCP servers made with the official packages, SDK 1.x and 2.x, that let in only bearers of tokens of an issuer, and count requests. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { completable, createMcpHandler, McpServer as McpServer2 } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import * as z from 'zod'
import type { SignInIssuer } from './sign-in-issuer.ts'

export interface ProtectedServer {
  readonly url: string
  /** of each request: `METHOD path` */
  readonly requests: string[]
  /** names of the headers that came with requests */
  readonly headers: Set<string>
  /** the tokens that came with requests */
  readonly tokens: string[]
  /** true: no token is accepted any more */
  rejectAll: boolean
  /** before the server answers a request with this token */
  beforeAnswer: ((token: string | undefined) => Promise<void>) | undefined
  /** the scope that calls of tools need */
  callScope: string | undefined
  /** members of its metadata (RFC 9728); undefined: it has none */
  metadata: Record<string, unknown> | undefined
  /** of its 401; undefined: it has none */
  challenge: string | undefined
}

/** sse: of the SDK 1.x too, without Streamable HTTP */
export type Sdk = 'sdk1' | 'sdk2' | 'sse'

const HANDLERS = { sdk1: sdk1Handler, sdk2: sdk2Handler, sse: sseHandler }

export async function protectedServer(sdk: Sdk, issuer: SignInIssuer): Promise<ProtectedServer> {
  const listener = createServer()
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`
  const state: ProtectedServer = {
    url: `${origin}/mcp`,
    requests: [],
    headers: new Set(),
    tokens: [],
    rejectAll: false,
    beforeAnswer: undefined,
    callScope: undefined,
    metadata: {
      resource: `${origin}/mcp`,
      authorization_servers: [issuer.issuer],
      scopes_supported: ['notes.read'],
    },
    challenge: `Bearer resource_metadata="${metadataUrl}"`,
  }
  const handle = HANDLERS[sdk]()
  const authorise = async (header: string | undefined): Promise<Omit<Authorised, 'body'> | undefined> => {
    const token = /^Bearer (.+)$/.exec(header ?? '')?.[1]
    if (token === undefined) return undefined
    state.tokens.push(token)
    const known = state.rejectAll ? undefined : await issuer.look(token)
    if (known === undefined || known.aud !== state.url) return undefined
    return { account: known.accountId ?? known.clientId, token, scopes: (known.scope ?? '').split(' ') }
  }
  listener.on('request', async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin)
    state.requests.push(`${request.method} ${pathname}`)
    for (const name of Object.keys(request.headers)) state.headers.add(name)
    if (pathname === '/.well-known/oauth-protected-resource/mcp' && state.metadata !== undefined)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state.metadata))
    if (pathname !== '/mcp' && pathname !== '/message') return void response.writeHead(404).end()
    const authorised = await authorise(request.headers.authorization)
    await state.beforeAnswer?.(request.headers.authorization?.replace('Bearer ', ''))
    const { challenge, callScope } = state
    if (authorised === undefined)
      return void response.writeHead(401, challenge === undefined ? {} : { 'www-authenticate': challenge }).end()
    const body = await readBody(request)
    if (callScope === undefined || !body.includes('"tools/call"') || authorised.scopes.includes(callScope))
      return await handle(request, response, { ...authorised, body })
    const needs = `Bearer error="insufficient_scope", scope="${callScope}", resource_metadata="${metadataUrl}"`
    response.writeHead(403, { 'www-authenticate': needs }).end()
  })
  onTestFinished(async () => {
    listener.closeAllConnections()
    await new Promise((resolve) => listener.close(resolve))
  })
  return state
}

interface Authorised {
  readonly body: string
  readonly account: string
  readonly token: string
  readonly scopes: readonly string[]
}
type Handle = (request: IncomingMessage, response: ServerResponse, authorised: Authorised) => Promise<void>

const SCHEMA = { inputSchema: z.object({}), annotations: { readOnlyHint: true } }

function sdk1Server(current: () => Authorised | undefined): McpServer1 {
  const server = new McpServer1({ name: 'notes', version: '1.0.0' })
  const text = (of: (now: Authorised) => string) => () => {
    const now = current()
    return { content: [{ type: 'text' as const, text: now === undefined ? '' : of(now) }] }
  }
  const shape = { inputSchema: {}, annotations: { readOnlyHint: true } }
  server.registerTool(
    'whoami',
    shape,
    text(({ account }) => account),
  )
  server.registerTool(
    'leak',
    shape,
    text(({ token }) => `token ${token}`),
  )
  return server
}

function sseHandler(): Handle {
  const sessions = new Map<string, SSEServerTransport>()
  let current: Authorised | undefined
  return async (request, response, authorised) => {
    current = authorised
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method === 'GET' && pathname === '/mcp') {
      const transport = new SSEServerTransport('/message', response)
      sessions.set(transport.sessionId, transport)
      return await sdk1Server(() => current).connect(transport)
    }
    const known = pathname === '/message' ? sessions.get(searchParams.get('sessionId') ?? '') : undefined
    if (known === undefined) return void response.writeHead(404).end()
    await known.handlePostMessage(request, response, JSON.parse(authorised.body))
  }
}

function sdk1Handler(): Handle {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  let current: Authorised | undefined
  return async (request, response, authorised) => {
    current = authorised
    const parsed = authorised.body === '' ? undefined : JSON.parse(authorised.body)
    const known = sessions.get(String(request.headers['mcp-session-id']))
    if (known !== undefined) return await known.handleRequest(request, response, parsed)
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await sdk1Server(() => current).connect(transport as never)
    await transport.handleRequest(request, response, parsed)
  }
}

function sdk2Handler(): Handle {
  return async (request, response, { body, account, token }) => {
    const handler = createMcpHandler(() => {
      const server = new McpServer2({ name: 'notes', version: '1.0.0' })
      server.registerTool('whoami', SCHEMA, () => ({ content: [{ type: 'text', text: account }] }))
      server.registerTool('leak', SCHEMA, () => ({ content: [{ type: 'text', text: `token ${token}` }] }))
      const argsSchema = z.object({ with: completable(z.string(), () => [account]) })
      server.registerPrompt('share', { argsSchema }, () => ({ messages: [] }))
      return server
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (value !== undefined) headers.set(name, String(value))
    const method = request.method ?? 'GET'
    const asked = new Request(`http://${request.headers.host}${request.url}`, {
      method,
      headers,
      ...(method === 'POST' && { body }),
    })
    const answer = await handler.fetch(asked)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body === null) response.end()
    else Readable.fromWeb(answer.body as never).pipe(response)
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
