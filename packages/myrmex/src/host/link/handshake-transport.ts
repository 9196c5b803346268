/**
 * What the official client sees while it opens a link: a transport on which there is nothing but its own requests and their
 * answers. Everything else that the upstream sends is the link's.
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
  /** ids of its requests that are not answered yet */
  readonly #own = new Set<unknown>()
  /** what the server answered to `server/discover` after the client had given up waiting for that */
  lateDiscovery: DiscoverResult | undefined

  /** `started`: the wire is on its way already. */
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
    if ('method' in message && 'id' in message) this.#own.add(message.id)
    await this.#wire.send(message as Message, {
      headers: options?.headers,
      signal: options?.requestSignal,
      onStreamEnd: options?.onRequestStreamEnd,
    })
  }

  /** Whether it was an answer to the client. */
  takeAnswer(message: Message): boolean {
    if (!('id' in message) || !this.#own.delete(message.id)) return false
    if (this.#isLate(message)) this.onclose?.()
    else this.onmessage?.(message as JSONRPCMessage)
    return true
  }

  /** A slow one: the client went on to the next question of the older era, and must be told that this is none of that. */
  #isLate(message: Message): boolean {
    const { result } = message as { result?: { supportedVersions?: unknown } }
    const { supportedVersions } = result ?? {}
    if (this.#own.size === 0 || !Array.isArray(supportedVersions)) return false
    if (!supportedVersions.includes(MODERN_VERSION)) return false
    this.lateDiscovery = result as DiscoverResult
    return true
  }

  setProtocolVersion(version: string): void {
    this.#wire.setVersion(version)
  }

  /** The client gave up, or the wire broke. Who opened the link ends the wire. */
  async close(): Promise<void> {
    this.onclose?.()
  }
}

/** The official client tells a child by these two: there a server that does not answer its first question is of the legacy era. */
export class ChildHandshakeTransport extends HandshakeTransport {
  readonly stderr = null
  readonly pid = null
}
