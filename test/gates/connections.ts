/** One request to a server by every transport and in either era, as a principal of the test's choice. */
import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { openSession, send } from '@myrmex/testing/http-server'
import { modernMeta, type RpcAnswer } from '@myrmex/testing/mcp-peer'
import { connectDirect, type HttpListener, listenHttp, type Principal, type Server, serveStdio } from 'myrmex'

export const TRANSPORTS = ['direct', 'stdio', 'http'] as const
export const ERAS = ['modern', 'legacy'] as const
export type Transport = (typeof TRANSPORTS)[number]
export type Era = (typeof ERAS)[number]

const tokenOf = (id: string): string => `the token of ${id}, which is long enough`

export interface Identity {
  readonly id: string
  readonly scopes: readonly string[]
}

/** For the policy of a server that these principals reach over HTTP. */
export const principalsOf = (identities: readonly Identity[]): object[] =>
  identities.map(({ id, scopes }) => ({
    id,
    token_sha256: createHash('sha256').update(tokenOf(id)).digest('hex'),
    scopes,
  }))

type Ask = (method: string, params: object) => Promise<RpcAnswer>

export interface Connections {
  /** stdio has no credentials: its caller is always the local user */
  ask(transport: Transport, era: Era, identity: Identity, method: string, params: object): Promise<RpcAnswer>
  close(): Promise<void>
}

export async function connectEvery(server: Server): Promise<Connections> {
  const listening = await listenHttp(server)
  const open = new Map<string, Promise<Ask>>()
  const stdio = openStdio(server)
  const opened = (transport: Transport, era: Era, identity: Identity): Promise<Ask> => {
    if (transport === 'http')
      return era === 'modern' ? modernHttp(listening, identity) : legacyHttp(listening, identity)
    return transport === 'stdio' ? stdio(era) : direct(server, era, identity)
  }
  return {
    async ask(transport, era, identity, method, params) {
      const key = `${transport} ${era} ${identity.id}`
      if (!open.has(key)) open.set(key, opened(transport, era, identity))
      const ask = (await open.get(key)) as Ask
      const { _meta } = params as { _meta?: object }
      return ask(method, era === 'modern' ? { ...params, _meta: modernMeta({}, _meta) } : params)
    },
    close: () => listening.close(),
  }
}

const OPENING = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } }
let ids = 0
const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: ++ids, method, params })

async function direct(server: Server, era: Era, { id, scopes }: Identity): Promise<Ask> {
  const principal: Principal = { id, kind: 'bearer', scopes }
  const connection = connectDirect(server, () => {}, principal)
  if (era === 'legacy') await connection.send(message('initialize', OPENING))
  return async (method, params) => (await connection.send(message(method, params))) as RpcAnswer
}

function openStdio(server: Server): (era: Era) => Promise<Ask> {
  return async (era) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const waiting = new Map<number, (answer: RpcAnswer) => void>()
    let text = ''
    output.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const answer = JSON.parse(line) as RpcAnswer & { id?: number }
        waiting.get(answer.id ?? -1)?.(answer)
      }
    })
    serveStdio(server, { input, output })
    const ask: Ask = (method, params) =>
      new Promise((resolve) => {
        const sent = message(method, params)
        waiting.set(sent.id, resolve)
        input.write(`${JSON.stringify(sent)}\n`)
      })
    if (era === 'legacy') await ask('initialize', OPENING)
    return ask
  }
}

const NAMED: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

async function modernHttp({ url }: HttpListener, { id }: Identity): Promise<Ask> {
  return (method, params) => {
    const name = (params as Record<string, unknown>)[NAMED[method] ?? '']
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
    return posted(url, message(method, params), {
      ...headers,
      ...(name !== undefined && { 'mcp-name': String(name) }),
      ...bearer(id),
    })
  }
}

const bearer = (id: string) => ({ authorization: `Bearer ${tokenOf(id)}` })

async function legacyHttp({ url }: HttpListener, { id }: Identity): Promise<Ask> {
  const session = await openSession(url, OPENING.protocolVersion, bearer(id))
  return (method, params) => posted(url, message(method, params), { ...session, ...bearer(id) })
}

async function posted(url: string, sent: object, headers: Record<string, string>): Promise<RpcAnswer> {
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const { json, events } = await send(url, 'POST', { ...types, ...headers }, JSON.stringify(sent))
  return json ?? events.map(({ data }) => data as RpcAnswer).at(-1)
}
