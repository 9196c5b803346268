/**
 * The transport that the official client uses for the handshake. It carries only the client's requests and their answers. All other
 * messages go to the link.
 */
import type { DiscoverResult, JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client'
import type { Message } from '../../protocol/jsonrpc.ts'
import { MODERN_VERSION } from '../../protocol/versions.ts'
import type { Wire } from './wire.ts'

export class HandshakeTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #wire: Wire
  readonly #started: Promise<void>
  /** ids of unanswered requests */
  readonly #pendingIds = new Set<unknown>()
  /** an answer to `server/discover` that came after the client stopped waiting */
  lateDiscovery: DiscoverResult | undefined

  /** `started`: the wire is already starting. */
  constructor(wire: Wire, started: Promise<void>) {
    this.#wire = wire
    this.#started = started
  }

  get hasPerRequestStream(): boolean {
    return this.#wire.perRequest
  }

  start(): Promise<void> {
    return this.#started
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message && 'id' in message) this.#pendingIds.add(message.id)
    await this.#wire.send(message as Message, options)
  }

  /** Returns whether the message was an answer to the client. */
  takeAnswer(message: Message): boolean {
    if (!('id' in message) || !this.#pendingIds.delete(message.id)) return false
    if (this.#isLate(message)) this.onclose?.()
    else this.onmessage?.(message as JSONRPCMessage)
    return true
  }

  /** The modern answer came late, while the client waits for the legacy one. For the client, the connection closed. */
  #isLate(message: Message): boolean {
    const { result } = message as { result?: { supportedVersions?: unknown } }
    const { supportedVersions } = result ?? {}
    if (this.#pendingIds.size === 0 || !Array.isArray(supportedVersions)) return false
    if (!supportedVersions.includes(MODERN_VERSION)) return false
    this.lateDiscovery = result as DiscoverResult
    return true
  }

  setProtocolVersion(version: string): void {
    this.#wire.setVersion(version)
  }

  /** The client gave up or the wire broke. The opener of the link ends the wire. */
  async close(): Promise<void> {
    this.onclose?.()
  }
}

/** The official client recognises a child by these two fields. It then treats an unanswered handshake as the legacy era. */
export class ChildHandshakeTransport extends HandshakeTransport {
  readonly stderr = null
  readonly pid = null
}
