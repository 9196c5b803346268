/** Speaking to a server in a test: a legacy or a modern peer on a direct connection, with everything it was sent. */
import { connectDirect, type Server } from 'myrmex'

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  result?: any
  // biome-ignore lint/suspicious/noExplicitAny: tests look into errors of every shape
  error?: { code: number; message: string; data?: any }
}

export interface Peer {
  /** everything the server sent on its own, in order */
  readonly received: { method?: string; params?: Record<string, unknown>; id?: unknown }[]
  request(method: string, params?: object, id?: number | string): Promise<Answer>
  send(message: unknown): unknown
  close(): void
}

let count = 0

function peer(server: Server, dress: (params: object) => object): Peer {
  const received: Peer['received'] = []
  const connection = connectDirect(server, (message) => received.push(message as Peer['received'][number]))
  return {
    received,
    async request(method, params = {}, id = ++count) {
      return (await connection.send({ jsonrpc: '2.0', id, method, params: dress(params) })) as Answer
    },
    send: (message) => connection.send(message),
    close: () => connection.close(),
  }
}

export const meta = (capabilities: object = {}, more: object = {}): Record<string, unknown> => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
  ...more,
})

/** Every request carries the modern metadata; `_meta` in params is added to it. */
export function modern(server: Server, capabilities: object = {}): Peer {
  return peer(server, (params) => ({
    ...params,
    _meta: meta(capabilities, (params as { _meta?: object })._meta),
  }))
}

export async function legacy(server: Server, protocolVersion = '2025-11-25', capabilities: object = {}): Promise<Peer> {
  const opened = peer(server, (params) => params)
  const clientInfo = { name: 'test', version: '1.0.0' }
  const { error } = await opened.request('initialize', { protocolVersion, capabilities, clientInfo })
  if (error !== undefined) throw new Error(error.message)
  opened.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return opened
}

export const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
