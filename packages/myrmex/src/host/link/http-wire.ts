/**
 * The way to a server that listens: the official transports for Streamable HTTP and for the older SSE. There is no connection that
 * could break; it counts as broken when nobody listens any more, when the session is over, or when the only stream of SSE ends.
 */
import type { Transport } from '@modelcontextprotocol/client'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject, type Json } from '../../protocol/json.ts'
import type { Message } from '../../protocol/jsonrpc.ts'
import { isLegacyVersion } from '../../protocol/versions.ts'
import type { UrlEndpoint } from '../settings.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { modernMeta } from './client-identity.ts'
import { httpFailure, isSessionOver, isUnreachable } from './http-failure.ts'
import type { Scrubber } from './scrubber.ts'
import type { Wire, WireHandlers, WireSendOptions } from './wire.ts'

/** How long a server may take to hear that a session is over. */
const FAREWELL_MS = 1000
/** The id of the question whether a server is still there. Ours are numbers, and so are the official client's. */
const LOOK = 'myrmex-look'

export interface HttpWireOptions {
  readonly name: string
  readonly scrubber: Scrubber
  readonly log: (line: string) => void
}

export async function httpWire(place: UrlEndpoint, kind: 'http' | 'sse', options: HttpWireOptions): Promise<HttpWire> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const how = { requestInit: { headers: { ...place.headers } }, fetch: boundedFetch }
  const url = new URL(place.url)
  return new HttpWire(
    kind === 'http' ? new StreamableHTTPClientTransport(url, how) : new SSEClientTransport(url, how),
    options,
  )
}

/** What the two have in common, and what only one has. */
type Official = Transport & { terminateSession?(): Promise<void> }

class HttpWire implements Wire {
  readonly pid = undefined
  readonly perRequest: boolean
  readonly #transport: Official
  readonly #options: HttpWireOptions
  /** failures of requests: whoever sent them knows */
  readonly #known = new WeakSet<object>()
  #handlers: WireHandlers | undefined
  #version: string | undefined
  #isOver = false
  #isLooking = false

  constructor(transport: Official, options: HttpWireOptions) {
    this.#transport = transport
    this.#options = options
    this.perRequest = transport.hasPerRequestStream ?? false
  }

  async start(handlers: WireHandlers): Promise<void> {
    this.#handlers = handlers
    const { scrubber } = this.#options
    this.#transport.onmessage = (message: unknown) => {
      if (isObject(message) && message.id === LOOK) return
      handlers.onMessage(scrubber.message(message))
    }
    this.#transport.onerror = (error) => {
      // That of a request comes here before it reaches who sent it.
      setImmediate(() => this.#unexpected(error))
    }
    await this.#transport.start()
  }

  async send(message: Message, how?: WireSendOptions): Promise<void> {
    try {
      // Written out: a header or a signal that is undefined is not the same as none.
      await this.#transport.send(message as never, {
        ...(how?.headers && { headers: how.headers }),
        ...(how?.signal && { requestSignal: how.signal }),
        ...(how?.onStreamEnd && { onRequestStreamEnd: how.onStreamEnd }),
      })
    } catch (thrown) {
      if (isObject(thrown)) this.#known.add(thrown)
      if (this.#version !== undefined && !this.#isOver) this.#judge(thrown)
      throw thrown
    }
  }

  explain(thrown: unknown): Error {
    const { name, scrubber } = this.#options
    const why = httpFailure(thrown, name)
    if (why instanceof ToolError) return scrubber.error(why)
    return new RpcError(why.code, scrubber.text(why.message), scrubber.value(why.data) as Json | undefined)
  }

  setVersion(version: string): void {
    this.#version = version
    this.#transport.setProtocolVersion?.(version)
  }

  async end(): Promise<void> {
    if (!this.#isOver && this.#session !== undefined) await this.#sayGoodbye()
    await this.cut()
  }

  async cut(): Promise<void> {
    this.#isOver = true
    await this.#transport.close()
  }

  get #session(): string | undefined {
    return this.#transport.sessionId
  }

  /** A session that is not ended costs the server memory until it notices by itself. That it cannot be told is no failure of ours. */
  async #sayGoodbye(): Promise<void> {
    this.#isOver = true
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FAREWELL_MS)
    })
    const told = this.#transport.terminateSession?.().catch((thrown) => this.#tell('(the end of the session)', thrown))
    await Promise.race([told, late])
    clearTimeout(timer)
  }

  #judge(thrown: unknown): void {
    const isLost = isUnreachable(thrown) || (this.#session !== undefined && isSessionOver(thrown))
    if (isLost) this.#broke(thrown)
    // The connection of this one request broke. Whether that was all of it the next one would find out; it need not be a call.
    else if (thrown instanceof TypeError) void this.#look()
  }

  #unexpected(error: Error): void {
    if (this.#isOver || this.#known.has(error) || this.#version === undefined) return
    // The only stream of SSE: what comes after it is another session.
    if ('event' in error) return this.#broke(error)
    this.#tell('(its stream)', error)
    void this.#look()
  }

  /** Something of the server has ended: is it the server that has? Sending it a question is what finds out. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const question: Message = isLegacyVersion(this.#version)
      ? { jsonrpc: '2.0', id: LOOK, method: 'ping' }
      : { jsonrpc: '2.0', id: LOOK, method: 'server/discover', params: { _meta: modernMeta(this.#version ?? '') } }
    await this.send(question).catch((thrown) => this.#tell('(it was looked for)', thrown))
    this.#isLooking = false
  }

  #broke(thrown: unknown): void {
    if (this.#isOver) return
    const why = this.explain(thrown)
    const { name } = this.#options
    void this.cut()
    this.#handlers?.onClose(
      why instanceof ToolError
        ? why
        : ToolError.of('TransportError', `${name}: ${why.message}`, { peer: name, cause: why.message, codes: [] }),
    )
  }

  #tell(what: string, thrown: unknown): void {
    this.#options.log(`${what} ${this.explain(thrown).message}`)
  }
}
