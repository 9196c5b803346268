/**
 * A listening HTTP server and real sockets. A case is a group of requests at once: hostile bodies with right and wrong headers, on every
 * route, and connections that speak no HTTP at all. Every request of HTTP is answered with a status below 500; what `/mcp` answers is JSON-RPC.
 */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { listenHttp } from 'myrmex'
import type { SeededRandom } from '../../crash/seeded-random.ts'
import { CaseFailure, checkOwnMessage, checkResponse, shown } from '../check-reply.ts'
import { hostileLine, hostileText } from '../generate/hostile-message.ts'
import { ODD_KEYS } from '../generate/odd-values.ts'
import type { Era } from '../generate/valid-messages.ts'
import { OwnTime, type RunningTarget, randomOf, type Target, type TargetOptions } from '../target.ts'
import { openFuzzedServer } from './fuzzed-server.ts'

const REQUESTS = 16
const ROUTES = [
  '/mcp',
  '/mcp',
  '/mcp',
  '/mcp',
  '/call',
  '/batch',
  '/metrics',
  '/healthz',
  '/',
  '/mcp/..',
  '/%00',
  '/.well-known/oauth-protected-resource',
]
const METHODS = ['POST', 'POST', 'POST', 'POST', 'POST', 'GET', 'DELETE', 'OPTIONS', 'PUT', 'HEAD']

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
}
interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** undefined: the client left before the end */
  readonly body: string | undefined
}

export const httpTarget = (share: number): Target => ({ name: 'http', share, open })

/** Node's client refuses such values itself. */
const headerText = (text: string): string => text.replace(/[^\t\x20-\x7e]/g, '?').slice(0, 500)

function hostileRequest(random: SeededRandom, number: number, part: number): Sent {
  const era: Era = random.often(0.5) ? 'modern' : 'legacy'
  const path = random.pick(ROUTES)
  const method = path === '/mcp' && random.often(0.8) ? 'POST' : random.pick(METHODS)
  const body =
    method === 'GET' || method === 'HEAD'
      ? undefined
      : random.often(0.7)
        ? Buffer.from(hostileText(era, random, number, part))
        : hostileLine(era, random, number, part)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  // Node's client states no length for DELETE and OPTIONS: the body would be garbage after the request, and the answer lost with the connection.
  if (body !== undefined) headers['content-length'] = String(body.length)
  if (era === 'modern') Object.assign(headers, { 'mcp-protocol-version': '2026-07-28', ...mirrored(body) })
  if (random.often(0.1))
    headers['content-type'] = headerText(
      random.pick(['text/plain', 'application/json; charset=utf-16', '', 'multipart/form-data']),
    )
  if (random.often(0.1)) headers.accept = random.pick(['text/html', '*/*', ''])
  if (random.often(0.1)) headers['mcp-session-id'] = headerText(random.pick([...ODD_KEYS, 'x'.repeat(400)]))
  if (random.often(0.05))
    headers['mcp-protocol-version'] = headerText(random.pick([...ODD_KEYS, '2025-03-26', '1999-01-01']))
  if (random.often(0.05))
    headers.authorization = headerText(random.pick(['Bearer ', 'Basic x', 'Bearer a b', 'x'.repeat(400)]))
  if (random.often(0.05)) headers['last-event-id'] = headerText(random.pick(ODD_KEYS))
  return { method, path, headers, body }
}

/** The headers that a modern request repeats from its body. */
function mirrored(body: Buffer | undefined): Record<string, string> {
  const [, method] = /"method":"([a-z/]+)"/.exec(body?.toString() ?? '') ?? []
  const [, name] = /"(?:name|uri|taskId)":"([^"\\]{1,100})"/.exec(body?.toString() ?? '') ?? []
  return { ...(method && { 'mcp-method': headerText(method) }), ...(name && { 'mcp-name': headerText(name) }) }
}

const GARBAGE = [
  '',
  '\r\n\r\n',
  'GET',
  '\u0000\u0001\u0002',
  'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999\r\n\r\n{"a":',
  'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`,
  `OPTIONS /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${'a'.repeat(100_000)}`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
]

/** A connection that says this and leaves. */
function sayAndLeave(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      setImmediate(() => socket.destroy())
    })
    socket.on('error', () => {}).on('close', () => resolve())
  })
}

/** A stream that stays open, or asks something, is left after its first event. */
function readBody(response: IncomingMessage, done: (body: string | undefined) => void): void {
  let text = ''
  const isStream = response.headers['content-type'] === 'text/event-stream'
  const leave = (): void => {
    response.destroy()
    done(undefined)
  }
  const timer = isStream ? setTimeout(leave, 100) : undefined
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  response.on('error', () => {})
  response.on('end', () => {
    clearTimeout(timer)
    done(text)
  })
}

function exchange(port: number, agent: Agent, { method, path, headers, body }: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', method, path, headers, agent }, (response) =>
      readBody(response, (text) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      ),
    )
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // A server may close an idle connection at any time, so that its client sends again.
      if (error.code === 'ECONNRESET' && outgoing.reusedSocket)
        resolve(exchange(port, agent, { method, path, headers, body }))
      else reject(error)
    })
    outgoing.end(body)
  })
}

function checkGot(sent: Sent, { status, headers, body }: Got): void {
  if (status >= 500) throw new CaseFailure(`status ${status}: ${shown(body)}`)
  if (sent.path !== '/mcp' || sent.method === 'HEAD' || body === undefined || body === '') return
  const messages =
    headers['content-type'] === 'text/event-stream'
      ? [...body.matchAll(/^data: ?(.+)$/gm)].map(([, data]) => data as string)
      : [body]
  for (const text of messages) {
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      throw new CaseFailure(`an answer that is not JSON: ${shown(text)}`)
    }
    for (const one of Array.isArray(message) ? message : [message]) {
      if (typeof one === 'object' && one !== null && 'method' in one) checkOwnMessage(one)
      else checkResponse(one)
    }
  }
}

async function open(options: TargetOptions): Promise<RunningTarget> {
  const fuzzed = await openFuzzedServer(options.folder)
  const listening = await listenHttp(fuzzed.server)
  const agent = new Agent({ keepAlive: true, maxSockets: REQUESTS })
  const requestsOf = (number: number): Sent[] => {
    const random = randomOf('http', options, number)
    return Array.from({ length: REQUESTS }, (_, part) => hostileRequest(random, number, part))
  }
  const own = new OwnTime()
  return {
    own,
    async run(number) {
      const requests = own.of(() => requestsOf(number))
      const random = randomOf('http garbage', options, number)
      const garbage = random.often(0.3) ? sayAndLeave(listening.port, random.pick(GARBAGE)) : undefined
      const answers = await Promise.all(requests.map((sent) => exchange(listening.port, agent, sent)))
      for (const [index, got] of answers.entries()) checkGot(requests[index] as Sent, got)
      await garbage
      fuzzed.assertNoFault()
      return requests.length
    },
    describe: (number) =>
      requestsOf(number)
        .map(
          ({ method, path, headers, body }) =>
            `${method} ${path} ${JSON.stringify(headers)} ${shown(body?.toString() ?? '')}`,
        )
        .join('\n'),
    async close() {
      agent.destroy()
      await listening.close()
      await fuzzed.close()
    },
  }
}
