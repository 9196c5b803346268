/**
 * `openLink(place)`: starts or reaches an upstream and agrees with it on an era and a revision, through the official client. What
 * did not come about leaves nothing behind.
 */
import type { Client } from '@modelcontextprotocol/client'
import { transportError } from '../../client/broken.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { Child } from '../child/child.ts'
import type { Keeper } from '../child/keeper.ts'
import { Told } from '../child/told.ts'
import type { ChildPlace, UrlPlace } from '../settings.ts'
import { CAPABILITIES, CLIENT_INFO } from './declared.ts'
import { httpWire } from './http-wire.ts'
import { Limit, stopped } from './limit.ts'
import type { Link, LinkHandlers } from './link.ts'
import { RawLink } from './raw-link.ts'
import { Scrubber } from './scrubber.ts'
import { ChildTap, Tap } from './tap.ts'
import type { Wire } from './wire.ts'

export interface OpenOptions extends LinkHandlers {
  /** how the server is called in messages */
  readonly name: string
  /** how long opening may take in all */
  readonly openMs: number
  /** values that must not be seen in anything that comes from it */
  readonly secrets: readonly string[]
  readonly keeper?: Keeper
  /** each line a child writes on its stderr, and everything odd it does */
  readonly onStderr?: (line: string) => void
  /** what it spoke last time; one of the legacy era is not asked for the modern one again */
  readonly era?: Link['era'] | undefined
  /** stops opening it */
  readonly signal?: AbortSignal
}

/** A server of the legacy era may leave the first question of the modern one unanswered. */
const PROBE_MS = 5000

export async function openLink(place: ChildPlace | UrlPlace, options: OpenOptions): Promise<Link> {
  if (options.signal?.aborted) throw stopped()
  const scrubber = new Scrubber(options.secrets)
  const told = new Told(options.onStderr ?? (() => {}), scrubber)
  const opening: Opening = { options, scrubber, told, until: performance.now() + options.openMs }
  return await (place.where === 'child' ? openChild(place, opening) : openUrl(place, opening))
}

async function openChild(place: ChildPlace, opening: Opening): Promise<Link> {
  const { options, scrubber, told } = opening
  const { name, keeper } = options
  const child = (): Child => new Child(place, { name, scrubber, keeper, told })
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

async function openUrl(place: UrlPlace, opening: Opening): Promise<Link> {
  const { options, scrubber, told } = opening
  if (!URL.canParse(place.url)) {
    throw new ToolError('TransportError', `${options.name}: ${scrubber.text(place.url)} is no URL`)
  }
  const wire = (kind: 'http' | 'sse'): Promise<Wire> =>
    httpWire(place, kind, { name: options.name, scrubber, tell: (line) => told.say(line) })
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
  readonly told: Told
  /** when opening has taken too long */
  readonly until: number
}

async function attempt(wire: Wire, era: 'auto' | 'legacy', { options, told, until }: Opening): Promise<Link> {
  const { name } = options
  const link = new RawLink(wire, {
    name,
    handlers: options,
    tell: (line) => told.say(line),
    answered: (message) => tap.answered(message),
  })
  const started = wire.start({
    message: (message) => link.receive(message),
    closed: (why) => {
      link.broke(why)
      tap.onclose?.()
    },
  })
  // It is looked at when the client asks for it; until then nobody may call it unhandled.
  started.catch(() => {})
  const tap = wire instanceof Child ? new ChildTap(wire, started) : new Tap(wire, started)
  const limit = new Limit(until, options)
  try {
    const client = await limit.on(connected(tap, era, Math.max(1, until - performance.now())))
    if (link.gone !== undefined) throw link.gone
    link.open(agreed(client))
    return link
  } catch (thrown) {
    // The reason that the wire gave says more than what the client made of it.
    const why = link.gone ?? explained(wire, thrown, name)
    await link.cut()
    throw why
  } finally {
    limit.end()
  }
}

async function connected(tap: Tap, era: 'auto' | 'legacy', left: number): Promise<Client> {
  const { Client } = await import('@modelcontextprotocol/client')
  const made = (): Client =>
    new Client(CLIENT_INFO, {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode: era, probe: { timeoutMs: Math.min(left / 2, PROBE_MS) } },
    })
  const client = made()
  try {
    await client.connect(tap, { timeout: left })
    return client
  } catch (thrown) {
    // It came up so slowly that it was taken for one of the legacy era, and answered the first question after all.
    const { discovered } = tap
    if (discovered === undefined) throw thrown
    const second = made()
    await second.connect(tap, { prior: { kind: 'modern', discover: discovered } })
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
