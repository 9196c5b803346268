/** Connects the official client to a server in this process. Messages are passed without serialisation. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { Message } from '../protocol/jsonrpc.ts'
import type { Server } from '../server/server.ts'
import { connectDirect, type DirectConnection } from '../transport/direct.ts'

export class DirectTransport implements Transport {
  readonly #connection: DirectConnection
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  constructor(server: Server) {
    this.#connection = connectDirect(server, (message) => this.#deliver(message))
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    // Not awaited: the client sends many requests before the first is answered.
    Promise.resolve(this.#connection.send(message)).then((reply) => {
      for (const one of Array.isArray(reply) ? reply : [reply]) if (one !== undefined) this.#deliver(one)
    })
  }

  #deliver(message: Message): void {
    this.onmessage?.(message as JSONRPCMessage)
  }

  async close(): Promise<void> {
    this.#connection.close()
    this.onclose?.()
  }
}
