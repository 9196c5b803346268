/**
 * Messages over HTTP with the official transports for Streamable HTTP and SSE. HTTP has no permanent connection: it counts as lost when
 * the server cannot be reached, when the session has ended, or when the only SSE stream ends.
 */
import type { Transport } from '@modelcontextprotocol/client'
import { RpcError, ToolError } from '../../protocol/errors.ts'
import { isObject, type Json } from '../../protocol/json.ts'
import type { Message } from '../../protocol/jsonrpc.ts'
import { isLegacyVersion } from '../../protocol/versions.ts'
import type { UrlEndpoint } from '../settings.ts'
import { authorisedFetch } from '../sign-in/authorised-fetch.ts'
import type { Credential } from '../sign-in/credential.ts'
import { isSignInNeeded } from '../sign-in/sign-in-needed.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { modernMeta } from './client-identity.ts'
import { httpFailure, isSessionOver, isUnreachable } from './http-failure.ts'
import type { Scrubber } from './scrubber.ts'
import { resolvesWithin } from './time-limit.ts'
import type { Wire, WireHandlers, WireSendOptions } from './wire.ts'

/** Time limit for telling the server that the session ends. */
const GOODBYE_MS = 1000
/** Id of the liveness request. All other ids are numbers. */
const PROBE_ID = 'myrmex-look'

export interface HttpWireOptions {
  readonly name: string
  readonly scrubber: Scrubber
  readonly log: (line: string) => void
  /** sent with each request; default: only the configured headers */
  readonly credential?: Credential | undefined
  /** where each caller has an account of its own */
  readonly accounts?: ((principal: string) => Credential) | undefined
}

export async function httpWire(
  endpoint: UrlEndpoint,
  kind: 'http' | 'sse',
  options: HttpWireOptions,
): Promise<HttpWire> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const { credential, accounts, scrubber } = options
  const forget = new Map<Credential, () => void>()
  const hidden = (one: Credential): Credential => {
    if (!forget.has(one))
      forget.set(
        one,
        one.secrets.on((tokens) => {
          scrubber.replaceTokens(one, tokens)
          // The host does not use it any more.
          if (tokens.length === 0) forget.delete(one)
        }),
      )
    return one
  }
  const fetch =
    credential === undefined
      ? boundedFetch
      : authorisedFetch(boundedFetch, {
          credential: hidden(credential),
          accounts: accounts && ((principal) => hidden(accounts(principal))),
          onRefused: (why) => wire.onRefused(why),
        })
  const sendOptions = { requestInit: { headers: { ...endpoint.headers } }, fetch }
  const url = new URL(endpoint.url)
  const wire = new HttpWire(
    kind === 'http' ? new StreamableHTTPClientTransport(url, sendOptions) : new SSEClientTransport(url, sendOptions),
    options,
  )
  wire.forgetSecrets = () => {
    for (const stop of forget.values()) stop()
  }
  return wire
}

/** The common interface of both transports, plus what only one has. */
type Official = Transport & { terminateSession?(): Promise<void> }

class HttpWire implements Wire {
  readonly pid = undefined
  readonly perRequest: boolean
  /** the tokens of a closed connection need no scrubbing */
  forgetSecrets: (() => void) | undefined
  readonly #transport: Official
  readonly #options: HttpWireOptions
  /** errors already reported to the sender of the request */
  readonly #reported = new WeakSet<object>()
  #handlers: WireHandlers | undefined
  #version: string | undefined
  #isClosed = false
  #isProbing = false
  /** nobody has signed in, or the sign-in is over */
  #refusal: ToolError | undefined

  constructor(transport: Official, options: HttpWireOptions) {
    this.#transport = transport
    this.#options = options
    this.perRequest = transport.hasPerRequestStream ?? false
  }

  async start(handlers: WireHandlers): Promise<void> {
    this.#handlers = handlers
    const { scrubber } = this.#options
    this.#transport.onmessage = (message: unknown) => {
      if (isObject(message) && message.id === PROBE_ID) return
      handlers.onMessage(scrubber.message(message))
    }
    this.#transport.onerror = (error) => {
      // A request's error is emitted here before it reaches the sender.
      setImmediate(() => this.#onError(error))
    }
    await this.#transport.start()
  }

  async send(message: Message, options?: WireSendOptions): Promise<void> {
    try {
      await this.#transport.send(message as never, options)
    } catch (thrown) {
      if (isObject(thrown)) this.#reported.add(thrown)
      if (this.#version !== undefined && !this.#isClosed) this.#checkLoss(thrown)
      throw thrown
    }
  }

  /** The credential is dead: the connection is of no use, and its end must not ask the server anything. */
  onRefused(why: ToolError): void {
    const isOpen = this.#version !== undefined
    // One call that needs another scope does not end an open connection.
    if (isOpen && !isSignInNeeded(why, this.#options.credential?.options.principal)) return
    this.#refusal ??= isOpen ? why : this.#options.credential?.needed()
    if (isOpen) setImmediate(() => this.#lost(why))
  }

  explain(thrown: unknown): Error {
    if (this.#refusal !== undefined) return this.#refusal
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
    if (!this.#isClosed && this.#session !== undefined) await this.#sayGoodbye()
    await this.cut()
  }

  async cut(): Promise<void> {
    this.#isClosed = true
    this.forgetSecrets?.()
    await this.#transport.close()
  }

  get #session(): string | undefined {
    return this.#transport.sessionId
  }

  /** An open session costs the server memory until it times out. A failed goodbye does not matter. */
  async #sayGoodbye(): Promise<void> {
    this.#isClosed = true
    const ended = this.#transport.terminateSession?.().catch((thrown) => this.#log('(ending the session)', thrown))
    if (ended !== undefined) await resolvesWithin(ended, GOODBYE_MS)
  }

  #checkLoss(thrown: unknown): void {
    if (this.#refusal !== undefined) return
    const isLost = isUnreachable(thrown) || (this.#session !== undefined && isSessionOver(thrown))
    if (isLost) this.#lost(thrown)
    // Only this request's connection broke: check whether the server is still there.
    else if (thrown instanceof TypeError) void this.#probe()
  }

  #onError(error: Error): void {
    if (this.#isClosed || this.#reported.has(error) || this.#version === undefined || this.#refusal !== undefined)
      return
    // The only SSE stream: what follows would be another session.
    if ('event' in error) return this.#lost(error)
    this.#log('(stream)', error)
    void this.#probe()
  }

  /** Something ended: sending a request shows whether the server is still there. */
  async #probe(): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    const question: Message = isLegacyVersion(this.#version)
      ? { jsonrpc: '2.0', id: PROBE_ID, method: 'ping' }
      : { jsonrpc: '2.0', id: PROBE_ID, method: 'server/discover', params: { _meta: modernMeta(this.#version ?? '') } }
    await this.send(question).catch((thrown) => this.#log('(liveness check)', thrown))
    this.#isProbing = false
  }

  #lost(thrown: unknown): void {
    if (this.#isClosed) return
    const why = this.explain(thrown)
    const { name } = this.#options
    void this.cut()
    this.#handlers?.onClose(
      why instanceof ToolError
        ? why
        : ToolError.of('TransportError', `${name}: ${why.message}`, { peer: name, cause: why.message, codes: [] }),
    )
  }

  #log(what: string, thrown: unknown): void {
    this.#options.log(`${what} ${this.explain(thrown).message}`)
  }
}
