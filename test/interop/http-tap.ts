/** A proxy on 127.0.0.1 that passes everything on as it is and lets a judge read along. */
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Conversation, MessageChecker } from '@myrmex/testing/message-checker/message-checker'

export interface Tap {
  readonly url: string
  /** Breaks every open event stream off, as a bad network would. */
  cut(): void
  close(): Promise<void>
}

/** Node's default of 511 is fewer than a test opens at once, and the kernel resets what it cannot queue. */
const MAX_WAITING_CONNECTIONS = 2000

const EVENTS = 'text/event-stream'

export async function tapHttp(upstream: string, judge: MessageChecker): Promise<Tap> {
  const agent = new Agent({ keepAlive: true })
  const sessions = new Map<string, Conversation>()
  const open = new Set<ServerResponse>()
  /** A legacy session is one conversation; without one, every POST is its own. */
  const conversationOf = ({ headers }: IncomingMessage): Conversation => {
    const session = headers['mcp-session-id']
    if (typeof session !== 'string') return judge.conversation()
    const known = sessions.get(session) ?? judge.conversation()
    sessions.set(session, known)
    return known
  }
  const proxy = createServer(async (request, response) => {
    const conversation = conversationOf(request)
    const body = await buffer(request)
    if (body.length > 0) conversation.fromClient(body.toString())
    const options = { agent, method: request.method ?? 'GET', headers: request.headers as OutgoingHttpHeaders }
    const forwarded = send(upstream, options, (answer) => pass(answer, response, conversation))
    forwarded.on('error', () => response.destroy())
    open.add(response)
    response.on('close', () => {
      open.delete(response)
      // A client that goes away must be seen to go away behind the tap too: that is how it cancels.
      if (!response.writableFinished) forwarded.destroy()
    })
    forwarded.end(body)
  })
  // The client shares this event loop. After a pause, Node would close idle connections before it reads what is already in them.
  proxy.keepAliveTimeout = 0
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', MAX_WAITING_CONNECTIONS, resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    cut() {
      for (const response of open) if (response.getHeader('content-type') === EVENTS) response.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve())
        proxy.closeAllConnections()
        agent.destroy()
      }),
  }
}

/** Whatever reaches the client has been judged before. */
async function pass(answer: IncomingMessage, response: ServerResponse, conversation: Conversation): Promise<void> {
  response.statusCode = answer.statusCode ?? 502
  const headers = Object.entries(answer.headers).filter(([name]) => name !== 'connection' && name !== 'keep-alive')
  response.setHeaders(new Map(headers as [string, string][]))
  response.flushHeaders()
  answer.on('error', () => response.destroy())
  if (answer.headers['content-type'] !== EVENTS) {
    const body = await buffer(answer)
    if (body.length > 0) conversation.fromServer(body.toString())
    response.end(body)
    return
  }
  const events = new Events((data) => conversation.fromServer(data))
  answer.on('data', (chunk: Buffer) => {
    events.push(chunk)
    response.write(chunk)
  })
  answer.on('end', () => response.end())
}

/** Server-sent events out of chunks cut anywhere. An event without data (a heartbeat, a priming event) is no message. */
class Events {
  readonly #message: (data: string) => void
  readonly #decoder = new TextDecoder()
  #rest = ''

  constructor(message: (data: string) => void) {
    this.#message = message
  }

  push(chunk: Buffer): void {
    const events = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n\n')
    this.#rest = events.pop() as string
    for (const event of events) {
      const lines = event.split('\n').filter((line) => line.startsWith('data:'))
      const data = lines.map((line) => line.slice('data:'.length).trimStart()).join('\n')
      if (data !== '') this.#message(data)
    }
  }
}
