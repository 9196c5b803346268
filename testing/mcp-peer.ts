/** Speaking to a server in a test: a legacy or a modern peer on a direct connection, with everything it was sent. */
import { connectDirect, type Server } from 'myrmex'
import { MessageChecker } from './message-checker/message-checker.ts'

export interface RpcAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  result?: any
  // biome-ignore lint/suspicious/noExplicitAny: tests look into errors of every shape
  error?: { code: number; message: string; data?: any }
}

export interface Peer {
  /** everything the server sent on its own, in order */
  readonly received: { method?: string; params?: Record<string, unknown>; id?: unknown }[]
  request(method: string, params?: object, id?: number | string): Promise<RpcAnswer>
  send(message: unknown): unknown
  close(): void
}

let count = 0

function peer(server: Server, dress: (params: object) => object): Peer {
  const received: Peer['received'] = []
  const judge = new MessageChecker()
  const conversation = judge.conversation()
  const connection = connectDirect(server, (message) => {
    conversation.fromServer(JSON.stringify(message))
    received.push(message as Peer['received'][number])
  })
  /** Every message of every test that speaks through here parses under the official schemas, or the test fails. */
  const judged = <T>(answer: T): T => {
    if (judge.faults.length > 0) throw new Error(JSON.stringify(judge.faults, null, 2))
    return answer
  }
  return {
    received,
    async request(method, params = {}, id = ++count) {
      const message = { jsonrpc: '2.0', id, method, params: dress(params) }
      const repeats = conversation.isOpen(id)
      if (!repeats) conversation.fromClient(JSON.stringify(message))
      const reply = (await connection.send(message)) as RpcAnswer
      if (reply !== undefined) repeats ? conversation.stray(reply) : conversation.fromServer(JSON.stringify(reply))
      return judged(reply)
    },
    send(message) {
      const reply = connection.send(message)
      if (!(reply instanceof Promise)) {
        if (reply !== undefined) conversation.stray(reply)
        return judged(reply)
      }
      return reply.then((late) => {
        if (late !== undefined) conversation.stray(late)
        return judged(late)
      })
    },
    close: () => connection.close(),
  }
}

export const modernMeta = (capabilities: object = {}, more: object = {}): Record<string, unknown> => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
  ...more,
})

/** Every request carries the modern metadata; `_meta` in params is added to it. */
export function modernPeer(server: Server, capabilities: object = {}): Peer {
  return peer(server, (params) => ({
    ...params,
    _meta: modernMeta(capabilities, (params as { _meta?: object })._meta),
  }))
}

export async function legacyPeer(
  server: Server,
  protocolVersion = '2025-11-25',
  capabilities: object = {},
): Promise<Peer> {
  const opened = peer(server, (params) => params)
  const clientInfo = { name: 'test', version: '1.0.0' }
  const { error } = await opened.request('initialize', { protocolVersion, capabilities, clientInfo })
  if (error !== undefined) throw new Error(error.message)
  opened.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return opened
}

export const TASKS_CAPABILITY = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
