/** A real HTTP server in this process, and requests to it that say exactly what is sent. */
import { type IncomingHttpHeaders, request } from 'node:http'
import { createServer, type HttpListener, type HttpOptions, listenHttp, type Server } from 'myrmex'
import { add, big, chatty, echo, fails, let_go, sleep } from './fixtures/all.tools.ts'
import { modernMeta } from './mcp-peer.ts'
import { MessageChecker } from './message-checker/message-checker.ts'

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
  /** `data` of every SSE event, parsed; an empty one is null */
  events: { id?: string; data: unknown }[]
}

export interface HttpServerUnderTest extends HttpListener {
  server: Server
  origin: string
}

export async function serveHttp(options: HttpOptions = {}): Promise<HttpServerUnderTest> {
  const server = createServer({
    name: 'http',
    version: '1.0.0',
    tools: [add, big, chatty, echo, fails, let_go, sleep],
    observe: () => {},
  })
  const listening = await listenHttp(server, options)
  return { ...listening, server, origin: `http://127.0.0.1:${listening.port}` }
}

export function send(
  url: string,
  method: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
  onHeaders?: () => void,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, (response) => {
      onHeaders?.()
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('error', reject)
      response.on('end', () => resolve(got(response.statusCode ?? 0, response.headers, text)))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function got(status: number, headers: IncomingHttpHeaders, body: string): HttpAnswer {
  const stream = headers['content-type'] === 'text/event-stream'
  const json = !stream && body !== '' ? JSON.parse(body) : undefined
  return { status, headers, body, json, events: stream ? readEvents(body) : [] }
}

export function readEvents(text: string): HttpAnswer['events'] {
  return text
    .split('\n\n')
    .filter((block) => /^data:/m.test(block))
    .map((block) => {
      const data = /^data: ?(.*)$/m.exec(block)?.[1] ?? ''
      const id = /^id: ?(.*)$/m.exec(block)?.[1]
      return { ...(id !== undefined && { id }), data: data === '' ? null : JSON.parse(data) }
    })
}

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A POST of a body as it is. What `/mcp` answers parses under the official schemas, or the test fails. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const got = await send(url, 'POST', { ...JSON_TYPE, ...headers }, text)
  if (new URL(url).pathname === '/mcp') judgeAnswer(body, got)
  return got
}

function judgeAnswer(body: unknown, { json, events }: HttpAnswer): void {
  const judge = new MessageChecker()
  const conversation = judge.conversation()
  for (const one of Array.isArray(body) ? body : [body]) {
    if (typeof one === 'object' && one !== null) conversation.fromClient(JSON.stringify(one))
  }
  const messages = [json, ...events.map(({ data }) => data)].flat().filter((one) => one !== undefined && one !== null)
  for (const message of messages) conversation.judge(JSON.stringify(message))
  if (judge.faults.length > 0) throw new Error(JSON.stringify(judge.faults, null, 2).slice(0, 5000))
}

const NAMES: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
}

/** A modern request with the headers it needs, and `change` on top of them (an empty value takes one away). */
export function postModern(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  change: Record<string, string> = {},
  meta: Record<string, unknown> = {},
): Promise<HttpAnswer> {
  const named: Record<string, string> = NAMES[method] === undefined ? {} : { 'mcp-name': String(params[NAMES[method]]) }
  const headers: Record<string, string> = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...named,
    ...change,
  }
  for (const [name, value] of Object.entries(headers)) if (value === '') delete headers[name]
  return post(
    url,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...modernMeta(), ...meta } } },
    headers,
  )
}

/** Opens a legacy session and gives the headers of everything after. */
export async function openSession(
  url: string,
  protocolVersion = '2025-11-25',
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const { headers } = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, more)
  const session = { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': protocolVersion }
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, { ...session, ...more })
  return session
}
