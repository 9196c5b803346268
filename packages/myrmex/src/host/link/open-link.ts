/**
 * `openLink(endpoint)`: starts or reaches an upstream, and negotiates era and version through the official client. A failed attempt
 * leaves nothing behind.
 */
import type { Client } from '@modelcontextprotocol/client'
import { transportError } from '../../client/transport-error.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import type { Principal } from '../../tool/context.ts'
import { Child } from '../child/child.ts'
import { type LineFilter, LogSanitiser } from '../child/log-sanitiser.ts'
import type { Reaper } from '../child/reaper.ts'
import type { Launch } from '../child/sandbox/launch.ts'
import type { ChildEndpoint, UrlEndpoint } from '../settings.ts'
import type { Credential } from '../sign-in/credential.ts'
import { HOST_CAPABILITIES, HOST_CLIENT_INFO } from './client-identity.ts'
import { ChildHandshakeTransport, HandshakeTransport } from './handshake-transport.ts'
import { httpWire } from './http-wire.ts'
import type { Link, LinkHandlers, NegotiatedPeer } from './link.ts'
import { RawLink } from './raw-link.ts'
import { Scrubber } from './scrubber.ts'
import type { Wire } from './wire.ts'

export interface OpenOptions extends LinkHandlers {
  /** the server's name in messages */
  readonly name: string
  /** total time limit */
  readonly openMs: number
  /** values to remove from everything the server sends */
  readonly secrets: readonly string[]
  /** values to remove from everything but results */
  readonly publicValues?: readonly string[] | undefined
  /** removes the secrets of callers from the lines for the log */
  readonly callerSecrets?: LineFilter | undefined
  readonly reaper?: Reaper
  /** of a URL: sent with each request */
  readonly credential?: Credential | undefined
  /** of a URL: where requests of one connection may have accounts of several callers */
  readonly accounts?: ((principal: string) => Credential) | undefined
  /** how to start a child in its sandbox; default: without one */
  readonly launch?: ((endpoint: ChildEndpoint) => Promise<Launch>) | undefined
  /** receives each stderr line of a child, and protocol violations */
  readonly onStderr?: (line: string) => void
  /** the era of the last connection; a legacy server is not probed again */
  readonly era?: Link['era'] | undefined
  /** of a connection for the requests of one caller only: whose they are */
  readonly principal?: Principal | undefined
  /** aborts the opening */
  readonly signal?: AbortSignal
}

/** A legacy server may never answer the modern handshake. */
const PROBE_TIMEOUT_MS = 5000

export async function openLink(endpoint: ChildEndpoint | UrlEndpoint, options: OpenOptions): Promise<Link> {
  if (options.signal?.aborted) throw openingStopped()
  const scrubber = new Scrubber(options.secrets, options.publicValues)
  const log = new LogSanitiser(options.onStderr ?? (() => {}), scrubber, options.callerSecrets)
  const opening: Opening = { options, scrubber, log, until: performance.now() + options.openMs }
  return await (endpoint.where === 'child' ? openChild(endpoint, opening) : openUrl(endpoint, opening))
}

async function openChild(endpoint: ChildEndpoint, opening: Opening): Promise<Link> {
  const { options, scrubber, log } = opening
  const { name, reaper, launch } = options
  const child = (): Child => new Child(endpoint, { name, scrubber, reaper, log, launch })
  // A server that was upgraded meanwhile is detected when the host restarts.
  if (options.era === 'legacy') return await attempt(child(), 'legacy', opening)
  try {
    return await attempt(child(), 'auto', opening)
  } catch (thrown) {
    // Some legacy servers exit if they are asked anything before `initialize`. They get a second attempt.
    if (!(thrown instanceof ToolError && hasExited(thrown) && performance.now() < opening.until)) throw thrown
    return await attempt(child(), 'legacy', opening)
  }
}

async function openUrl(endpoint: UrlEndpoint, opening: Opening): Promise<Link> {
  const { options, scrubber, log } = opening
  if (!URL.canParse(endpoint.url)) {
    throw ToolError.of('TransportError', `${options.name}: ${scrubber.text(endpoint.url)} is not a URL`)
  }
  const { name, credential, accounts } = options
  const wire = (kind: 'http' | 'sse'): Promise<Wire> =>
    httpWire(endpoint, kind, { name, scrubber, log: (line) => log.write(line), credential, accounts })
  if (endpoint.transport === 'sse') return await attempt(await wire('sse'), 'legacy', opening)
  try {
    return await attempt(await wire('http'), 'auto', opening)
  } catch (thrown) {
    if (endpoint.transport === 'http' || !mayBeSse(thrown)) throw thrown
    try {
      return await attempt(await wire('sse'), 'legacy', opening)
    } catch {
      // SSE failed too: the first error says more.
      throw thrown
    }
  }
}

/** The process started and then exited. */
const hasExited = ({ error_details }: ToolError): boolean => isObject(error_details) && 'code' in error_details

/** An SSE-only server rejects unknown requests. One that asks for authentication is not SSE-only. */
function mayBeSse(thrown: unknown): boolean {
  const details = thrown instanceof ToolError ? thrown.error_details : undefined
  const status = isObject(details) ? details.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 401 && status !== 403
}

interface Opening {
  readonly options: OpenOptions
  readonly scrubber: Scrubber
  readonly log: LogSanitiser
  /** the deadline */
  readonly until: number
}

async function attempt(wire: Wire, era: 'auto' | 'legacy', { options, log, until }: Opening): Promise<Link> {
  const { name } = options
  const link = new RawLink(wire, {
    name,
    handlers: options,
    log: (line) => log.write(line),
    onHandshakeAnswer: (message) => transport.takeAnswer(message),
  })
  const started = wire.start({
    onMessage: (message) => link.receive(message),
    expectsAnswer: () => link.expectsAnswer,
    onClose: (why) => {
      link.onWireClosed(why)
      transport.onclose?.()
    },
  })
  // The client awaits it later; until then a rejection must not count as unhandled.
  started.catch(() => {})
  const transport =
    wire instanceof Child ? new ChildHandshakeTransport(wire, started) : new HandshakeTransport(wire, started)
  try {
    const client = await beforeDeadline(
      handshake(transport, era, Math.max(1, until - performance.now())),
      until,
      options,
    )
    if (link.closeReason !== undefined) throw link.closeReason
    link.open(negotiated(client))
    return link
  } catch (thrown) {
    // The wire's own reason says more than the client's error.
    const why = link.closeReason ?? openError(wire, thrown, name)
    await link.cut()
    throw why
  }
}

const openingStopped = (): ToolError => ToolError.of('CancelledError', 'Opening the connection was stopped.')

/** Rejects at the deadline, or when the signal aborts. */
async function beforeDeadline<T>(work: Promise<T>, until: number, options: OpenOptions): Promise<T> {
  const { name, openMs, signal } = options
  const expired = Promise.withResolvers<never>()
  const stop = (): void => expired.reject(openingStopped())
  const late = (): void =>
    expired.reject(
      ToolError.of('TransportError', `${name}: no connection within ${openMs} ms`, {
        peer: name,
        codes: ['REQUEST_TIMEOUT'],
      }),
    )
  const timer = setTimeout(late, Math.max(0, until - performance.now()))
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    return await Promise.race([work, expired.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

async function handshake(transport: HandshakeTransport, era: 'auto' | 'legacy', left: number): Promise<Client> {
  const { Client } = await import('@modelcontextprotocol/client')
  const made = (): Client =>
    new Client(HOST_CLIENT_INFO, {
      capabilities: HOST_CAPABILITIES,
      versionNegotiation: { mode: era, probe: { timeoutMs: Math.min(left / 2, PROBE_TIMEOUT_MS) } },
    })
  const client = made()
  try {
    await client.connect(transport, { timeout: left })
    return client
  } catch (thrown) {
    // A slow start: the client fell back to the legacy era, but the modern handshake was answered after all.
    const { lateDiscovery } = transport
    if (lateDiscovery === undefined) throw thrown
    const second = made()
    await second.connect(transport, { prior: { kind: 'modern', discover: lateDiscovery } })
    return second
  }
}

/** An error answer to the handshake means that the connection could not be opened. */
function openError(wire: Wire, thrown: unknown, name: string): ToolError {
  const why = wire.explain(thrown)
  return why instanceof ToolError ? why : transportError(why, name)
}

const negotiated = (client: Client): NegotiatedPeer => ({
  era: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
  version: client.getNegotiatedProtocolVersion() ?? '',
  server: client.getServerVersion(),
  capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,
  instructions: client.getInstructions(),
})
