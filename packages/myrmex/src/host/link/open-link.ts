/**
 * `openLink(place)`: starts or reaches an upstream and agrees with it on an era and a revision, through the official client. What
 * did not come about leaves nothing behind.
 */
import type { Client } from '@modelcontextprotocol/client'
import { transportError } from '../../client/transport-error.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { Child } from '../child/child.ts'
import { LogSanitiser } from '../child/log-sanitiser.ts'
import type { Reaper } from '../child/reaper.ts'
import type { ChildEndpoint, UrlEndpoint } from '../settings.ts'
import { HOST_CAPABILITIES, HOST_CLIENT_INFO } from './client-identity.ts'
import { ChildHandshakeTransport, HandshakeTransport } from './handshake-transport.ts'
import { httpWire } from './http-wire.ts'
import type { Link, LinkHandlers } from './link.ts'
import { OpenDeadline, openingStopped } from './open-deadline.ts'
import { RawLink } from './raw-link.ts'
import { Scrubber } from './scrubber.ts'
import type { Wire } from './wire.ts'

export interface OpenOptions extends LinkHandlers {
  /** how the server is called in messages */
  readonly name: string
  /** how long opening may take in all */
  readonly openMs: number
  /** values that must not be seen in anything that comes from it */
  readonly secrets: readonly string[]
  readonly reaper?: Reaper
  /** each line a child writes on its stderr, and everything odd it does */
  readonly onStderr?: (line: string) => void
  /** what it spoke last time; one of the legacy era is not asked for the modern one again */
  readonly era?: Link['era'] | undefined
  /** stops opening it */
  readonly signal?: AbortSignal
}

/** A server of the legacy era may leave the first question of the modern one unanswered. */
const PROBE_MS = 5000

export async function openLink(place: ChildEndpoint | UrlEndpoint, options: OpenOptions): Promise<Link> {
  if (options.signal?.aborted) throw openingStopped()
  const scrubber = new Scrubber(options.secrets)
  const told = new LogSanitiser(options.onStderr ?? (() => {}), scrubber)
  const opening: Opening = { options, scrubber, told, until: performance.now() + options.openMs }
  return await (place.where === 'child' ? openChild(place, opening) : openUrl(place, opening))
}

async function openChild(place: ChildEndpoint, opening: Opening): Promise<Link> {
  const { options, scrubber, told } = opening
  const { name, reaper } = options
  const child = (): Child => new Child(place, { name, scrubber, reaper, log: told })
  // A server that learns the modern era meanwhile is found out when the host starts anew.
  if (options.era === 'legacy') return await attempt(child(), 'legacy', opening)
  try {
    return await attempt(child(), 'auto', opening)
  } catch (thrown) {
    // Some servers of the legacy era end when they are asked anything before `initialize`. They get a second life for that.
    if (!(thrown instanceof ToolError && hasEnded(thrown) && performance.now() < opening.until)) throw thrown
    return await attempt(child(), 'legacy', opening)
  }
}

async function openUrl(place: UrlEndpoint, opening: Opening): Promise<Link> {
  const { options, scrubber, told } = opening
  if (!URL.canParse(place.url)) {
    throw ToolError.of('TransportError', `${options.name}: ${scrubber.text(place.url)} is no URL`)
  }
  const wire = (kind: 'http' | 'sse'): Promise<Wire> =>
    httpWire(place, kind, { name: options.name, scrubber, log: (line) => told.write(line) })
  if (place.transport === 'sse') return await attempt(await wire('sse'), 'legacy', opening)
  try {
    return await attempt(await wire('http'), 'auto', opening)
  } catch (thrown) {
    if (place.transport === 'http' || !mayBeSse(thrown)) throw thrown
    try {
      return await attempt(await wire('sse'), 'legacy', opening)
    } catch {
      // It was not that either: what came first says more.
      throw thrown
    }
  }
}

/** It came up and ended by itself. */
const hasEnded = ({ error_details }: ToolError): boolean => isObject(error_details) && 'code' in error_details

/** A server that knows only SSE refuses what it does not know; one that wants to know who asks is no such server. */
function mayBeSse(thrown: unknown): boolean {
  const details = thrown instanceof ToolError ? thrown.error_details : undefined
  const status = isObject(details) ? details.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 401 && status !== 403
}

interface Opening {
  readonly options: OpenOptions
  readonly scrubber: Scrubber
  readonly told: LogSanitiser
  /** when opening has taken too long */
  readonly until: number
}

async function attempt(wire: Wire, era: 'auto' | 'legacy', { options, told, until }: Opening): Promise<Link> {
  const { name } = options
  const link = new RawLink(wire, {
    name,
    handlers: options,
    log: (line) => told.write(line),
    onHandshakeAnswer: (message) => tap.takeAnswer(message),
  })
  const started = wire.start({
    onMessage: (message) => link.receive(message),
    onClose: (why) => {
      link.onWireClosed(why)
      tap.onclose?.()
    },
  })
  // It is looked at when the client asks for it; until then nobody may call it unhandled.
  started.catch(() => {})
  const tap = wire instanceof Child ? new ChildHandshakeTransport(wire, started) : new HandshakeTransport(wire, started)
  const limit = new OpenDeadline(until, options)
  try {
    const client = await limit.race(connected(tap, era, Math.max(1, until - performance.now())))
    if (link.closeReason !== undefined) throw link.closeReason
    link.open(agreed(client))
    return link
  } catch (thrown) {
    // The reason that the wire gave says more than what the client made of it.
    const why = link.closeReason ?? explained(wire, thrown, name)
    await link.cut()
    throw why
  } finally {
    limit.end()
  }
}

async function connected(tap: HandshakeTransport, era: 'auto' | 'legacy', left: number): Promise<Client> {
  const { Client } = await import('@modelcontextprotocol/client')
  const made = (): Client =>
    new Client(HOST_CLIENT_INFO, {
      capabilities: HOST_CAPABILITIES,
      versionNegotiation: { mode: era, probe: { timeoutMs: Math.min(left / 2, PROBE_MS) } },
    })
  const client = made()
  try {
    await client.connect(tap, { timeout: left })
    return client
  } catch (thrown) {
    // It came up so slowly that it was taken for one of the legacy era, and answered the first question after all.
    const { lateDiscovery } = tap
    if (lateDiscovery === undefined) throw thrown
    const second = made()
    await second.connect(tap, { prior: { kind: 'modern', discover: lateDiscovery } })
    return second
  }
}

/** An error that the server answered opening with is no answer to anybody: it could not be opened. */
function explained(wire: Wire, thrown: unknown, name: string): ToolError {
  const why = wire.explain(thrown)
  return why instanceof ToolError ? why : transportError(why, name)
}

function agreed(client: Client): Parameters<RawLink['open']>[0] {
  const version = client.getNegotiatedProtocolVersion() ?? ''
  return {
    era: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
    version,
    server: client.getServerVersion(),
    capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,
    instructions: client.getInstructions(),
  }
}
